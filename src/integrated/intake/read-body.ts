import type { Readable } from 'node:stream';
import { AppError } from '../../domain/app-error.ts';
import type { ByteBudget } from './byte-budget.ts';
import type { IntakeLimits } from './intake-limits.ts';

/** Bytes of a body that are not charged to the budget: ordinary events never meet it. */
const FREE_BYTES = 64 * 1024;

/** Seconds after which a sender turned away by the budget may try again. */
const BUSY_RETRY_SECONDS = 5;

/** A body in memory and what it was charged; `release` gives that back. */
export interface HeldBody {
  readonly bytes: Buffer;
  release(): void;
}

/**
 * Reads the whole body as it came over the wire. Whatever goes wrong, the rest of the stream is
 * discarded in the background, so that the answer can be sent and the connection stays usable.
 *
 * Throws `ingest_too_large` beyond `maxRequestBytes`, `ingest_invalid` when the sender goes away or is
 * slower than `bodyTimeoutMs` (the connection is to be closed then), `ingest_unavailable` when the
 * bodies in memory exceed the budget.
 */
export function readBody(body: Readable, limits: IntakeLimits, budget: ByteBudget): Promise<HeldBody> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let charged = 0;

    const stop = () => {
      clearTimeout(timer);
      body.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
    };
    const fail = (error: AppError) => {
      stop();
      budget.give(charged);
      // A late error of a stream that nobody reads any more must not stop the process.
      body.on('error', ignore);
      body.resume();
      reject(error);
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > limits.maxRequestBytes) {
        fail(tooLarge(limits.maxRequestBytes));
        return;
      }
      if (size > FREE_BYTES) {
        const due = size - charged;
        if (!budget.take(due)) {
          fail(busy());
          return;
        }
        charged = size;
      }
      chunks.push(chunk);
    };
    const onEnd = () => {
      stop();
      const first = chunks[0];
      const bytes = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks, size);
      resolve({ bytes, release: () => budget.give(charged) });
    };
    const onGone = () => {
      fail(
        new AppError('ingest_invalid', 'The connection closed before the whole body had arrived.', {
          details: { reason: 'aborted' },
        }),
      );
    };
    const onTimeout = () => {
      fail(
        new AppError('ingest_invalid', `The body did not arrive within ${limits.bodyTimeoutMs} ms.`, {
          details: { close: true, reason: 'timeout' },
        }),
      );
    };

    const timer = setTimeout(onTimeout, limits.bodyTimeoutMs);
    if (body.destroyed) {
      onGone();
      return;
    }
    body.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
  });
}

function ignore(): void {
  // Nothing to do: the request has been answered.
}

function tooLarge(maxBytes: number): AppError {
  return new AppError('ingest_too_large', `The request body exceeds ${maxBytes} bytes.`);
}

function busy(): AppError {
  return new AppError('ingest_unavailable', 'Too many large requests are being read at the moment. Send it again.', {
    retryAfterSeconds: BUSY_RETRY_SECONDS,
  });
}
