import { createHash } from 'node:crypto';
import { AppError } from '../../domain/app-error.ts';
import { boundedParts } from '../../lib/parts.ts';

/**
 * Passes the content of a chunk on. Throws `bad_request` above `maxBytes`, at the end for another checksum, and for
 * content that cannot be read.
 */
export async function* checkedChunk(
  content: AsyncIterable<Uint8Array>,
  checksum: string,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha1');
  const tooLong = () => new AppError('bad_request', `Chunk size too large: at most ${maxBytes} bytes.`);
  for await (const part of boundedParts(readable(content, checksum), maxBytes, tooLong)) {
    hash.update(part);
    yield part;
  }
  if (hash.digest('hex') === checksum) return;
  throw new AppError('bad_request', `The content of the chunk ${checksum} has another checksum: send it again.`);
}

async function* readable(content: AsyncIterable<Uint8Array>, checksum: string): AsyncGenerator<Uint8Array> {
  try {
    yield* content;
  } catch (error) {
    throw new AppError('bad_request', `The chunk ${checksum} is no valid gzip, or was cut off: send it again.`, {
      cause: error,
    });
  }
}
