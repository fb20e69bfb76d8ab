import { type Allowance, TokenBucket } from './token-bucket.ts';

/** What one key, project or the instance may still send of one kind. */
export interface LimitState {
  readonly tokens: TokenBucket;
  /** Envelopes that are still worth reading although their events are limited, because of what else is in them. */
  readonly patience: TokenBucket;
}

/** So many times the allowance may be refused in envelopes that were read; beyond, they are refused unread. */
const PATIENCE = 10;

/** States beyond this number are looked through for full ones, which are as good as new ones. */
const MANY = 10_000;
/** Milliseconds between two such looks. */
const LOOK_MS = 60_000;

/** The states of all keys, or of all projects. Only what may send gets one, so that floods of unknown keys leave nothing. */
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
