import type { LeastRanks } from '../../events/payload-cap.ts';
import { WaitingBodies } from '../../events/waiting-bodies.ts';
import type { Keyed } from '../batch/known/key-filters.ts';
import type { Binary } from '../documents/document-keys.ts';

/** Maximum documents changed per call and kind: some hundred milliseconds. */
export const SLICE_ROWS = 2000;

/** Time of an event, and its key. */
export interface EventPlace {
  readonly at: number;
  readonly _id: Binary;
}

/** Walk over the payloads of a crowded error between its oldest and its newest ones: once to rank, once to remove. */
export interface CrowdedWalk {
  readonly error: { readonly _id: Binary; readonly p: number; readonly k: number };
  /** Number of stored payloads outside the walk. */
  readonly outside: number;
  readonly oldest: EventPlace;
  /** Last payload read. */
  after: EventPlace;
  /** First of the newest payloads. */
  readonly end: EventPlace;
  readonly ranks: LeastRanks;
  /** Greatest kept rank; null while ranks are collected. */
  limit: number | null;
}

/** Walk over the events whose payloads stand by themselves. */
export class PackWalk {
  /** Time of receipt up to which events were read. */
  from = 0;
  /** True when all were read. */
  read = false;
  readonly waiting = new WaitingBodies<Binary>();
}

/** Positions of a process in its walks. Losing them only repeats reads. */
export class PruneWalk {
  /** Time of receipt before which no payload is left to remove. */
  payloadsFrom = 0;
  payloadsSince = 0;
  /** Time of receipt before which keys are removed, or will be with their payload. */
  keysFrom = 0;
  keysSince = 0;
  /** Null: the run has not begun to pack. */
  packing: PackWalk | null = null;
  /** Last block that was looked at; null: none was yet. */
  blocksAfter: { readonly t: number; readonly _id: Binary } | null = null;
  blocksSince = 0;
  crowded: CrowdedWalk | null = null;
  /** Blocks, by key as hex, of which the walk over crowded errors has removed events. */
  readonly shrunk = new Map<string, Keyed>();
  /** Those of them that were too young to be looked at, or whose batch was open, by key as hex. */
  readonly unsettled = new Map<string, Keyed & { readonly t: number }>();
  /** Id of a project up to which no error is crowded. */
  crowdedAfter = 0;
  crowdedDone = false;
  /** Key of an event up to which reports have their event; null: none was read yet. */
  reportsAfter: Binary | null = null;
  reportsDone = false;
  /** Time of the mark up to which marks of removed events are gone. */
  marksAfter = 0;

  /**
   * Resets the search for crowded errors at its end: the next one begins with the first project. It also looks at blocks
   * from before `settledBefore` (milliseconds) that were unsettled in this one.
   */
  endSearch(settledBefore: number): void {
    this.crowdedAfter = 0;
    this.crowdedDone = false;
    for (const [name, { _id, p, t }] of this.unsettled) {
      if (t >= settledBefore) continue;
      this.unsettled.delete(name);
      this.shrunk.set(name, { _id, p });
    }
  }

  /** Resets the other walks at the end of a run: the next one reads every report and every payload by itself again. */
  startOver(): void {
    this.packing = null;
    this.reportsAfter = null;
    this.reportsDone = false;
  }
}
