import type { FromSchema } from 'json-schema-to-ts';
import { MAX_DIST_LENGTH, MAX_RELEASE_LENGTH } from '../../domain/artifacts/build.ts';
import { AppError } from '../../domain/app-error.ts';
import type { Project } from '../../domain/projects/project.ts';
import type { Route } from '../http/route.ts';
import { receiveChunks } from './receive-chunks.ts';
import { namedProjects, ownerOfChunks, projectsOfOrganization } from './scope.ts';
import { SHA1, toolBody } from './tool-body.ts';
import { toolRoute, type ToolCall } from './tool-route.ts';

/** What is accepted in chunks, by the names of tools. Without `artifact_bundles_v2` they send every chunk every time. */
const ACCEPTED = ['debug_files', 'release_files', 'artifact_bundles', 'artifact_bundles_v2', 'pdbs', 'proguard'];

const assembly = {
  type: 'object',
  properties: {
    checksum: SHA1,
    chunks: { type: 'array', items: SHA1, minItems: 1, maxItems: 10_000 },
    projects: { type: 'array', items: { type: ['string', 'integer'] }, maxItems: 100 },
    version: { type: ['string', 'null'], maxLength: MAX_RELEASE_LENGTH },
    dist: { type: ['string', 'null'], maxLength: MAX_DIST_LENGTH },
  },
  required: ['checksum', 'chunks'],
} as const;
const readAssembly = toolBody<FromSchema<typeof assembly>>(assembly);

/** Returns the projects of a bundle that names none: those that announced the release, or the only one of the token. */
async function projectsOfRelease({ deps }: ToolCall, projects: readonly Project[], release: string | null) {
  if (release !== null) {
    const announced = await Promise.all(projects.map(({ id }) => deps.store.buildRelease(id, release)));
    const named = projects.filter((_, at) => announced[at] !== null);
    if (named.length > 0) return named;
  }
  if (projects.length === 1) return projects;
  throw new AppError('bad_request', 'The upload names no project: name one with --project.');
}

async function assemble(call: ToolCall, given: { readonly version: string | null }) {
  const all = await projectsOfOrganization(call);
  const body = await readAssembly(call);
  const release = given.version ?? body.version ?? null;
  if ((release?.length ?? 0) > MAX_RELEASE_LENGTH) {
    throw new AppError('bad_request', `A release has at most ${MAX_RELEASE_LENGTH} characters: use a shorter one.`);
  }
  if ((body.dist ?? '') !== '' && release === null) {
    throw new AppError('bad_request', 'A dist needs a release: name both, or neither.');
  }
  const { projects: names = [] } = body;
  const projects = names.length > 0 ? namedProjects(all, names) : await projectsOfRelease(call, all, release);
  const state = await call.deps.uploads.assemble({
    organization: ownerOfChunks(call, all),
    projects: projects.map(({ id }) => id).sort((a, b) => a - b),
    checksum: body.checksum.toLowerCase(),
    chunks: body.chunks.map((chunk) => chunk.toLowerCase()),
    release,
    dist: body.dist ?? null,
    debugFile: null,
  });
  return { status: 200, body: state };
}

export const bundleRoutes: readonly Route[] = [
  toolRoute({
    method: 'GET',
    path: 'organizations/:organization/chunk-upload',
    operationId: 'toolChunkOptions',
    summary: 'Say how chunks are uploaded',
    async handle(call) {
      await projectsOfOrganization(call);
      const { deps, path } = call;
      const { bounds } = deps.uploads;
      const organization = encodeURIComponent(path.organization ?? '');
      return {
        status: 200,
        body: {
          // Newer tools refuse a relative address.
          url: `${deps.externalUrl()}/api/0/organizations/${organization}/chunk-upload/`,
          chunkSize: bounds.chunkBytes,
          chunksPerRequest: bounds.chunksPerRequest,
          maxFileSize: bounds.uploadBytes,
          maxRequestSize: bounds.requestBytes,
          concurrency: bounds.concurrency,
          hashAlgorithm: 'sha1',
          compression: ['gzip'],
          accept: ACCEPTED,
        },
      };
    },
  }),
  toolRoute({
    method: 'POST',
    path: 'organizations/:organization/chunk-upload',
    operationId: 'toolChunks',
    summary: 'Take chunks of an upload',
    async handle(call) {
      const organization = ownerOfChunks(call, await projectsOfOrganization(call));
      const { uploads } = call.deps;
      await receiveChunks(call.request, uploads.bounds, (checksum, content) =>
        uploads.putChunk(organization, checksum, content),
      );
      return { status: 200, body: null };
    },
  }),
  toolRoute({
    method: 'POST',
    path: 'organizations/:organization/artifactbundle/assemble',
    operationId: 'toolAssembleBundle',
    summary: 'Put a bundle together from its chunks, and say which are missing',
    handle: (call) => assemble(call, { version: null }),
  }),
  toolRoute({
    method: 'POST',
    path: 'organizations/:organization/releases/:version/assemble',
    operationId: 'toolAssembleOfRelease',
    summary: 'Put a bundle of a release together from its chunks',
    handle: (call) => assemble(call, { version: call.path.version ?? null }),
  }),
];
