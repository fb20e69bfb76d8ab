import type { Fault } from './fake-tracker/faults.ts';
import { faults } from './fake-tracker/faults.ts';

/** Numbers from 0 (inclusive) to 1 (exclusive), the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Faults that a client can see. */
const SEEN: readonly (() => Fault)[] = [
  faults.htmlLogin,
  faults.htmlAsJson,
  () => faults.status(500),
  () => faults.status(502),
  faults.reset,
  faults.half,
  faults.halfChunked,
  faults.brokenGzip,
  faults.noHttp,
  faults.pleaseRetry,
  () => faults.throttled(1),
  () => faults.status(400, '{"detail":"none"}', { 'content-type': 'application/json' }),
  () => faults.late(15),
  // Longer than the client waits in these runs.
  faults.hang,
];

/** Lists that a lying tracker shows as empty; nothing tells a client that they are not. */
const LISTS = /\/(?:issues|keys|releases|notes|comments|user-reports|rules|alerts|members)\/(?:\?|$)/;

export interface RandomFaults {
  /** Fault of the next request; null: the tracker answers. */
  readonly next: (asked: string) => Fault | null;
  /** Faults so far that a client could see. */
  readonly seen: number;
  /** Lists so far that were shown as empty. */
  readonly lies: number;
}

/**
 * Makes the faults of one run. Most runs fail in few requests by chance; some fail in all requests for a while, longer
 * than the client repeats.
 */
export function randomFaults(random: () => number, lies: boolean): RandomFaults {
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
  const rate = pick([0.02, 0.1, 0.3]);
  const outage =
    random() < 0.3 ? { from: Math.floor(random() * 120), fault: pick([faults.reset, () => faults.status(503)]) } : null;
  // In some runs only one kind of fault comes: repeats of a request meet the same one.
  const only = random() < 0.4 ? pick(SEEN) : null;
  const made = { asked: 0, seen: 0, lies: 0 };
  return {
    next(asked) {
      made.asked += 1;
      const isAway = outage !== null && made.asked >= outage.from && made.asked < outage.from + 60;
      if (!isAway && random() >= rate) return null;
      if (!isAway && lies && LISTS.test(asked) && random() < 0.3) {
        made.lies += 1;
        return faults.json([]);
      }
      made.seen += 1;
      return isAway ? outage.fault() : (only ?? pick(SEEN))();
    },
    get seen() {
      return made.seen;
    },
    get lies() {
      return made.lies;
    },
  };
}
