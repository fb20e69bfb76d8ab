import { logFields } from '../domain/app-error.ts';
import type { Logger } from './logger.ts';

/** Logs a failure that is retried: the first one as a warning, the following ones not at all until it succeeds. */
export class FailureLog {
  readonly #logger: Pick<Logger, 'warn'>;
  readonly #message: string;
  #failing = false;

  constructor(logger: Pick<Logger, 'warn'>, message: string) {
    this.#logger = logger;
    this.#message = message;
  }

  failed(error: unknown): void {
    if (!this.#failing) this.#logger.warn(logFields(error), this.#message);
    this.#failing = true;
  }

  succeeded(): void {
    this.#failing = false;
  }
}
