import type { NewFact } from '../../../domain/alerts/alert-fact.ts';
import { BatchBodies } from '../../events/batch-bodies.ts';
import type { StoredAliasOrigin } from '../../../domain/imports/import.ts';
import type { DigestedEvent, EventBlock, GroupHash } from '../../../domain/ingest/digest.ts';
import { underKnownGroupHash, type KnownGroupHash } from '../../errors/former-group-hashes.ts';
import { STATUS_CODES } from '../../errors/error-status.ts';
import { hostOf, isBefore, type ErrorDelta, type LastOccurrence } from '../../fold.ts';
import { searchText } from '../../search/search-text.ts';
import { newErrorFact, passedStep, usersFact } from '../../alerts/facts.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import type { Row } from '../engine/driver.ts';
import type { WriteContext } from '../engine/write-context.ts';
import { ContinuationRows } from './continuation-rows.ts';
import { Discards } from './discard-rows.ts';
import { SET_TEXTS, TEXT_COLUMNS, textValues } from '../errors/error-columns.ts';
import { addFact, subjectOf } from '../updates/fact-rows.ts';
import { rulesOf, type KnownThereRules } from '../imports/known-events.ts';
import { queueRank } from '../updates/rank-queue.ts';
import { PROGRESS_COLUMNS, settleStatus } from '../updates/status-rows.ts';
import { addTerms } from '../updates/term-rows.ts';

const ADD_SUMS = `UPDATE errors SET count = count + ?1, stored = stored + ?1,
  user_count = CASE WHEN own_users IS NULL THEN user_count + ?2 ELSE max(coalesce(base_users, 0), own_users + ?2) END,
  own_users = own_users + ?2, newest_received = max(newest_received, ?3),
  newest_at_release = CASE WHEN ?4 > newest_at THEN ?5 ELSE newest_at_release END, newest_at = max(newest_at, ?4)
  WHERE id = ?6`;
const CREATE = `INSERT INTO errors (project_id, leaf, grouping_version, newest_received, first_seen, first_event,
  first_release, last_seen, last_event, last_release, ${TEXT_COLUMNS.join(', ')}, unhandled)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ${TEXT_COLUMNS.map(() => '?').join(', ')}, ?)`;
const SET_LAST = `UPDATE errors SET last_seen = ?, last_event = ?, last_release = ?, ${SET_TEXTS} WHERE id = ?`;
const READ_BACK = `SELECT first_seen, lower(hex(first_event)) AS first_event, last_seen,
  lower(hex(last_event)) AS last_event, users_step, ${PROGRESS_COLUMNS} FROM errors WHERE id = ?`;

/**
 * Error rows touched by one batch. Lives for the batch only, because a longer cache would have to handle roll-backs and
 * removed projects. A look-up per error and batch is cheap.
 */
export class ErrorRows {
  /** Number of events of removed projects and discarded groups. */
  refused = 0;
  readonly #context: Pick<WriteContext, 'db' | 'now'>;
  readonly #db: SqliteDatabase;
  readonly #ids = new Map<string, number>();
  /** Ids of created rows. */
  readonly #new = new Set<number>();
  /** Results for group hashes without an error; null: no alias either. */
  readonly #aliases = new Map<string, KnownGroupHash | null>();
  readonly #waiting: (() => void)[] = [];
  readonly #facts: NewFact[] = [];
  readonly #projects = new Map<number, KnownThereRules | null>();
  readonly #changed: number[] = [];
  readonly #bodies: BatchBodies;
  readonly #continuations: ContinuationRows;
  readonly #discards: Discards;

  constructor(context: Pick<WriteContext, 'db' | 'now'>, blocks: readonly EventBlock[] | undefined) {
    this.#context = context;
    this.#db = context.db;
    this.#bodies = new BatchBodies(blocks);
    this.#continuations = new ContinuationRows(context.db);
    this.#discards = new Discards(context.db, this.#continuations);
  }

  /** Number of rows created for unknown group hashes. */
  get created(): number {
    return this.#new.size;
  }

  hasProject(projectId: number): boolean {
    let found = this.#projects.get(projectId);
    if (found === undefined) {
      found = rulesOf(this.#db, projectId);
      this.#projects.set(projectId, found);
    }
    return found !== null;
  }

  /** Returns the projects of the batch whose tracker has some of its events. */
  importing(): (readonly [projectId: number, rules: KnownThereRules])[] {
    return [...this.#projects].flatMap(([projectId, rules]) =>
      rules !== null && (rules.waiting || rules.until !== null) ? [[projectId, rules] as const] : [],
    );
  }

  /**
   * Returns the event under the group hash of a stored error, where grouping rules have changed, an alias leads, or the
   * error is of events that came before their map.
   */
  adopted(event: DigestedEvent): DigestedEvent {
    const { projectId } = event;
    const { event: counted, alias } = underKnownGroupHash(event, {
      numberOf: (groupHash) => this.#find(groupHash),
      aliasOf: (groupHash) => this.#aliasOf(groupHash),
      continuedBy: (sent) => this.#continuations.mappedHashOf(projectId, sent),
    });
    if (alias !== null) {
      this.#continuations.keep({ projectId, groupHash: alias.continues, mappedHash: alias.groupHash });
      this.#keepAlias(alias, counted);
    }
    return counted;
  }

  /** Lets a group hash lead to the error that counts an event; an alias that a person ended stays so. */
  #keepAlias({ groupHash, groupingVersion }: GroupHash, counted: DigestedEvent): void {
    const added = this.#db.run(
      `INSERT INTO group_aliases (group_hash, project_id, error_id, grouping_version, origin, weak, created_at)
        VALUES (?, ?, ?, ?, ?, 0, ?) ON CONFLICT DO NOTHING`,
      ...[Buffer.from(groupHash, 'hex'), counted.projectId, this.idFor(counted), groupingVersion],
      ...['mapped' satisfies StoredAliasOrigin, this.#context.now()],
    );
    // The next event of the batch reads the alias.
    if (added > 0) this.#aliases.delete(groupHash);
  }

