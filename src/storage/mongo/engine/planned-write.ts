import type { Binary } from '../documents/document-keys.ts';
import type { Doc } from './batch-collections.ts';

/** All changes of a batch to one document; the guard and the watermark are added when it is written. */
export interface PlannedWrite {
  readonly _id: Binary;
  readonly p: number;
  readonly update: Doc;
  /** False: the document is known to exist. */
  readonly upsert: boolean;
  /** Of an error: its newest event of each release in the batch, by the time that decides about reopening. */
  readonly releases?: readonly { readonly release: string; readonly at: number }[];
  /** Of an error: its newest event in the batch; absent in plans of earlier versions. */
  readonly newest?: NewestEvent;
}

/** What facts tell of an event. */
export interface NewestEvent {
  readonly at: number;
  /** Time that decides about reopening. */
  readonly occurred: number;
  readonly release: string | null;
  readonly environment: string | null;
}
