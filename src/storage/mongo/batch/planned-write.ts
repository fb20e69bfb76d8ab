import type { Binary } from '../documents.ts';
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
}
