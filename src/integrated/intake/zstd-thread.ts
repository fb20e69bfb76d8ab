import type { Worker } from 'node:worker_threads';
import { AppError } from '../../domain/app-error.ts';
import { createWorker } from '../../lib/worker.ts';
import { corruptBody, inflatedTooLarge } from './inflate-errors.ts';
import type { ZstdJob, ZstdResult } from './zstd-worker.ts';

/** The JavaScript decoder can be made to compute for long; beyond this the thread is ended. Milliseconds. */
const DEADLINE_MS = 3000;
/** Starting the thread on a busy machine may take this long. Milliseconds. */
const START_MS = 10_000;
/**
 * After so many inflated bytes the thread is replaced: what the decoder leaves behind is only given back to the
 * system with the thread. Thousands of ordinary events, or a bomb or two.
 */
const BYTES_PER_THREAD = 16 * 1024 * 1024;
/** Bodies that may wait for the thread; beyond: 503. */
const MAX_WAITING = 64;

export interface ZstdThreadOptions {
  /** Module of the thread beside this file, without extension. */
  readonly module?: string;
  readonly deadlineMs?: number;
}

/**
 * Inflates zstd bodies one after the other in a thread of its own, started at the first of them. The
 * decoder checks neither time nor the sense of its input, so it never runs where it could hold up others.
 */
export class ZstdThread {
  readonly #module: string;
  readonly #deadlineMs: number;
  #worker: Promise<Worker> | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  /** Inflated by the thread that lives now. */
  #inflated = 0;

  constructor(options: ZstdThreadOptions = {}) {
    this.#module = options.module ?? './zstd-worker';
    this.#deadlineMs = options.deadlineMs ?? DEADLINE_MS;
  }

  /** Throws `ingest_too_large`, `ingest_invalid`, or `ingest_unavailable` when too many bodies wait. */
  inflate(body: Buffer, maxBytes: number): Promise<Buffer> {
    if (this.#waiting >= MAX_WAITING) {
      return Promise.reject(unavailable('Too many zstd bodies are waiting. Send it again, or with another encoding.'));
    }
    this.#waiting += 1;
    const result = this.#last.then(() => this.#run({ body, maxBytes })).finally(() => (this.#waiting -= 1));
    this.#last = result.catch(() => undefined);
    return result;
  }

  async #run(job: ZstdJob): Promise<Buffer> {
    let worker: Worker;
    try {
      worker = await (this.#worker ??= this.#start());
    } catch (cause) {
      this.#worker = null;
      throw unavailable('The zstd decoder could not be started. Send it again, or with another encoding.', cause);
    }
    const result = await this.#ask(worker, job);
    switch (result.kind) {
      case 'inflated':
        this.#inflated += result.bytes.length;
        if (this.#inflated > BYTES_PER_THREAD) await this.#end(worker);
        return Buffer.from(result.bytes.buffer, result.bytes.byteOffset, result.bytes.byteLength);
      case 'too_large':
        throw inflatedTooLarge(job.maxBytes);
      case 'corrupt':
        throw corruptBody();
    }
  }

  /** The next body starts another thread. Nothing is asked of this one meanwhile: bodies come one after the other. */
  async #end(worker: Worker): Promise<void> {
    this.#inflated = 0;
    await worker.terminate();
    this.#worker = null;
  }

  /** A thread that fails or exceeds the deadline is ended; the next body starts a new one. */
  #ask(worker: Worker, job: ZstdJob): Promise<ZstdResult> {
    return new Promise((resolve) => {
      const finish = (result: ZstdResult) => {
        clearTimeout(timer);
        worker.off('message', finish).off('exit', onFailure);
        worker.unref();
        resolve(result);
      };
      const onFailure = () => {
        this.#worker = null;
        void worker.terminate();
        finish({ kind: 'corrupt' });
      };
      const timer = setTimeout(onFailure, this.#deadlineMs);
      worker.on('message', finish).on('exit', onFailure);
      worker.ref();
      worker.postMessage(job);
    });
  }

  #start(): Promise<Worker> {
    return new Promise((resolve, reject) => {
      const worker = createWorker(this.#module, import.meta.url, { resourceLimits: { maxOldGenerationSizeMb: 64 } });
      const timer = setTimeout(() => void worker.terminate(), START_MS);
      let reason: unknown;
      // Stays for the thread's life: an error nobody listens to would stop the process.
      worker.on('error', (error) => (reason = error));
      worker.once('exit', () => {
        clearTimeout(timer);
        this.#worker = null;
        reject(new Error('the zstd thread ended', { cause: reason }));
      });
      worker.once('message', () => {
        clearTimeout(timer);
        resolve(worker);
      });
    });
  }
}

function unavailable(message: string, cause?: unknown): AppError {
  return new AppError('ingest_unavailable', message, { cause, retryAfterSeconds: 5 });
}
