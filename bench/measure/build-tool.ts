import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { formOf, makeBundle, sha1, type BundleFile } from '../../test/support/build-tools.ts';
import type { GeneratedBuild } from './generate-build.ts';
import type { Service } from './service.ts';

/** Bytes of a chunk and requests at once, as the service asks for. */
const CHUNK_BYTES = 8 * 1024 * 1024;
const REQUESTS_AT_ONCE = 4;

/** Project that builds upload to. */
export interface UploadTarget {
  readonly url: string;
  readonly token: string;
  readonly organization: string;
  readonly project: string;
}

/** Milliseconds of an upload: until all chunks are stored, and from then on until the maps can be used. */
export interface SentBundle {
  readonly sentMs: number;
  readonly openedMs: number;
}

/** Returns the first project of a service. */
export function uploadTarget({ port, first }: Pick<Service, 'port' | 'first'>): UploadTarget {
  const [organization = ''] = first.project_path.split('/');
  return { url: `http://127.0.0.1:${port}`, token: first.token, organization, project: String(first.project_id) };
}

/** Debug id of a script by its number. */
export const debugIdOf = (script: number): string => `00000000-0000-4000-8000-${script.toString(16).padStart(12, '0')}`;

/** Address of a script by its number. */
export const addressOf = (script: number): string => `https://shop.example/app${script}.js`;

/** Makes a bundle of scripts that have the content of one build, and debug ids of their own. */
export function bundleOf({ map, script }: GeneratedBuild, scripts: readonly number[], deflate = true): Buffer {
  const files = scripts.flatMap((each): BundleFile[] => {
    const url = `~/app${each}.js`;
    const headers = { 'debug-id': debugIdOf(each) };
    return [
      { path: `files/_/_/app${each}.js`, type: 'minified_source', url, content: script, headers, deflate },
      { path: `files/_/_/app${each}.js.map`, type: 'source_map', url: `${url}.map`, content: map, headers, deflate },
    ];
  });
  return makeBundle(files);
}

/** Uploads the bundle in a file as tools do: asks which chunks are missing, sends them, and asks until it is opened. */
export async function sendBundle(target: UploadTarget, path: string): Promise<SentBundle> {
  const file = await open(path);
  try {
    const { checksum, chunks } = await checksumsOf(file);
    const assemble = () => assembled(target, { checksum, chunks, projects: [target.project] });
    const { missingChunks } = await assemble();
    const began = performance.now();
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < missingChunks.length) {
        const missing = missingChunks[next] ?? '';
        next += 1;
        await sendChunk(target, missing, await chunkOf(file, chunks.indexOf(missing)));
      }
    };
    await Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, work));
    const sent = performance.now();
    for (;;) {
      const { state, detail } = await assemble();
      if (state === 'ok') return { sentMs: sent - began, openedMs: performance.now() - sent };
      // Each question waits for the end for some time.
      if (state !== 'created') throw new Error(`the upload is ${state}: ${detail ?? ''}`);
    }
  } finally {
    await file.close();
  }
}

async function chunkOf(file: FileHandle, place: number): Promise<Buffer> {
  const chunk = Buffer.alloc(CHUNK_BYTES);
  const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, place * CHUNK_BYTES);
  return chunk.subarray(0, bytesRead);
}

async function checksumsOf(file: FileHandle): Promise<{ readonly checksum: string; readonly chunks: string[] }> {
  const whole = createHash('sha1');
  const chunks: string[] = [];
  for (;;) {
    const chunk = await chunkOf(file, chunks.length);
    if (chunk.length === 0) return { checksum: whole.digest('hex'), chunks };
    whole.update(chunk);
    chunks.push(sha1(chunk));
  }
}

interface Assembled {
  readonly state: string;
  readonly missingChunks: readonly string[];
  readonly detail: string | null;
}

async function assembled(target: UploadTarget, body: object): Promise<Assembled> {
  const content = { body: JSON.stringify(body), contentType: 'application/json' };
  return JSON.parse(await post(target, 'artifactbundle/assemble/', content)) as Assembled;
}

async function sendChunk(target: UploadTarget, checksum: string, content: Uint8Array): Promise<void> {
  const { body, contentType } = formOf([{ name: 'file', filename: checksum, content }]);
  await post(target, 'chunk-upload/', { body: new Uint8Array(body), contentType });
}

async function post(
  { url, token, organization }: UploadTarget,
  path: string,
  { body, contentType }: { readonly body: string | Uint8Array<ArrayBuffer>; readonly contentType: string },
): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': contentType };
  const answer = await fetch(`${url}/api/0/organizations/${organization}/${path}`, { method: 'POST', headers, body });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`);
  return text;
}
