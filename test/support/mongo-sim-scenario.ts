import type { Fate } from './mongo-sim.ts';
import type { SimRecord } from './mongo-sim-records.ts';

/** What may become of a write that goes wrong; what stands here twice comes twice as often. */
export const WRITE_FATES: readonly Fate[] = [
  'crash_before',
  'crash_after',
  'lost',
  'unanswered',
  'late',
  'late',
  'partly',
  'partly',
  'concern',
  'concern',
  'busy',
];

/** What may happen in a run, and how often. */
export interface Scenario {
  readonly seed: number;
  /** Records of each journal. */
  readonly journals: readonly (readonly SimRecord[])[];
  /** Percentage of operations that fail. */
  readonly faults: number;
  /** Ids of events that the database never takes. */
  readonly poison: readonly number[];
  /** Percentage of steps that are external: a resolve, a prune, a failover, … */
  readonly outside: number;
  /** Journals are copied, restored and moved. */
  readonly copies: boolean;
  /**
   * Copies may be whole machines that both go on as the same owner. Not beside refused events and moved data
   * dirs: two owners of one name that cut a batch differently are beyond what marks can tell apart.
   */
  readonly clones: boolean;
  /** Payloads are pruned, and keys of events that come once. */
  readonly prunes: boolean;
  /** A restart may bring another version of the program. */
  readonly upgrades: boolean;
  /** Journals end and give their slot to others. */
  readonly releases: boolean;
  /** Faults that look as if the database would never take an event. */
  readonly refusals: boolean;
  /** People merge and separate errors, and roll-ups run meanwhile. */
  readonly merges: boolean;
  /** A disk loses the last records of an open batch; their clients send them again. */
  readonly torn: boolean;
}

/** A scenario drawn from a seed: the same one for ever. */
export function scenarioOf(seed: number): Scenario {
  let state = (seed * 2_654_435_761) >>> 0;
  const draw = (below: number): number => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x297a2d39) >>> 0;
    state ^= state >>> 12;
    return (state >>> 0) % below;
  };
  const ids = 4 + draw(9);
  const journals = Array.from({ length: 1 + draw(3) }, () =>
    Array.from({ length: 2 + draw(7) }, (): SimRecord => ({ id: draw(ids), variant: draw(4) })),
  );
  const prunes = draw(3) === 0;
  const poison = draw(4) === 0 ? [draw(ids)] : [];
  const refusals = draw(3) === 0;
  return {
    seed,
    journals,
    faults: [0, 5, 10, 20, 35][draw(5)] ?? 0,
    outside: [0, 3, 10, 20, 40][draw(5)] ?? 0,
    poison,
    clones: seed % 2 === 1 && poison.length === 0 && !refusals,
    copies: draw(3) === 0,
    prunes,
    // A key that is pruned while its batch is open may be grouped differently later; the result is undefined then.
    upgrades: draw(2) === 0 && !prunes,
    releases: draw(3) === 0,
    refusals,
    merges: false,
    torn: false,
  };
}

/** Scenario with merges and separations of errors in between. */
export function mergeScenarioOf(seed: number): Scenario {
  const { outside, ...scenario } = scenarioOf(seed);
  return { ...scenario, outside: Math.max(outside, 10), merges: true };
}

/**
 * Scenario with a disk that loses records of open batches. Excludes copied journals: without the plan of a batch its
 * counts are unknown, and the journal takes another id. Excludes pruned keys, after which an event counts again.
 * Excludes other gateways, whose users and sessions may belong to the abandoned batch.
 */
export function tornScenarioOf(seed: number): Scenario {
  const { faults, journals, ...scenario } = scenarioOf(seed);
  const calm = { copies: false, clones: false, prunes: false };
  return { ...scenario, ...calm, journals: journals.slice(0, 1), faults: Math.max(faults, 10), torn: true };
}

/** Many faults, refusals and upgrades, and nothing that would hide what they do. */
export function harshScenarioOf(seed: number): Scenario {
  const calm = { copies: false, clones: false, prunes: false, releases: false, poison: [] };
  return { ...scenarioOf(seed), ...calm, faults: 35, outside: 20, refusals: true, upgrades: true };
}
