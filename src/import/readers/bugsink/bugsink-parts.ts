import { AppError } from '../../../domain/app-error.ts';
import { isRecord } from '../../../lib/own-property.ts';
import { trackerDetails } from '../../../thirdparty/http/tracker-errors.ts';
import { isPartial } from '../../tracker-failures.ts';
import { BUGSINK_ROOT } from './bugsink-routes.ts';
import type { SourceAccess } from '../access/source-access.ts';

/** Parts that Bugsink has since 2.6: the path in its API description, and what is missing without it. */
const PARTS = {
  history: ['issue-history/', 'comments, and the times at which errors were resolved or muted'],
  issueCounts: ['issues/{id}/event-counts/', 'charts of errors'],
  projectCounts: ['projects/{id}/event-counts/', 'events by day, for comparisons'],
  grouping: [
    'issues/{id}/grouping/',
    'one event for each grouping key, so the newest and the oldest events are compared',
  ],
  lookup: ['events/lookup/', 'the issue of an event by its id: events of a dual run are joined by their group keys'],
} as const;

export type BugsinkPart = keyof typeof PARTS;

/** Statuses of a route that is not there. */
const NO_ROUTE: ReadonlySet<unknown> = new Set([404, 405, 410]);

/**
 * Knows which parts this Bugsink has, by the description of its API. Where that cannot be read, the first request of a
 * part tells.
 */
export class BugsinkParts {
  readonly #access: SourceAccess;
  readonly #known = new Map<BugsinkPart, boolean>();
  #reading: Promise<string | null> | null = null;

  constructor(access: SourceAccess) {
    this.#access = access;
  }

  /** Reads the description once. Returns the version in it; null when unknown. */
  learn(signal: AbortSignal): Promise<string | null> {
    this.#reading ??= this.#learn(signal);
    this.#reading.catch(() => (this.#reading = null));
    return this.#reading;
  }

  /** Returns false for a part that is known to be missing. */
  async mayHave(part: BugsinkPart, signal: AbortSignal): Promise<boolean> {
    await this.learn(signal);
    return this.#known.get(part) !== false;
  }

  /** Returns true for a part that is known to be there. */
  async has(part: BugsinkPart, signal: AbortSignal): Promise<boolean> {
    await this.learn(signal);
    return this.#known.get(part) === true;
  }

  /** Reads a part. Null: this version does not have it, which is noted once. */
  async read<T>(part: BugsinkPart, signal: AbortSignal, work: () => Promise<T>): Promise<T | null> {
    if (!(await this.mayHave(part, signal))) return null;
    try {
      const found = await work();
      this.#known.set(part, true);
      return found;
    } catch (error) {
      const isMissing = error instanceof AppError && NO_ROUTE.has(trackerDetails(error)?.status);
      if (!isMissing || this.#known.get(part) === true) throw error;
      this.#lacks(part);
      return null;
    }
  }

  async #learn(signal: AbortSignal): Promise<string | null> {
    const paths = await this.#paths(signal);
    if (paths === null) return null;
    for (const part of Object.keys(PARTS) as BugsinkPart[]) {
      if (Object.hasOwn(paths.paths, BUGSINK_ROOT + PARTS[part][0])) this.#known.set(part, true);
      else this.#lacks(part);
    }
    return paths.version;
  }

  async #paths(signal: AbortSignal): Promise<{ paths: Record<string, unknown>; version: string | null } | null> {
    const { asker } = this.#access;
    try {
      const { ok, body } = await asker.ask({ path: `${BUGSINK_ROOT}schema/`, signal, attempts: 3 });
      if (!ok || !isRecord(body) || !isRecord(body.paths)) return null;
      const version = isRecord(body.info) ? body.info.version : null;
      // An answer of another kind has none of the paths that every version has.
      if (!Object.hasOwn(body.paths, `${BUGSINK_ROOT}issues/`)) return null;
      return { paths: body.paths, version: typeof version === 'string' ? version.slice(0, 64) : null };
    } catch (error) {
      if (signal.aborted || !isPartial(error)) throw error;
      return null;
    }
  }

  #lacks(part: BugsinkPart): void {
    this.#known.set(part, false);
    this.#access.cannot.add(`${PARTS[part][1]}: Bugsink shows it from version 2.6 on`);
  }
}
