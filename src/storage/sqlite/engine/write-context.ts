import type { RecountLimiter } from '../../merge/recount-limiter.ts';
import type { PruneWalk } from './prune-walk.ts';
import type { UserNames } from './user-name-rows.ts';
import type { SqliteDatabase } from './database.ts';

/** Context of a write command: the connection inside an open transaction, and the time. */
export interface WriteContext {
  readonly db: SqliteDatabase;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly pruning: PruneWalk;
  readonly recounts: RecountLimiter;
  readonly userNames: UserNames;
}
