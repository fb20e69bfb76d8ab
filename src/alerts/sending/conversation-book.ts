import type { Conversation, Destination } from '../../domain/alerts/alert-delivery.ts';
import type { AlertStore } from '../../domain/ports/stores/alert-store.ts';
import { clockSet, newConversation, takenOver } from './pace.ts';

/** Milliseconds after its last message in which the times of a conversation still decide something. */
const RECENT_MS = 6 * 3_600_000;

/** Returns the new state of a conversation; null: nothing changes. May be called again after another process won. */
export type Change = (current: Conversation) => Conversation | null;

/**
 * Conversations of all destinations, as the one gateway that works on them knows them. Each change is one
 * compare-and-set; changes of one destination follow one another.
 */
export class ConversationBook {
  readonly #store: Pick<AlertStore, 'listConversations' | 'saveConversation'>;
  #rows = new Map<Destination, Conversation>();
  /** Destinations whose message on its way another process may have sent. */
  readonly #inherited = new Set<string>();
  readonly #turns = new Map<Destination, Promise<unknown>>();

  constructor(store: Pick<AlertStore, 'listConversations' | 'saveConversation'>) {
    this.#store = store;
  }

  /** Reads all conversations as another process left them. */
  async load(now: number): Promise<void> {
    const rows = await this.#store.listConversations();
    this.#rows = new Map(rows.map((row) => [row.destination, takenOver(row, now)]));
    this.#inherited.clear();
    for (const { pending } of rows) if (pending !== null) this.#inherited.add(pending.message.id);
  }

  all(): Conversation[] {
    return [...this.#rows.values()];
  }

  get(destination: Destination): Conversation | null {
    return this.#rows.get(destination) ?? null;
  }

  /** Returns true when an earlier process may have sent the message. */
  isInherited(messageId: string): boolean {
    return this.#inherited.has(messageId);
  }

  /**
   * Changes a conversation, or begins one. Returns the new state; null when nothing changed, or when another process
   * changed it twice meanwhile, or removed it.
   */
  async update(destination: Destination, now: number, change: Change): Promise<Conversation | null> {
    const before = this.#turns.get(destination) ?? Promise.resolve();
    const turn = before.catch(() => undefined).then(() => this.#update(destination, now, change));
    this.#turns.set(destination, turn);
    try {
      return await turn;
    } finally {
      if (this.#turns.get(destination) === turn) this.#turns.delete(destination);
    }
  }

  async #update(destination: Destination, now: number, change: Change): Promise<Conversation | null> {
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const current = this.#rows.get(destination) ?? newConversation(destination, 0);
      const next = change(current);
      if (next === null || next === current) return null;
      const saved = { ...next, version: current.version + 1 };
      if (await this.#store.saveConversation(saved)) {
        this.#rows.set(destination, saved);
        return saved;
      }
      await this.#reload(destination, now);
    }
    return null;
  }

  async #reload(destination: Destination, now: number): Promise<void> {
    const row = (await this.#store.listConversations()).find((other) => other.destination === destination);
    if (row === undefined) this.#rows.delete(destination);
    else this.#rows.set(destination, takenOver(row, now));
  }

  /** Moves the times along with a clock that was set by `byMs`. Stores those that still decide something. */
  async clockSet(byMs: number, now: number): Promise<void> {
    const before = now - byMs;
    for (const row of this.all()) {
      const { destination, lastSentAt, firstWaiting, pending, failingSince } = row;
      const recent = lastSentAt !== null && lastSentAt > before - RECENT_MS;
      if (recent || firstWaiting !== null || pending !== null || failingSince !== null) {
        await this.update(destination, now, (current) => clockSet(current, byMs));
      } else {
        this.#rows.set(destination, clockSet(row, byMs));
      }
    }
  }
}
