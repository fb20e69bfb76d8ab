import { usersStep } from '../../../domain/alerts/alert-fact.ts';
import { passedStep, statusFact, usersFact, type FactSubject } from '../../alerts/facts.ts';
import { foldGroup, type GroupMember, type GroupSums } from '../../merge/group.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import type { Row } from '../engine/driver.ts';
import { STATUS_CODES } from '../../errors/error-status.ts';
import { MARK_COLUMNS, TEXT_COLUMNS, textsIn, textValues } from '../errors/error-columns.ts';
import { outdatedGroups } from '../errors/error-groups.ts';
import { statusEnd } from '../../state/status-end.ts';
import type { WriteContext } from '../engine/write-context.ts';
import { logActivity } from '../updates/activity-rows.ts';
import { addFact, originOf, subjectOf } from '../updates/fact-rows.ts';
import { marksOfMembers } from '../updates/mark-rows.ts';
import { queueRank } from '../updates/rank-queue.ts';
import { makeUnresolved, memberProgressOf, PROGRESS_COLUMNS, progressOf } from '../updates/status-rows.ts';

/** Updates every merged error; recounts distinct users of large ones less often. Returns the number of changed ones. */
export function rollUpMerged(context: WriteContext): number {
  const { db, now, recounts } = context;
  let changed = 0;
  for (const { root, events, users } of outdatedGroups(db)) {
    const recount = users && recounts.isDue(String(root), now());
    if (events || recount) {
      changed += Number(rollUp(context, root, recount));
    }
  }
  return changed;
}

/**
 * Recomputes the displayed row of a root from its members; removes it when the root has no members. Returns false when
 * nothing changed.
 */
export function rollUp(context: WriteContext, root: number, recount: boolean): boolean {
  const { db, now, recounts } = context;
  joinRoot(db, root);
  const sql = `SELECT *, lower(hex(first_event)) AS first_id, lower(hex(last_event)) AS last_id, ${PROGRESS_COLUMNS}
    FROM errors WHERE merged_into = ? OR id = ?`;
  const rows = db.all(sql, root, root);
  if (rows.length < 2) {
    db.run('UPDATE errors SET merged_into = NULL WHERE id = ?', root);
    queueRank(db, [root]);
    return db.run('DELETE FROM error_groups WHERE id = ?', root) > 0;
  }
  const sums = foldGroup(rows.map(toMember));
  const shown = db.get('SELECT user_count, member_users FROM error_groups WHERE id = ?', root);
  const users = { distinct: Number(shown?.user_count ?? 0), of: Number(shown?.member_users ?? -1) };
  if (recount) {
    const began = now();
    users.distinct = distinctUsers(db, rows);
    users.of = sums.memberUsers;
    recounts.counted(String(root), now() - began, now());
  }
  settle(context, root, rows, sums);
  write(db, root, sums, users);
  queueRank(db, [root]);
  if (recount) reachStep(context, root, rows, sums, users.distinct);
  return true;
}

/** `root_details` below a root without any. */
const NO_DETAILS = '{}';

/** Lets members that joined since the root's status was set count for its condition from now on. */
function joinRoot(db: SqliteDatabase, root: number): void {
  const row = db.get('SELECT status_details FROM errors WHERE id = ?', root);
  db.run(
    `UPDATE errors SET root_details = ?1, root_events = count - base_count,
      root_users = coalesce(own_users, user_count)
      WHERE merged_into = ?2 AND id <> ?2 AND root_details IS NOT ?1`,
    row?.status_details ?? NO_DETAILS,
    root,
  );
}

/** Ends the status of a merged error that events of its members end. */
function settle(context: WriteContext, root: number, rows: readonly Row[], sums: GroupSums): void {
  const { db } = context;
  const row = rows.find(({ id }) => id === root);
  if (row === undefined) return;
  const own = progressOf(row);
  const end = statusEnd({ ...own, ...sums.progress, newestReceived: sums.newestReceived });
  if (end === null) return;
  makeUnresolved(db, own.status === 'ignored' ? ignoredMembers(rows) : [root]);
  // Nothing counts for the ended status any more.
  joinRoot(db, root);
  logActivity(db, root, end);
  const fact = statusFact(shownSubject(db, root, sums), end, own.resolvedAt, originOf(db, sums.members));
  addFact(context, fact);
}

