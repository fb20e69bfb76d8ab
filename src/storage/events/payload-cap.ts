import { createHash } from 'node:crypto';

/** A prune keeps 1/16 fewer payloads than the bound, so that one walk suffices for many further events. */
const SLACK_PART = 16;

export interface CapShares {
  /** Maximum stored payloads of an error; one with more is crowded. */
  readonly most: number;
  readonly newest: number;
  /** Payloads spread between the oldest and the newest ones. */
  readonly spread: number;
}

/**
 * Returns the number of payloads a crowded error keeps: the oldest one, the newest half, and a spread over the rest.
 */
export function capShares(cap: number): CapShares {
  const most = Math.max(cap, 2);
  const kept = most - Math.floor(most / SLACK_PART);
  const newest = Math.ceil(kept / 2);
  return { most, newest, spread: kept - newest - 1 };
}

/**
 * Returns the rank of an event in the spread, 48 bits. It depends on the id only, so the choice is the same everywhere
 * and changes little over time. `eventId`: 16 bytes.
 */
export function rankOf(eventId: Uint8Array): number {
  return createHash('sha1').update(eventId).digest().readUIntBE(0, 6);
}

/**
 * Finds the rank up to which a given number of events stay. Holds at most twice that number and 1,000 ranks in memory.
 */
export class LeastRanks {
  readonly #size: number;
  #ranks: number[] = [];
  seen = 0;

  constructor(size: number) {
    this.#size = size;
  }

  add(rank: number): void {
    this.seen += 1;
    this.#ranks.push(rank);
    if (this.#ranks.length >= 2 * this.#size + 1000) this.#cut();
  }

  /** Returns the greatest kept rank; infinite when all events stay. */
  limit(): number {
    if (this.seen <= this.#size) return Infinity;
    this.#cut();
    return this.#ranks.at(-1) ?? -1;
  }

  #cut(): void {
    this.#ranks = this.#ranks.sort((a, b) => a - b).slice(0, this.#size);
  }
}
