import { createReadStream } from 'node:fs';

/** Reads a file in parts. It is opened with the first part, so content that is not wanted keeps no file open. */
export async function* fileParts(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path) as AsyncIterable<Uint8Array>;
}

/** Passes content on. Throws the error of `tooLong` above a number of bytes. */
export async function* boundedParts(
  content: AsyncIterable<Uint8Array>,
  maxBytes: number,
  tooLong: () => Error,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const part of content) {
    bytes += part.length;
    if (bytes > maxBytes) throw tooLong();
    yield part;
  }
}
