import {
  brotliDecompress,
  brotliDecompressSync,
  gunzip,
  gunzipSync,
  inflate as zlibInflate,
  inflateRaw,
  inflateRawSync,
  inflateSync,
  type InputType,
  type ZlibOptions,
} from 'node:zlib';
import { AppError } from '../../../domain/app-error.ts';
import { corruptBody, inflatedTooLarge } from './inflate-errors.ts';
import { inflateQueue } from './inflate-queue.ts';
import { inflateZstd } from './zstd.ts';

/** Accepted encodings of a body, as the 415 answer lists them. */
const ACCEPTED_ENCODINGS = 'gzip, deflate, br, zstd';

/**
 * Maximum bytes of a body that is first inflated on the main thread. For one event that takes about 20 microseconds;
 * the thread pool costs more. `INLINE_OUTPUT_BYTES` bounds the output, so that a bomb blocks the event loop for less
 * than a millisecond.
 */
const INLINE_INPUT_BYTES = 16 * 1024;
const INLINE_OUTPUT_BYTES = 256 * 1024;

/** Bytes per step in the thread pool. The bound is checked after each step. */
const STEP_BYTES = 64 * 1024;

type Callback = (error: Error | null, result: Buffer) => void;
interface Method {
  readonly sync: (body: InputType, options: ZlibOptions) => Buffer;
  readonly pooled: (body: InputType, options: ZlibOptions, done: Callback) => void;
}

const GZIP: Method = { sync: gunzipSync, pooled: gunzip };
const ZLIB: Method = { sync: inflateSync, pooled: zlibInflate };
const RAW: Method = { sync: inflateRawSync, pooled: inflateRaw };
const BROTLI: Method = { sync: brotliDecompressSync, pooled: brotliDecompress };

/**
 * Undoes a Content-Encoding. Stops inflating when the output exceeds `maxBytes`. An empty value and `utf-8` mean none:
 * SDKs send both. Returns uncompressed bodies without a copy.
 *
 * Throws `ingest_unsupported_encoding`, `ingest_too_large`, or `ingest_invalid` for a corrupt or truncated stream.
 */
export async function inflate(body: Buffer, encoding: string | undefined, maxBytes: number): Promise<Buffer> {
  switch (encoding?.trim().toLowerCase()) {
    case undefined:
    case '':
    case 'identity':
    case 'utf-8':
    case 'utf8':
      if (body.length > maxBytes) {
        throw inflatedTooLarge(maxBytes);
      }
      return body;
    case 'gzip':
    case 'x-gzip':
      return run(GZIP, body, maxBytes);
    case 'deflate':
      return inflateDeflate(body, maxBytes);
    case 'br':
      return run(BROTLI, body, maxBytes);
    case 'zstd':
      return inflateZstd(body, maxBytes);
    default:
      throw new AppError(
        'ingest_unsupported_encoding',
        `The content encoding is not supported. Use one of ${ACCEPTED_ENCODINGS} or none.`,
        { details: { acceptEncoding: ACCEPTED_ENCODINGS } },
      );
  }
}

/** Inflates `deflate`: a zlib stream, of which some senders leave out the wrapper. Bounds and errors as `inflate`. */
export async function inflateDeflate(body: Buffer, maxBytes: number): Promise<Buffer> {
  try {
    return await run(ZLIB, body, maxBytes);
  } catch (error) {
    if (isZlibData(error)) {
      return run(RAW, body, maxBytes);
    }
    throw error;
  }
}

function run(method: Method, body: Buffer, maxBytes: number): Promise<Buffer> | Buffer {
  if (body.length <= INLINE_INPUT_BYTES) {
    const inlineBytes = Math.min(maxBytes, INLINE_OUTPUT_BYTES);
    try {
      return method.sync(body, { maxOutputLength: inlineBytes });
    } catch (error) {
      if (inlineBytes === maxBytes || codeOf(error) !== 'ERR_BUFFER_TOO_LARGE') {
        throw readable(error, maxBytes);
      }
    }
  }
  return inflateQueue.add(() => inPool(method, body, maxBytes));
}

function inPool(method: Method, body: Buffer, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    method.pooled(body, { maxOutputLength: maxBytes, chunkSize: STEP_BYTES }, (error, result) => {
      if (error === null) {
        resolve(result);
      } else {
        reject(readable(error, maxBytes));
      }
    });
  });
}

function readable(error: unknown, maxBytes: number): AppError {
  return codeOf(error) === 'ERR_BUFFER_TOO_LARGE' ? inflatedTooLarge(maxBytes) : corruptBody(error);
}

function isZlibData(error: unknown): boolean {
  return error instanceof AppError && codeOf(error.cause) === 'Z_DATA_ERROR';
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
