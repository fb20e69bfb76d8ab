import { scopeName, type ReleaseDelta, type ReleaseScope } from '../../releases/fold-releases.ts';
import type { SqliteDatabase } from '../engine/database.ts';

/** Rows of releases touched by one batch; lives for the batch only. */
export class ReleaseRows {
  readonly #db: SqliteDatabase;
  readonly #ids = new Map<string, number>();

  constructor(db: SqliteDatabase) {
    this.#db = db;
  }

  /** Returns the id of the scope's row, created with zero counts when it is new; `write` sets its times. */
  idOf(scope: ReleaseScope): number {
    const name = scopeName(scope);
    let id = this.#ids.get(name);
    if (id === undefined) {
      const { projectId, environment, release } = scope;
      const row = this.#db.get(
        'SELECT id FROM releases WHERE project_id = ? AND environment = ? AND release = ?',
        projectId,
        environment,
        release,
      );
      id =
        row === undefined
          ? this.#db.insert(
              `INSERT INTO releases (project_id, environment, release, first_seen, last_seen)
                VALUES (?, ?, ?, ${Number.MAX_SAFE_INTEGER}, ${Number.MIN_SAFE_INTEGER})`,
              projectId,
              environment,
              release,
            )
          : (row.id as number);
      this.#ids.set(name, id);
    }
    return id;
  }

  /** Adds a batch's sums. */
  write(delta: ReleaseDelta): void {
    const id = this.idOf(delta);
    const { counts } = delta;
    this.#db.run(
      `UPDATE releases SET first_seen = min(first_seen, ?), last_seen = max(last_seen, ?), events = events + ?,
        sessions = sessions + ?, errored = errored + ?, crashed = crashed + ?, abnormal = abnormal + ?,
        unhandled = unhandled + ?, users = users + ?, crashed_users = crashed_users + ? WHERE id = ?`,
      delta.firstSeen,
      delta.lastSeen,
      delta.events,
      counts.sessions,
      counts.errored,
      counts.crashed,
      counts.abnormal,
      counts.unhandled,
      delta.users,
      delta.crashedUsers,
      id,
    );
    const upsert = this.#db.prepare(
      `INSERT INTO release_hours (release_id, hour, sessions, errored, crashed, abnormal, unhandled)
        VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET sessions = sessions + excluded.sessions,
        errored = errored + excluded.errored, crashed = crashed + excluded.crashed,
        abnormal = abnormal + excluded.abnormal, unhandled = unhandled + excluded.unhandled`,
    );
    for (const [hour, { sessions, errored, crashed, abnormal, unhandled }] of delta.hours) {
      upsert.run(id, hour, sessions, errored, crashed, abnormal, unhandled);
    }
  }
}