/**
 * Raises the step of affected users of a merged error, and silently those of its members. What a member had reached
 * before counts as known, so that merging and separating repeats no fact.
 */
function reachStep(context: WriteContext, root: number, rows: readonly Row[], sums: GroupSums, distinct: number): void {
  const { db } = context;
  const known = Math.max(...rows.map((row) => row.users_step as number));
  const step = passedStep(distinct, known);
  for (const row of rows) {
    const reached = row.id === root ? (step ?? known) : usersStep(ownUsers(row));
    if (reached > (row.users_step as number)) {
      db.run('UPDATE errors SET users_step = ? WHERE id = ?', reached, row.id as number);
    }
  }
  if (step === null) return;
  const fact = usersFact(shownSubject(db, root, sums), step, sums.last.at, originOf(db, sums.members));
  addFact(context, fact);
}

/** Returns what facts say of a merged error: the texts of the newest member, with the root's number. */
function shownSubject(db: SqliteDatabase, root: number, { last }: GroupSums): FactSubject {
  const { type, title, message, culprit, level } = last;
  return { ...subjectOf(db, root), type, title, message, culprit, level };
}

function ignoredMembers(rows: readonly Row[]): number[] {
  return rows.filter(({ status }) => status === STATUS_CODES.ignored).map(({ id }) => id as number);
}

const WRITTEN = [
  ...['count', 'user_count', 'member_users', 'members', 'first_seen', 'first_release', 'last_seen', 'last_release'],
  ...[...TEXT_COLUMNS, ...MARK_COLUMNS],
];

/** Writes the displayed row; its ranks stay until the job brings them up to date. */
const WRITE = `INSERT INTO error_groups (id, project_id, status, status_details, assignee_id, ${WRITTEN.join()})
  SELECT id, project_id, status, status_details, assignee_id, ${WRITTEN.map(() => '?').join()} FROM errors WHERE id = ?
  ON CONFLICT (id) DO UPDATE SET status = excluded.status, status_details = excluded.status_details,
    assignee_id = excluded.assignee_id, ${WRITTEN.map((column) => `${column} = excluded.${column}`).join()}`;

function write(db: SqliteDatabase, root: number, sums: GroupSums, users: { distinct: number; of: number }): void {
  const { first, last } = sums;
  const members = db.all(`SELECT ${MARK_COLUMNS.join()} FROM errors WHERE merged_into = ? OR id = ?`, root, root);
  db.run(
    WRITE,
    ...[sums.count, Math.max(users.distinct, sums.baseUsers ?? 0), users.of, JSON.stringify(sums.members)],
    ...[first.at, first.release, last.at, last.release],
    ...textValues(last, sums.searchText),
    ...marksOfMembers(members),
    root,
  );
  db.run('UPDATE errors SET merged_into = id WHERE id = ? AND merged_into IS NULL', root);
}

/**
 * Counts distinct users of all members. Takes the count of the member with most users as it is. Counts the users of the
 * others, each once, that this member does not have. So merging small errors into a large one is cheap.
 */
function distinctUsers(db: SqliteDatabase, rows: readonly Row[]): number {
  const [largest, ...others] = [...rows].sort((a, b) => ownUsers(b) - ownUsers(a));
  if (largest === undefined) {
    return 0;
  }
  const more = db.number(
    `SELECT count(DISTINCT u.user_hash) FROM error_users u WHERE u.error_id IN (SELECT value FROM json_each(?))
      AND NOT EXISTS (SELECT 1 FROM error_users k WHERE k.error_id = ? AND k.user_hash = u.user_hash)`,
    JSON.stringify(others.map(({ id }) => id)),
    largest.id as number,
  );
  return ownUsers(largest) + more;
}

function ownUsers(row: Row): number {
  return (row.own_users ?? row.user_count) as number;
}

function toMember(row: Row): GroupMember {
  return {
    id: row.id as number,
    count: row.count as number,
    userCount: ownUsers(row),
    baseUsers: row.base_users as number | null,
    newestReceived: row.newest_received as number,
    progress: memberProgressOf(row),
    first: {
      at: row.first_seen as number,
      eventId: row.first_id as string,
      release: row.first_release as string | null,
    },
    last: {
      at: row.last_seen as number,
      eventId: row.last_id as string,
      release: row.last_release as string | null,
      ...textsIn(row),
    },
    searchText: row.search_text as string,
  };
}
