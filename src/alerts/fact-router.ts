import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Destination } from '../domain/alerts/alert-delivery.ts';
import type { AlertFact } from '../domain/alerts/alert-fact.ts';
import type { AlertStore } from '../domain/ports/stores/alert-store.ts';
import type { MaintenanceStore } from '../domain/ports/stores/maintenance-store.ts';
import type { Audience } from './routing/audience.ts';
import type { ConversationBook } from './sending/conversation-book.ts';
import type { ErrorLookup } from './routing/error-lookup.ts';
import { type Arrival, withWaiting } from './sending/pace.ts';
import { routeFact } from './routing/routing.ts';

/** Name of the value with the place in the log up to which facts are routed. */
export const ROUTED_KEY = 'alerts_routed';

/** Facts that are read at a time; between two pages other work of the thread gets its turn. */
const PAGE = 250;
/** Maximum pages of one call. */
const MAX_PAGES = 40;

export interface RouterParts {
  readonly store: Pick<AlertStore, 'listFacts' | 'silenceFacts'> & Pick<MaintenanceStore, 'getMeta' | 'setMeta'>;
  readonly book: ConversationBook;
  /** Called once for each fact. */
  readonly onFact: (fact: AlertFact) => void;
}

/** Options of one call. */
export interface RouteTurn {
  readonly audience: Audience;
  readonly errors: ErrorLookup;
  readonly now: number;
  /** Called after each page; false ends the work. */
  readonly goOn: () => Promise<boolean>;
}

/**
 * Lets conversations know of new facts, in the order of the log. The place is written after the conversations, so facts
 * may be routed twice, which changes nothing: places that a conversation has passed do not wait again.
 */
export class FactRouter {
  readonly #parts: RouterParts;
  #place: number | null = null;

  constructor(parts: RouterParts) {
    this.#parts = parts;
  }

  /** Place in the log up to which facts are routed; 0: none is. */
  async place(): Promise<number> {
    if (this.#place !== null) return this.#place;
    const { store } = this.#parts;
    this.#place = Number((await store.getMeta(ROUTED_KEY)) ?? 0);
    return this.#place;
  }

  /** Forgets the place, which another process may have moved. */
  forget(): void {
    this.#place = null;
  }

  /** Passes over all facts up to a place. */
  async passOver(seq: number): Promise<void> {
    await this.#moveTo(Math.max(seq, await this.place()));
  }

  /** Routes new facts, at most 10,000 per call. */
  async route(turn: RouteTurn): Promise<void> {
    const { store, onFact } = this.#parts;
    let place = await this.place();
    const start = place;
    const waiting = new Map<Destination, Arrival>();
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const facts = await store.listFacts(place, PAGE);
      await this.#routePage(facts, waiting, turn);
      for (const fact of facts) onFact(fact);
      place = facts.at(-1)?.seq ?? place;
      if (facts.length < PAGE) break;
      if (!(await turn.goOn())) return;
      await nextTurn();
    }
    if (place === start) return;
    const { book } = this.#parts;
    for (const [destination, arrival] of waiting) {
      await book.update(destination, turn.now, (current) => {
        // Facts that were routed before, and are in a message already.
        if (arrival.last <= current.cursor) return null;
        return withWaiting(current, { ...arrival, first: Math.max(arrival.first, current.cursor + 1) }, turn.now);
      });
    }
    await this.#moveTo(place);
  }

  async #routePage(facts: readonly AlertFact[], waiting: Map<Destination, Arrival>, turn: RouteTurn): Promise<void> {
    const { audience, errors, now } = turn;
    const silent: { seq: number; reason: string }[] = [];
    await prefetch(facts, turn);
    for (const fact of facts) {
      const { to, silence } = await routeFact(fact, audience, errors, now);
      if (silence !== null) silent.push({ seq: fact.seq, reason: silence });
      for (const [destination, notBefore] of to) {
        const earlier = waiting.get(destination);
        waiting.set(destination, {
          first: earlier?.first ?? fact.seq,
          last: fact.seq,
          notBefore: earlier === undefined ? notBefore : earliest(earlier.notBefore, notBefore),
        });
      }
    }
    if (silent.length > 0) await this.#parts.store.silenceFacts(silent);
  }

  async #moveTo(place: number): Promise<void> {
    await this.#parts.store.setMeta(ROUTED_KEY, String(place));
    this.#place = place;
  }
}

function earliest(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : Math.min(a, b);
}

/** Reads the assignees of a page at once, where members want only their own errors. */
async function prefetch(facts: readonly AlertFact[], { audience, errors }: RouteTurn): Promise<void> {
  for (const projectId of new Set(facts.map((fact) => fact.projectId))) {
    const project = await audience.project(projectId);
    if (project?.listeners.some(({ mail }) => mail === 'mine') !== true) continue;
    const own = facts.filter((fact) => fact.projectId === projectId);
    await errors.states(
      project,
      own.map(({ errorId }) => errorId),
    );
  }
}
