import { mappingId, readDebugId } from '../../domain/artifacts/artifact.ts';
import { AppError } from '../../domain/app-error.ts';
import type { UploadState } from '../../domain/ports/uploads.ts';
import { isoTime } from '../http/iso-time.ts';
import type { Route } from '../http/route.ts';
import { receiveFile } from './receive-chunks.ts';
import { namedInPath, ownerOfChunks, projectInPath, projectsOfOrganization } from './scope.ts';
import { SHA1, toolBody } from './tool-body.ts';
import { toolRoute, type ToolCall } from './tool-route.ts';

const BELOW = 'projects/:organization/:project/files';

type DebugFiles = Readonly<
  Record<string, { readonly name: string; readonly debug_id?: string | null; readonly chunks: readonly string[] }>
>;
const readFiles = toolBody<DebugFiles>({
  type: 'object',
  propertyNames: SHA1,
  maxProperties: 1000,
  additionalProperties: {
    type: 'object',
    properties: {
      name: { type: 'string', maxLength: 1000 },
      debug_id: { type: ['string', 'null'], maxLength: 100 },
      chunks: { type: 'array', items: SHA1, maxItems: 10_000 },
    },
    required: ['name', 'chunks'],
  },
});

const UNKNOWN: UploadState = { state: 'not_found', missingChunks: [], detail: null };

/** Presents a debug file with the members that tools require; they print id, name and processor. */
function presentDebugFile(debugId: string, checksum: string, name: string, now: number) {
  const isMapping = mappingId(name) !== null;
  return {
    id: checksum,
    uuid: debugId,
    debugId,
    codeId: null,
    cpuName: isMapping ? 'any' : 'unknown',
    objectName: isMapping ? 'proguard-mapping' : name.slice(name.lastIndexOf('/') + 1),
    symbolType: isMapping ? 'proguard' : 'native',
    headers: {},
    size: 0,
    sha1: checksum,
    dateCreated: isoTime(now),
    data: { features: isMapping ? ['mapping'] : [] },
  };
}

async function assembleFiles(call: ToolCall) {
  const { deps } = call;
  const all = await projectsOfOrganization(call);
  const { id } = namedInPath(call, all);
  const files = Object.entries(await readFiles(call)).map(([given, { name, debug_id, chunks }]) => ({
    given,
    checksum: given.toLowerCase(),
    chunks: chunks.map((each) => each.toLowerCase()),
    debugFile: { name, debugId: mappingId(name) ?? readDebugId(debug_id ?? '') },
  }));
  const known = { organization: ownerOfChunks(call, all), projects: [id], release: null, dist: null };
  // A tool that names no chunks asks whether the file is known.
  const requests = files.filter(({ chunks }) => chunks.length > 0);
  const states = await deps.uploads.assembleAll(
    requests.map(({ checksum, chunks, debugFile }) => ({ ...known, checksum, chunks, debugFile })),
  );
  const stateOf = new Map(requests.map(({ given }, at) => [given, states[at] ?? UNKNOWN]));
  const body = Object.fromEntries(
    files.map(({ given, checksum, debugFile: { name, debugId } }) => {
      const state = stateOf.get(given) ?? UNKNOWN;
      const isStored = state.state === 'ok' && debugId !== null;
      const dif = isStored ? presentDebugFile(debugId, checksum, name, deps.clock.now()) : null;
      return [given, { ...state, dif }];
    }),
  );
  return { status: 200, body };
}

async function takeZip(call: ToolCall) {
  const { deps } = call;
  const { id } = await projectInPath(call);
  const mappings = await receiveFile(call.request, deps.uploads.bounds, (content) =>
    deps.uploads.takeMappings(id, content),
  );
  if (mappings === null)
    throw new AppError('bad_request', 'Send one file, as multipart/form-data with the part `file`.');
  return {
    status: 200,
    body: mappings.map(({ debugId, checksum }) =>
      presentDebugFile(debugId, checksum, `proguard/${debugId}.txt`, deps.clock.now()),
    ),
  };
}

const answer = (status: number, body: unknown) => async (call: ToolCall) => {
  await projectInPath(call);
  return { status, body };
};

/** Debug files: mappings of R8 are used; native files are listed. */
export const debugFileRoutes: readonly Route[] = [
  toolRoute({
    method: 'POST',
    path: `${BELOW}/difs/assemble`,
    operationId: 'toolAssembleDebugFiles',
    summary: 'Put debug files together from their chunks, and say which are missing',
    handle: assembleFiles,
  }),
  toolRoute({
    method: 'POST',
    path: `${BELOW}/dsyms`,
    operationId: 'toolDebugFiles',
    summary: 'Take a zip with mappings of R8',
    handle: takeZip,
  }),
  toolRoute({
    method: 'GET',
    path: `${BELOW}/dsyms`,
    operationId: 'toolListedDebugFiles',
    summary: 'List debug files by checksum, of which none is known to tools',
    handle: answer(200, []),
  }),
  toolRoute({
    method: 'GET',
    path: `${BELOW}/dsyms/unknown`,
    operationId: 'toolUnknownDebugFiles',
    summary: 'List no unknown checksums: old tools then send every file',
    handle: answer(200, { missing: [] }),
  }),
  toolRoute({
    method: 'POST',
    path: `${BELOW}/proguard-artifact-releases`,
    operationId: 'toolMappingRelease',
    summary: 'Accept that a mapping belongs to a release; it is found by its id',
    handle: answer(201, {}),
  }),
];
