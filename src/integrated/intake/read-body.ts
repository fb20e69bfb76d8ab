import type { Readable } from 'node:stream';
import { AppError } from '../../domain/app-error.ts';
import type { ByteBudget } from './limits/byte-budget.ts';
import type { IntakeLimits } from './limits/intake-limits.ts';

/** Bytes of a body that are not charged to the budget, so that it never affects ordinary events. */
const FREE_BYTES = 64 * 1024;

/** Retry-After in seconds for requests refused by the budget. */
const BUSY_RETRY_SECONDS = 5;

/** Body in memory and its charge; `release` returns the charge. */
export interface HeldBody {
  readonly bytes: Buffer;
  release(): void;
}

/**
 * Reads the whole body as it came over the wire. On errors, discards the rest of the stream in the background: the
 * answer can be sent and the connection stays usable.
 *
 * Throws `ingest_too_large` beyond `maxRequestBytes`. Throws `ingest_invalid` when the sender disconnects or exceeds
 * `bodyTimeoutMs`; the connection must be closed then. Throws `ingest_unavailable` when the bodies in memory exceed the
 * budget.
 */
export function readBody(body: Readable, limits: IntakeLimits, budget: ByteBudget): Promise<HeldBody> {
  return new Promise((resolve, reject) => {
    new BodyReader(body, limits, budget, resolve, reject).start();
  });
}

class BodyReader {
  readonly #body: Readable;
  readonly #limits: IntakeLimits;
  readonly #budget: ByteBudget;
  readonly #resolve: (held: HeldBody) => void;
  readonly #reject: (error: AppError) => void;
  readonly #chunks: Buffer[] = [];
  #size = 0;
  #charged = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    body: Readable,
    limits: IntakeLimits,
    budget: ByteBudget,
    resolve: (held: HeldBody) => void,
    reject: (error: AppError) => void,
  ) {
    this.#body = body;
    this.#limits = limits;
    this.#budget = budget;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  start(): void {
    if (this.#body.destroyed) {
      this.#onGone();
      return;
    }
    this.#timer = setTimeout(this.#onTimeout, this.#limits.bodyTimeoutMs);
    this.#body.on('data', this.#onData).on('end', this.#onEnd).on('error', this.#onGone).on('close', this.#onGone);
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#size += chunk.length;
    if (this.#size > this.#limits.maxRequestBytes) {
      this.#fail(tooLarge(this.#limits.maxRequestBytes));
    } else if (this.#charge()) {
      this.#chunks.push(chunk);
    } else {
      this.#fail(busy());
    }
  };

  readonly #onEnd = (): void => {
    this.#stop();
    const [first] = this.#chunks;
    const bytes = this.#chunks.length === 1 && first !== undefined ? first : Buffer.concat(this.#chunks, this.#size);
    this.#resolve({ bytes, release: () => this.#budget.give(this.#charged) });
  };

  readonly #onGone = (): void => this.#fail(gone());

  readonly #onTimeout = (): void => this.#fail(timedOut(this.#limits.bodyTimeoutMs));

  /** Charges the budget for received bytes above the free ones. Returns false when the budget is used up. */
  #charge(): boolean {
    if (this.#size <= FREE_BYTES) return true;
    const isTaken = this.#budget.take(this.#size - this.#charged);
    if (isTaken) this.#charged = this.#size;
    return isTaken;
  }

  #fail(error: AppError): void {
    this.#stop();
    this.#budget.give(this.#charged);
    // A late error of an abandoned stream must not stop the process.
    this.#body.on('error', ignore);
    this.#body.resume();
    this.#reject(error);
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#body.off('data', this.#onData).off('end', this.#onEnd).off('error', this.#onGone).off('close', this.#onGone);
  }
}

function ignore(): void {
  // Does nothing: the request has been answered.
}

function gone(): AppError {
  return new AppError('ingest_invalid', 'The connection closed before the whole body had arrived.', {
    details: { reason: 'aborted' },
  });
}

function timedOut(limitMs: number): AppError {
  return new AppError('ingest_invalid', `The body did not arrive within ${limitMs} ms.`, {
    details: { close: true, reason: 'timeout' },
  });
}

function tooLarge(maxBytes: number): AppError {
  return new AppError('ingest_too_large', `The request body exceeds ${maxBytes} bytes.`);
}

function busy(): AppError {
  return new AppError('ingest_unavailable', 'Too many large requests are being read at the moment. Send it again.', {
    retryAfterSeconds: BUSY_RETRY_SECONDS,
  });
}
