import { createReadStream } from 'node:fs';

/** Reads a file in parts. It is opened with the first part, so content that is not wanted keeps no file open. */
export async function* fileParts(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path) as AsyncIterable<Uint8Array>;
}
