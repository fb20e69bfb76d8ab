import type { LeastRanks } from '../../events/payload-cap.ts';
import { WaitingBodies } from '../../events/waiting-bodies.ts';

/** Walk over the payloads of a crowded error between its oldest and its newest ones: once to rank, once to remove. */
export interface CrowdedWalk {
  readonly errorId: number;
  /** Last payload read: its time and its id. */
  after: readonly [number, number];
  readonly oldest: readonly [number, number];
  /** First of the newest payloads. */
  readonly end: readonly [number, number];
  readonly ranks: LeastRanks;
  /** Greatest kept rank; null while ranks are collected. */
  limit: number | null;
}

/** Positions of the pruning walks; restarting is always correct. */
export class PruneWalk {
  /** Id up to which old event keys are removed, or will be with their payload. */
  keysAfter = 0;
  /** Milliseconds since the epoch. */
  keysSince = 0;
  crowded: CrowdedWalk | null = null;
  /** Ids of blocks of which the walk over crowded errors has removed events, and others are left. */
  readonly shrunk = new Set<number>();
  /** Ids of blocks that have bodies of deleted errors, and of others. */
  readonly cleared = new Set<number>();
  /** Id of the event up to which bodies are packed into blocks, or wait for others. */
  packedTo = 0;
  readonly waiting = new WaitingBodies<number>();
}
