import type { LeastRanks } from '../../payload-cap.ts';
import type { Binary } from '../documents.ts';

/** Documents that one call changes per kind at most: some hundred milliseconds. */
export const SLICE_ROWS = 2000;

/** When an event happened, and its key. */
export interface EventPlace {
  readonly at: number;
  readonly _id: Binary;
}

/** A walk over the payloads of a crowded error between its oldest and its newest ones: once to rank, once to remove. */
export interface CrowdedWalk {
  readonly error: { readonly _id: Binary; readonly p: number; readonly k: number };
  /** Stored payloads outside of the walk. */
  readonly outside: number;
  readonly oldest: EventPlace;
  /** The last payload that was looked at. */
  after: EventPlace;
  /** The first of the newest ones. */
  readonly end: EventPlace;
  readonly ranks: LeastRanks;
  /** Payloads of a greater rank go; null while ranks are gathered. */
  limit: number | null;
}

/** How far a process has come; what it forgets is only looked at again. */
export class PruneWalk {
  /** No payload to remove was received before this instant. */
  payloadsFrom = 0;
  payloadsSince = 0;
  /** Keys received before this instant have gone, or go with their payload. */
  keysFrom = 0;
  keysSince = 0;
  crowded: CrowdedWalk | null = null;
  /** Projects up to this id have no crowded error. */
  crowdedAfter = 0;
  crowdedDone = false;
  /** Reports up to this event's key have their event; null: none was looked at yet. */
  reportsAfter: Binary | null = null;
  reportsDone = false;

  /** At the end of a run: the next one looks at every project and every report again. */
  startOver(): void {
    this.crowdedAfter = 0;
    this.crowdedDone = false;
    this.reportsAfter = null;
    this.reportsDone = false;
  }
}
