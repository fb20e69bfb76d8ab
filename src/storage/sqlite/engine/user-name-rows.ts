import { LRUCache } from 'lru-cache';
import type { DigestedEvent } from '../../../domain/ingest/digest.ts';
import { hashOfName } from '../../../lib/user-hash.ts';
import type { SqliteDatabase } from './database.ts';
import { getMeta } from './meta.ts';
import { grownTo } from '../../../lib/grown-to.ts';
import { MAX_KNOWN_USER_NAMES, USER_NAME_DAY_STEP } from '../../limits.ts';
import { DAY_MS } from '../../../domain/durations.ts';

/** Maximum names of users per project. Further ones are not stored, and not found, until others are pruned. */
const MAX_NAMES = 200_000;
/** Days without an event after which a name is removed. */
const KEPT_DAYS = 90;

const PUT = `INSERT INTO user_names (project_id, name_hash, user_hash, day) VALUES (?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET day = excluded.day WHERE excluded.day > day + ${USER_NAME_DAY_STEP}`;

/** Names of the newest event of a user. */
interface KnownNames {
  readonly projectId: number;
  readonly names: readonly string[];
  readonly day: number;
}

/** Writes names of users, those of a user once a week. Lives as long as its connection. */
export class UserNames {
  /** Days of names that are stored, by user and names. */
  readonly #known = new LRUCache<string, number>(grownTo(MAX_KNOWN_USER_NAMES));
  /** The same by the user alone, which is cheaper to ask: most events have the names of the one before. */
  readonly #newest = new LRUCache<string, KnownNames>(grownTo(MAX_KNOWN_USER_NAMES));
  /** Names per project, at least as many as stored. */
  readonly #counts = new Map<number, number>();
  #salt: string | null = null;

  /** Adds the names of the users of new events. */
  add(db: SqliteDatabase, events: readonly DigestedEvent[]): void {
    for (const { projectId, userHash, userNames, receivedAt } of events) {
      if (userHash === null || userNames === undefined) continue;
      const day = Math.floor(receivedAt / DAY_MS);
      const newest = this.#newest.get(userHash);
      if (newest !== undefined && newest.projectId === projectId && isSame(newest, userNames, day)) continue;
      const key = `${projectId} ${userHash} ${userNames.join(' ')}`;
      let stored = this.#known.get(key) ?? -Infinity;
      if (day > stored + USER_NAME_DAY_STEP) {
        this.#put(db, projectId, userHash, userNames, day);
        stored = day;
        this.#known.set(key, day);
      }
      this.#newest.set(userHash, { projectId, names: userNames, day: stored });
    }
  }

  #put(db: SqliteDatabase, projectId: number, userHash: string, names: readonly string[], day: number): void {
    this.#salt ??= getMeta(db, 'user_salt');
    const count =
      this.#counts.get(projectId) ?? db.number('SELECT count(*) FROM user_names WHERE project_id = ?', projectId);
    this.#counts.set(projectId, count);
    if (this.#salt === null || count >= MAX_NAMES) return;
    const user = Buffer.from(userHash, 'hex');
    for (const name of names) {
      db.run(PUT, projectId, Buffer.from(hashOfName(this.#salt, projectId, name), 'hex'), user, day);
    }
    this.#counts.set(projectId, count + names.length);
  }

  /** Removes up to `limit` names that no event had for KEPT_DAYS; returns the number of removed ones. */
  prune(db: SqliteDatabase, now: number, limit: number): number {
    const removed = db.run(
      `DELETE FROM user_names WHERE (project_id, name_hash, user_hash) IN
        (SELECT project_id, name_hash, user_hash FROM user_names WHERE day < ? LIMIT ?)`,
      Math.floor(now / DAY_MS) - KEPT_DAYS,
      limit,
    );
    if (removed > 0) this.clear();
    return removed;
  }

  /** Forgets what is stored: after a transaction that failed, because its rows are gone. */
  clear(): void {
    this.#known.clear();
    this.#newest.clear();
    this.#counts.clear();
  }
}

function isSame(known: KnownNames, names: readonly string[], day: number): boolean {
  return (
    day <= known.day + USER_NAME_DAY_STEP &&
    names.length === known.names.length &&
    names.every((name, index) => name === known.names[index])
  );
}
