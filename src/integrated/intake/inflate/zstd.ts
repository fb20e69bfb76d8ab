import * as zlib from 'node:zlib';
import { corruptBody, inflatedTooLarge } from './inflate-errors.ts';
import { inflateQueue } from './inflate-queue.ts';
import { checkZstdFrames } from './zstd-frames.ts';
import { ZstdThread } from './zstd-thread.ts';

type NativeZstd = (
  body: Buffer,
  options: { maxOutputLength: number; chunkSize: number; params: Record<number, number> },
  done: (error: Error | null, result: Buffer) => void,
) => void;

/** Native zstd, in Node from 22.15 on; before, a JavaScript decoder in a separate thread is used. */
const native = (zlib as unknown as { zstdDecompress?: NativeZstd }).zstdDecompress;
const thread = new ZstdThread();

/** Bytes per step in the thread pool. The bound is checked after each step. */
const STEP_BYTES = 64 * 1024;

/** Id in libzstd of the parameter that bounds the window, as a power of two. */
const WINDOW_LOG_MAX = 100;

/** Inflates a zstd body. Bounds window and output before allocating. Errors as `inflate`. */
export async function inflateZstd(body: Buffer, maxBytes: number): Promise<Buffer> {
  const frames = checkZstdFrames(body, maxBytes);
  if (native === undefined) {
    return thread.inflate(body, maxBytes);
  }
  return inflateQueue.add(() => inflateFrames(native, frames, maxBytes));
}

async function inflateFrames(decompress: NativeZstd, frames: readonly Buffer[], maxBytes: number): Promise<Buffer> {
  // Node stops after the first frame.
  const parts: Buffer[] = [];
  let left = maxBytes;
  for (const frame of frames) {
    const part = await inflateNatively(decompress, frame, left);
    parts.push(part);
    left -= part.length;
  }
  if (left < 0) {
    throw inflatedTooLarge(maxBytes);
  }
  const [only] = parts;
  return only !== undefined && parts.length === 1 ? only : Buffer.concat(parts);
}

function inflateNatively(decompress: NativeZstd, body: Buffer, maxBytes: number): Promise<Buffer> {
  // `checkZstdFrames` allows a window of 8 MiB, or a single segment as large as the bound.
  const windowLog = Math.min(30, Math.max(23, Math.ceil(Math.log2(maxBytes))));
  return new Promise((resolve, reject) => {
    decompress(
      body,
      { maxOutputLength: Math.max(1, maxBytes), chunkSize: STEP_BYTES, params: { [WINDOW_LOG_MAX]: windowLog } },
      (error, result) => {
        if (error === null) {
          resolve(result);
        } else if ('code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') {
          reject(inflatedTooLarge(maxBytes));
        } else {
          reject(corruptBody(error));
        }
      },
    );
  });
}
