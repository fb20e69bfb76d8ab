import type { TargetDsn } from '../../domain/projects/dsn.ts';
import type { ErrorReport } from '../../observability/reporting.ts';
import { within } from '../../lib/within.ts';
import { errorEvent } from './error-event.ts';
import { sendEvent } from './event-client.ts';

/** Reports that may be on their way; further ones are dropped. The SDKs allow as many. */
const MAX_PENDING = 64;
/** Maximum characters of the logged message in a report. */
const MAX_LOGGED = 200;
/** Environment of reports: that of SDKs that are given none. */
const ENVIRONMENT = 'production';

export interface ReporterOptions {
  readonly dsn: TargetDsn;
  /** Version of errgate. */
  readonly version: string;
  /** Sent with each report. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends reports about errors of this process. A report that cannot be delivered is dropped. */
export class Reporter {
  readonly #options: ReporterOptions;
  readonly #pending = new Set<Promise<void>>();
  /** Time until which the address wants no reports, in milliseconds since the epoch. */
  #pausedUntil = 0;
  #closed = false;

  constructor(options: ReporterOptions) {
    this.#options = options;
  }

  report({ error, message, facts }: ErrorReport): void {
    this.#send(error, { ...facts, logged: message.slice(0, MAX_LOGGED) });
  }

  /** Reports an error that no code caught, by the name of the handler that did. */
  reportUncaught(error: Error, uncaughtBy: string): void {
    this.#send(error, {}, uncaughtBy);
  }

  /** Waits until the reports are sent, at most `limitMs` milliseconds. */
  async flush(limitMs: number): Promise<void> {
    await within(
      limitMs,
      () => Promise.all(this.#pending),
      () => undefined,
    );
  }

  /** Sends what was reported, within `limitMs` milliseconds, and drops what is reported from now on. */
  async close(limitMs: number): Promise<void> {
    this.#closed = true;
    await this.flush(limitMs);
  }

  #send(error: Error, tags: Readonly<Record<string, string>>, uncaughtBy?: string): void {
    if (this.#closed || this.#pending.size >= MAX_PENDING || Date.now() < this.#pausedUntil) return;
    const { dsn, version, headers } = this.#options;
    const caught = uncaughtBy === undefined ? {} : { uncaughtBy };
    const event = errorEvent(error, { version, environment: ENVIRONMENT, tags, ...caught });
    const sending: Promise<void> = sendEvent(dsn, event, headers)
      .then(
        ({ pauseMs }) => {
          if (pauseMs > 0) this.#pausedUntil = Date.now() + pauseMs;
        },
        () => undefined,
      )
      .finally(() => this.#pending.delete(sending));
    this.#pending.add(sending);
  }
}
