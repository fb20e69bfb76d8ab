import { systemClock, type Clock } from '../../domain/ports/clock.ts';
import { AppError } from '../../domain/app-error.ts';
import { RecountLimiter } from '../merge/recount-limiter.ts';
import {
  COMMANDS,
  type CommandArguments,
  type CommandName,
  type CommandResult,
  type WriteExecutor,
} from './command-table.ts';
import { PruneWalk } from './engine/prune-walk.ts';
import { UserNames } from './engine/user-name-rows.ts';
import type { SqliteDatabase } from './engine/database.ts';
import { toAppError } from './engine/sqlite-errors.ts';
import type { WriteContext } from './engine/write-context.ts';

/**
 * Runs commands on a connection of this thread. Waiting for another process's write blocks the thread, at most for the
 * busy timeout. Then the command fails with `store_unavailable`.
 */
export class LocalExecutor implements WriteExecutor {
  readonly #context: WriteContext;
  #closed = false;

  constructor(db: SqliteDatabase, clock: Clock = systemClock) {
    this.#context = {
      db,
      now: () => clock.now(),
      ...{ pruning: new PruneWalk(), recounts: new RecountLimiter(), userNames: new UserNames() },
    };
  }

  async run<N extends CommandName>(name: N, ...args: CommandArguments<N>): Promise<CommandResult<N>> {
    if (this.#closed) {
      throw new AppError('store_unavailable', 'the store is closed');
    }
    const command = COMMANDS[name] as unknown as (
      context: WriteContext,
      ...args: CommandArguments<N>
    ) => CommandResult<N>;
    try {
      return this.#context.db.transaction(() => command(this.#context, ...args));
    } catch (error) {
      this.#context.userNames.clear();
      throw toAppError(error);
    }
  }

  async close(): Promise<void> {
    if (!this.#closed) {
      this.#closed = true;
      try {
        this.#context.db.checkpoint();
      } catch {
        // All commits are in the log, which the next process finds there.
      }
      this.#context.db.close();
    }
  }
}
