import { type Allowance, TokenBucket } from '../../../lib/token-bucket.ts';

/** Remaining allowance of one key, project or the instance, for one kind. */
export interface LimitState {
  readonly tokens: TokenBucket;
  /** Bounds envelopes that are read although their events are limited, for their other items. */
  readonly patience: TokenBucket;
}

/** Envelopes with refused events that are read, as a multiple of the allowance; further ones are refused unread. */
const PATIENCE = 10;

/** Number of states above which full ones are removed; a full state equals a new one. */
const MANY = 10_000;
/** Milliseconds between two removals. */
const LOOK_MS = 60_000;

/**
 * Limit states of all keys, or of all projects. Only valid keys get a state, so a flood of unknown ones leaves none.
 */
export class LimitTable {
  readonly #states = new Map<number, LimitState>();
  #lookAt = 0;

  /** Returns the state of a key or project. Starts full buckets when it is new or its allowance has changed. */
  stateOf(id: number, allowance: Allowance, now: number): LimitState {
    const known = this.#states.get(id);
    if (known !== undefined && isSame(known.tokens.allowance, allowance)) {
      return known;
    }
    this.#forgetFull(now);
    const { perMinute, burst } = allowance;
    const state: LimitState = {
      tokens: new TokenBucket(allowance, now),
      patience: new TokenBucket({ perMinute: PATIENCE * perMinute, burst: PATIENCE * burst }, now),
    };
    this.#states.set(id, state);
    return state;
  }

  #forgetFull(now: number): void {
    if (this.#states.size < MANY || Math.abs(now - this.#lookAt) < LOOK_MS) {
      return;
    }
    this.#lookAt = now;
    for (const [id, { tokens, patience }] of this.#states) {
      if (tokens.isFull(now) && patience.isFull(now)) {
        this.#states.delete(id);
      }
    }
  }
}

function isSame(a: Allowance, b: Allowance): boolean {
  return a.perMinute === b.perMinute && a.burst === b.burst;
}
