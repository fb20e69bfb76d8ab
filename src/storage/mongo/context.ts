import type { Connection } from 'mongoose';
import type { Models } from './models/define-models.ts';
import type { PageBounds } from './page-bounds.ts';

/** What reads and writes of the store are handed. */
export interface MongoContext {
  readonly connection: Connection;
  readonly models: Models;
  readonly pageBounds: PageBounds;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}
