import type { LeastRanks } from '../../payload-cap.ts';

/** A walk over the payloads of a crowded error between its oldest and its newest ones: once to rank, once to remove. */
export interface CrowdedWalk {
  readonly errorId: number;
  /** The last payload that was looked at: when it happened, and its id. */
  after: readonly [number, number];
  readonly oldest: readonly [number, number];
  /** The first of the newest ones. */
  readonly end: readonly [number, number];
  readonly ranks: LeastRanks;
  /** Payloads of a greater rank go; null while ranks are gathered. */
  limit: number | null;
}

/** Where the walks of pruning go on; starting over is always right. */
export class PruneWalk {
  /** Event keys up to this id have gone, or go with their payload. */
  keysAfter = 0;
  /** Milliseconds since the epoch. */
  keysSince = 0;
  crowded: CrowdedWalk | null = null;
}
