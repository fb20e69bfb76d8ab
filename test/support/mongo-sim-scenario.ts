import type { SimResult } from './mongo-sim.ts';
import type { SimRecord } from './mongo-sim-records.ts';

/** Outcomes of a failing write; repeated entries are more frequent. */
export const WRITE_RESULTS: readonly SimResult[] = [
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

/** Events of a run and their frequency. */
export interface Scenario {
  readonly seed: number;
  /** Records of each journal. */
  readonly journals: readonly (readonly SimRecord[])[];
  /** Percentage of operations that fail. */
  readonly faults: number;
  /** Ids of events that the database always refuses. */
  readonly poison: readonly number[];
  /** Percentage of steps that are external: a resolve, a prune, a failover, … */
  readonly outside: number;
  /** Whether journals are copied, restored and moved. */
  readonly copies: boolean;
  /**
   * Whether whole machines are copied and both continue as the same owner.
   * Excludes refused events and moved data dirs: marks cannot distinguish such owners if they split a batch
   * differently.
   */
  readonly clones: boolean;
  /** Whether payloads are pruned, and keys of events that occur once. */
  readonly prunes: boolean;
  /** Whether a restart may change the program version. */
  readonly upgrades: boolean;
  /** Whether finished journals release their slot. */
  readonly releases: boolean;
  /** Whether temporary faults look like permanent refusals of an event. */
  readonly refusals: boolean;
  /** Whether errors are merged and separated, with roll-ups in between. */
  readonly merges: boolean;
  /** Whether a disk loses the last records of an open batch, which clients then send again. */
  readonly torn: boolean;
  /** Whether events have bodies in blocks, and retention removes, unpacks, packs and sweeps them. */
  readonly blocks: boolean;
  /** Whether aliases of imported errors come and go, with new bases and marks of events known to their tracker. */
  readonly imports: boolean;
  /** Whether gateways collect facts meanwhile, and errors are ignored until a time. Facts are checked in all scenarios. */
  readonly facts: boolean;
}

/** Draws a scenario from a seed; equal seeds give equal scenarios. */
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
    blocks: false,
    imports: false,
    facts: false,
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

/**
 * Scenario with one journal whose machine is copied again and again: copies claim the same number with other members.
 * Few faults, after which both would start over.
 */
export function cloneScenarioOf(seed: number): Scenario {
  const { faults, journals, ...scenario } = scenarioOf(seed);
  const calm = { poison: [], refusals: false, prunes: false, releases: false };
  const often = { copies: true, clones: true, outside: 40 };
  return { ...scenario, ...calm, ...often, journals: journals.slice(0, 1), faults: Math.min(faults, 10) };
}

/**
 * Scenario with bodies in blocks, and two processes that remove, unpack, pack and sweep them while hours pass or not.
 * A third have disks that lose records. Keys are not pruned: their events have no body to look for.
 * Excludes false refusals in copied journals, after which two owners may split a batch differently.
 */
export function blockScenarioOf(seed: number): Scenario {
  const scenario = seed % 3 === 0 ? tornScenarioOf(seed) : scenarioOf(seed);
  const outside = Math.max(scenario.outside, 20);
  const faults = Math.max(scenario.faults, 10);
  return {
    ...scenario,
    prunes: false,
    refusals: scenario.refusals && !scenario.copies,
    outside,
    faults,
    upgrades: scenario.upgrades || seed % 4 > 1,
    blocks: true,
  };
}

/** Ids of events of which all but the first may lose their payload. */
const SPARSE_IDS = [0, 1, 2, 4, 5, 7, 8, 10, 11, 13];

/** Scenario with bodies in blocks that retention often leaves less than half full; each event occurs once. */
export function sparseScenarioOf(seed: number): Scenario {
  const calm = { clones: false, copies: false, poison: [], refusals: false, releases: false, upgrades: false };
  const step = [1, 3, 1, 7, 9][seed % 5] ?? 1;
  const records = SPARSE_IDS.map((_, index): SimRecord => {
    const id = SPARSE_IDS[(index * step + seed) % SPARSE_IDS.length] ?? 0;
    return { id, variant: (seed >> 2) % 4 };
  });
  return { ...blockScenarioOf(seed), ...calm, torn: false, faults: 25, outside: 45, journals: [records] };
}

/** Scenario with bodies in blocks, a disk that loses records, and much that happens in between. */
export function harshBlockScenarioOf(seed: number): Scenario {
  return { ...tornScenarioOf(seed), poison: [], faults: 25, outside: 40, upgrades: true, blocks: true };
}

/**
 * Scenario with aliases that come and go between the runs of a batch. Keys are not pruned: the stored event says which
 * error counts it.
 */
export function importScenarioOf(seed: number): Scenario {
  const scenario = seed % 4 === 0 ? tornScenarioOf(seed) : scenarioOf(seed);
  const { outside, faults } = scenario;
  return {
    ...scenario,
    prunes: false,
    outside: Math.max(outside, 15),
    faults: Math.max(faults, 5),
    merges: seed % 5 === 1,
    imports: true,
  };
}

/**
 * Scenario with events that are mapped to original places, of several builds; a third with imported errors, and a fifth
 * with merges. Keys are not pruned: the stored event says whether it was mapped.
 */
export function mappedScenarioOf(seed: number): Scenario {
  const scenario = seed % 4 === 0 ? tornScenarioOf(seed) : scenarioOf(seed);
  const { outside, faults, journals } = scenario;
  return {
    ...scenario,
    journals: journals.map((records) => records.map((record) => ({ ...record, mayMap: true }))),
    prunes: false,
    upgrades: seed % 2 === 0,
    outside: Math.max(outside, 10),
    faults: Math.max(faults, 5),
    merges: seed % 5 === 1,
    imports: seed % 3 === 1,
  };
}

/** Scenario with gateways that collect facts while others write; a third of them with merges. */
export function factScenarioOf(seed: number): Scenario {
  const scenario = seed % 3 === 0 ? mergeScenarioOf(seed) : scenarioOf(seed);
  const { outside, faults } = scenario;
  return { ...scenario, outside: Math.max(outside, 25), faults: Math.max(faults, 5), facts: true };
}

/** Scenario with many faults, refusals and upgrades, and without operations that hide their effects. */
export function harshScenarioOf(seed: number): Scenario {
  const calm = { copies: false, clones: false, prunes: false, releases: false, poison: [] };
  return { ...scenarioOf(seed), ...calm, faults: 35, outside: 20, refusals: true, upgrades: true };
}