  /** True when the event, as `adopted` returned it, would begin an error of a discarded group. */
  isDiscarded(event: DigestedEvent): boolean {
    return this.#find(event.groupHash) === undefined && this.#discards.drops(event);
  }

  /** Returns the error that an unknown group hash leads to; reads once per group hash and batch. */
  #aliasOf(groupHash: string): KnownGroupHash | undefined {
    let alias = this.#aliases.get(groupHash);
    if (alias === undefined) {
      const row = this.#db.get(
        `SELECT e.id, lower(hex(e.leaf)) AS leaf, e.grouping_version FROM group_aliases a JOIN errors e
          ON e.id = a.error_id AND e.project_id = a.project_id WHERE a.group_hash = ? AND a.ended_at IS NULL`,
        Buffer.from(groupHash, 'hex'),
      );
      alias =
        row === undefined
          ? null
          : {
              groupHash: row.leaf as string,
              groupingVersion: row.grouping_version as number,
              number: row.id as number,
            };
      this.#aliases.set(groupHash, alias);
    }
    return alias ?? undefined;
  }

  /** Returns the id of the event's error, created with zero counts when it is new. */
  idFor(event: DigestedEvent): number {
    let id = this.#find(event.groupHash);
    if (id === undefined) {
      id = this.#create(Buffer.from(event.groupHash, 'hex'), event);
      this.#ids.set(event.groupHash, id);
      this.#new.add(id);
    }
    return id;
  }

  #find(groupHash: string): number | undefined {
    let id = this.#ids.get(groupHash);
    // An alias is looked up only for a group hash without an error.
    if (id === undefined && !this.#aliases.has(groupHash)) {
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
    const eventId = Buffer.from(event.eventId, 'hex');
    const terms = this.#bodies.termsOf(event);
    const occurrence = [event.at, eventId, event.release];
    const id = this.#db.insert(
      CREATE,
      ...[event.projectId, groupHash, event.groupingVersion, event.receivedAt],
      ...occurrence,
      ...occurrence,
      ...textValues(event, searchText({ ...event, host: hostOf(event) })),
      flagOf(terms?.unhandled ?? null),
    );
    if (terms !== null) addTerms(this.#db, id, terms);
    return id;
  }

  /** Adds a batch's sums. Own users beyond those of the tracker are shown. */
  add(id: number, delta: ErrorDelta): void {
    const { newest } = delta;
    this.#changed.push(id);
    this.#db
      .prepareForColumns(ADD_SUMS)
      .run(delta.count, delta.newUsers, delta.newestReceived, newest.at, newest.release, id);
    const row = this.#db.get(READ_BACK, id);
    if (row === undefined) {
      throw new Error('the error vanished within the transaction');
    }
    if (row.status !== STATUS_CODES.unresolved || row.root_details !== null) {
      this.#waiting.push(() => settleStatus(this.#context, id, row, delta));
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
    if (this.#new.has(id)) this.#facts.push(newErrorFact(String(id), delta.firstEvent));
    this.#reachStep(id, row, delta);
  }

  /** Raises the step of affected users. That of a merged error, and of its members, is left to the roll-up. */
  #reachStep(id: number, row: Row, { newestEvent }: ErrorDelta): void {
    const step = passedStep(row.shown_users as number, row.users_step as number);
    if (step === null || row.merged_into !== null) return;
    this.#db.run('UPDATE errors SET users_step = ? WHERE id = ?', step, id);
    this.#facts.push(usersFact(subjectOf(this.#db, id), step, newestEvent.at, newestEvent));
  }

  /**
   * Adds the facts of the batch, and ends the status of errors whose events end it, once the releases of the batch are
   * stored. Ranks are out of date. Facts in a row cost a fifth less than each beside its error.
   */
  settle(): void {
    for (const fact of this.#facts) addFact(this.#context, fact);
    for (const settle of this.#waiting) settle();
    queueRank(this.#db, this.#changed);
  }

  #setLast(id: number, last: LastOccurrence): void {
    this.#db
      .prepareForColumns(SET_LAST)
      .run(last.at, Buffer.from(last.eventId, 'hex'), last.release, ...textValues(last, searchText(last)), id);
  }
}

function flagOf(value: boolean | null): number | null {
  return value === null ? null : Number(value);
}
