import type { NewFact } from '../../domain/alerts/alert-fact.ts';
import type { AlertStore, BusyError } from '../../domain/ports/stores/alert-store.ts';
import type { ErrorStore } from '../../domain/ports/stores/error-store.ts';
import { escalation } from './fact-of-error.ts';
import { DAY_MS, HOUR_MS } from '../../domain/durations.ts';

/** Events of an hour from which on it can be a spike, and times the mean of the hours before. */
const MIN_EVENTS = 100;
const MIN_FACTOR = 10;
const HOURS_BEFORE = 168;
/** Milliseconds after its beginning, or its import, in which an error has no spikes. */
const YOUNG_MS = DAY_MS;
const IMPORTED_MS = 7 * DAY_MS;
/** Milliseconds after the end of an hour in which it is looked at once more. */
const LATE_MS = 2 * 60_000;

/** Finds errors that occur far more often than in the week before, each once a day (UTC). */
export class SpikeSearch {
  readonly #store: Pick<AlertStore, 'busyErrors' | 'addFacts'> & Pick<ErrorStore, 'errorById'>;
  /** Facts of the day that are known to be in the log. */
  #known = new Set<string>();
  #day = 0;

  constructor(store: Pick<AlertStore, 'busyErrors' | 'addFacts'> & Pick<ErrorStore, 'errorById'>) {
    this.#store = store;
  }

  async run(now: number): Promise<void> {
    await this.#lookAt(now, now);
    if (now % HOUR_MS < LATE_MS) await this.#lookAt(now - LATE_MS, now);
  }

  /** Looks at the hour that contains `at`. */
  async #lookAt(at: number, now: number): Promise<void> {
    const day = Math.floor(at / DAY_MS);
    if (day > this.#day) this.#known = new Set();
    this.#day = Math.max(day, this.#day);
    const date = new Date(at).toISOString().slice(0, 10);
    const facts: NewFact[] = [];
    for (const busy of await this.#store.busyErrors(at, MIN_EVENTS)) {
      const id = `spike:${busy.groupHash}:${date}`;
      if (this.#known.has(id) || !isSpike(busy, at)) continue;
      const error = await this.#store.errorById(busy.projectId, busy.errorId, now);
      if (error?.status !== 'unresolved') continue;
      const spike = { events: busy.events, mean: busy.before / HOURS_BEFORE };
      facts.push(escalation(id, { spike }, error, Math.min(at, now)));
    }
    if (facts.length === 0) return;
    await this.#store.addFacts(facts);
    for (const { id } of facts) this.#known.add(id);
  }
}

function isSpike({ events, before, firstSeen, importedAt }: BusyError, at: number): boolean {
  if (at - firstSeen < YOUNG_MS || (importedAt !== null && at - importedAt < IMPORTED_MS)) return false;
  return events >= MIN_EVENTS && events >= (MIN_FACTOR * before) / HOURS_BEFORE;
}
