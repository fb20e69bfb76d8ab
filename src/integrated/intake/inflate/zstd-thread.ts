import type { Worker } from 'node:worker_threads';
import PQueue from 'p-queue';
import { AppError } from '../../../domain/app-error.ts';
import { createWorker } from '../../../lib/worker.ts';
import { corruptBody, inflatedTooLarge } from './inflate-errors.ts';
import type { ZstdJob, ZstdResult } from './zstd-worker.ts';

/** Milliseconds after which the thread is ended: crafted input makes the JavaScript decoder compute for long. */
const DEADLINE_MS = 3000;
/** Maximum milliseconds to start the thread on a busy machine. */
const START_MS = 10_000;
/**
 * Inflated bytes after which the thread is replaced, because the decoder's memory is freed only with the thread.
 * Thousands of ordinary events, or a few bombs.
 */
const BYTES_PER_THREAD = 16 * 1024 * 1024;
/** Maximum number of bodies waiting for the thread; above it: 503. */
const MAX_WAITING = 64;

export interface ZstdThreadOptions {
  /** Module of the thread beside this file, without extension. */
  readonly module?: string;
  readonly deadlineMs?: number;
}

/**
 * Inflates zstd bodies one at a time in a separate thread, started for the first one. The decoder neither limits its
 * time nor validates its input, so it never runs on the main thread.
 */
export class ZstdThread {
  readonly #module: string;
  readonly #deadlineMs: number;
  #worker: Promise<Worker> | null = null;
  readonly #queue = new PQueue({ concurrency: 1 });
  /** Bytes inflated by the current thread. */
  #inflated = 0;

  constructor(options: ZstdThreadOptions = {}) {
    this.#module = options.module ?? './zstd-worker';
    this.#deadlineMs = options.deadlineMs ?? DEADLINE_MS;
  }

  /**
   * Inflates a body. Throws `ingest_too_large`, `ingest_invalid`, or `ingest_unavailable` when too many bodies wait.
   */
  inflate(body: Buffer, maxBytes: number): Promise<Buffer> {
    if (this.#queue.size + this.#queue.pending >= MAX_WAITING) {
      return Promise.reject(unavailable('Too many zstd bodies are waiting. Send it again, or with another encoding.'));
    }
    return this.#queue.add(() => this.#run({ body, maxBytes }));
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

  /** Ends the thread; the next body starts another. No body is processed meanwhile. */
  async #end(worker: Worker): Promise<void> {
    this.#inflated = 0;
    await worker.terminate();
    this.#worker = null;
  }

  /** Sends one body to the thread. Ends a thread that fails or exceeds the deadline; the next body starts a new one. */
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
      // Stays for the life of the thread: an unhandled error would stop the process.
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
