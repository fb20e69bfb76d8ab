import type { Connection } from 'mongoose';
import type { Collections } from './collections.ts';
import type { PageBounds } from './page-bounds.ts';

/** Context of reads and writes of the store. */
export interface MongoContext {
  readonly connection: Connection;
  readonly collections: Collections;
  readonly pageBounds: PageBounds;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}
