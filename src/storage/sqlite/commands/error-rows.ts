import type { DigestedEvent } from '../../../domain/digest.ts';
import { underKnownGroupHash } from '../../former-group-hashes.ts';
import { STATUS_CODES } from '../../error-status.ts';
import { isBefore, type ErrorDelta, type LastOccurrence } from '../../fold.ts';
import { searchText } from '../../search-text.ts';
import type { SqliteDatabase } from '../database.ts';

/**
 * Error rows touched by one batch. Lives for the batch only, because a longer cache would have to handle roll-backs and
 * removed projects. A look-up per error and batch is cheap.
 */
export class ErrorRows {
  /** Number of rows created for unknown group hashes. */
  created = 0;
  /** Number of events of removed projects. */
  refused = 0;
  readonly #db: SqliteDatabase;
  readonly #ids = new Map<string, number>();
  readonly #projects = new Map<number, boolean>();

  constructor(db: SqliteDatabase) {
    this.#db = db;
  }

  hasProject(projectId: number): boolean {
    let found = this.#projects.get(projectId);
    if (found === undefined) {
      found = this.#db.get('SELECT 1 FROM projects WHERE id = ?', projectId) !== undefined;
      this.#projects.set(projectId, found);
    }
    return found;
  }

  /** Returns the event under the group hash of a stored error, where grouping rules have changed since. */
  adopted(event: DigestedEvent): DigestedEvent {
    return underKnownGroupHash(event, (groupHash) => this.#find(groupHash) !== undefined);
  }

  /** Returns the id of the event's error, created with zero counts when it is new. */
  idFor(event: DigestedEvent): number {
    let id = this.#find(event.groupHash);
    if (id === undefined) {
      id = this.#create(Buffer.from(event.groupHash, 'hex'), event);
      this.#ids.set(event.groupHash, id);
    }
    return id;
  }

  #find(groupHash: string): number | undefined {
    let id = this.#ids.get(groupHash);
    if (id === undefined) {
      const row = this.#db.get('SELECT id FROM errors WHERE leaf = ?', Buffer.from(groupHash, 'hex'));
      if (row !== undefined) {
        id = row.id as number;
        this.#ids.set(groupHash, id);
      }
    }
    return id;
  }

  /** Returns the id of a group hash known from `idFor`. */
  idOf(groupHash: string): number {
    const id = this.#ids.get(groupHash);
    if (id === undefined) {
      throw new Error('the group hash is not part of this batch');
    }
    return id;
  }

  #create(groupHash: Buffer, event: DigestedEvent): number {
    this.created += 1;
    const eventId = Buffer.from(event.eventId, 'hex');
    return this.#db.insert(
      `INSERT INTO errors (project_id, leaf, grouping_version, newest_received, first_seen, first_event, first_release,
        last_seen, last_event, last_release, level, platform, type, title, culprit, message, search_text)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      event.projectId,
      groupHash,
      event.groupingVersion,
      event.receivedAt,
      event.at,
      eventId,
      event.release,
      event.at,
      eventId,
      event.release,
      event.level,
      event.platform,
      event.type,
      event.title,
      event.culprit,
      event.message,
      searchText(event),
    );
  }

  /** Adds a batch's sums. Reopens a resolved error with an event received after its resolution. */
  add(id: number, delta: ErrorDelta): void {
    this.#db.run(
      `UPDATE errors SET count = count + ?, user_count = user_count + ?, stored = stored + ?,
        newest_received = max(newest_received, ?),
        resolved_at = CASE WHEN status = ${STATUS_CODES.resolved} AND resolved_at < ? THEN NULL ELSE resolved_at END,
        status = CASE WHEN status = ${STATUS_CODES.resolved} AND resolved_at < ? THEN ${STATUS_CODES.unresolved}
          ELSE status END
        WHERE id = ?`,
      delta.count,
      delta.newUsers,
      delta.count,
      delta.newestReceived,
      delta.newestReceived,
      delta.newestReceived,
      id,
    );
    const row = this.#db.get(
      'SELECT first_seen, lower(hex(first_event)) AS first_event, last_seen, lower(hex(last_event)) AS last_event FROM errors WHERE id = ?',
      id,
    );
    if (row === undefined) {
      throw new Error('the error vanished within the transaction');
    }
    if (isBefore(delta.first, { at: row.first_seen as number, eventId: row.first_event as string })) {
      const { at, eventId, release } = delta.first;
      this.#db.run(
        'UPDATE errors SET first_seen = ?, first_event = ?, first_release = ? WHERE id = ?',
        at,
        Buffer.from(eventId, 'hex'),
        release,
        id,
      );
    }
    if (isBefore({ at: row.last_seen as number, eventId: row.last_event as string }, delta.last)) {
      this.#setLast(id, delta.last);
    }
  }

  #setLast(id: number, last: LastOccurrence): void {
    this.#db.run(
      `UPDATE errors SET last_seen = ?, last_event = ?, last_release = ?, level = ?, platform = ?, type = ?, title = ?,
        culprit = ?, message = ?, search_text = ? WHERE id = ?`,
      last.at,
      Buffer.from(last.eventId, 'hex'),
      last.release,
      last.level,
      last.platform,
      last.type,
      last.title,
      last.culprit,
      last.message,
      searchText(last),
      id,
    );
  }
}
