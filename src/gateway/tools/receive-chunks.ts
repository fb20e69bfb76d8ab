import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { AppError } from '../../domain/app-error.ts';
import type { ChunkBounds } from '../../domain/ports/uploads.ts';
import { FormReader } from './form-reader.ts';

type Take = (checksum: string, content: AsyncIterable<Uint8Array>) => Promise<void>;

/** Names of the parts, and whether their content is compressed. */
const PARTS = new Map([
  ['file', false],
  ['file_gzip', true],
]);

/**
 * Reads the chunks of a request one after the other; none is in memory as a whole. The name of a part's file is its
 * checksum. Throws `bad_request` for another form, `payload_too_large` above the bounds, and what `take` throws. A
 * request without a body has no chunks.
 */
export async function receiveChunks(request: IncomingMessage, bounds: ChunkBounds, take: Take): Promise<void> {
  const { 'content-type': type = '', 'content-length': length } = request.headers;
  if (!type.startsWith('multipart/form-data') && (length === '0' || type === '')) return;
  await new FormReader(request, bounds, (part, name, content) => takeChunk(part, name, content, take)).read();
}

/** Reads the only file of a form; null without one. Throws as `receiveChunks`. */
export async function receiveFile<T>(
  request: IncomingMessage,
  bounds: ChunkBounds,
  take: (content: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T | null> {
  let taken: T | null = null;
  const one = { ...bounds, chunksPerRequest: 1 };
  await new FormReader(request, one, async (_part, _name, content) => {
    taken = await take(content as AsyncIterable<Uint8Array>);
  }).read();
  return taken;
}

async function takeChunk(part: string, name: string, content: Readable, take: Take): Promise<void> {
  const compressed = PARTS.get(part);
  if (compressed === undefined || !/^[0-9a-f]{40}$/i.test(name)) {
    throw new AppError('bad_request', 'Each part must be `file` or `file_gzip`, with the SHA-1 of its chunk as name.');
  }
  await take(name.toLowerCase(), compressed ? inflated(content) : (content as AsyncIterable<Uint8Array>));
}

/** Inflates content while it is read, and not before: a chunk that is known is not read. */
async function* inflated(content: Readable): AsyncGenerator<Uint8Array> {
  const plain = createGunzip();
  // Ends with the first failure of either, which the loop throws.
  pipeline(content, plain).catch(() => undefined);
  yield* plain as AsyncIterable<Uint8Array>;
}
