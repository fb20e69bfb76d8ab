import type { CopyRows } from '../../copy/copy-rows.ts';
import type { StoredError, StoredTime } from '../../errors/stored-error.ts';
import type { CopyPartOf } from './copy-release-parts.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import type { Row } from '../engine/driver.ts';
import { termsIn } from '../updates/term-rows.ts';
import { toDiscarded } from '../lists/discard-views.ts';
import { activityOf } from '../errors/activity-entries.ts';
import { storedMarks } from '../errors/error-columns.ts';

const hex = (value: unknown): string => Buffer.from(value as Uint8Array).toString('hex');
const text = (value: unknown): string | null => value as string | null;

type Part = 'ownNotes' | 'userNames' | 'discardedGroups' | 'discardedHashes';

/** Copy of people's notes, names of users, and groups whose events are dropped. */
export const TRIAGE_PARTS: { readonly [P in Part]: CopyPartOf<CopyRows[P]> } = {
  userNames: {
    count: 'SELECT count(*) FROM user_names',
    page: `SELECT printf('%020d', project_id) || hex(name_hash) || hex(user_hash) AS page_key, * FROM user_names
      WHERE (project_id, name_hash, user_hash) >
        (CAST(substr(?1, 1, 20) AS INTEGER), unhex(substr(?1, 21, 24)), unhex(substr(?1, 45)))
      ORDER BY project_id, name_hash, user_hash`,
    first: '0'.repeat(20),
    toRow: (row) => ({
      ...{ projectId: row.project_id as number, nameHash: hex(row.name_hash), userHash: hex(row.user_hash) },
      day: row.day as number,
    }),
  },
  discardedGroups: {
    count: 'SELECT count(*) FROM discarded_groups',
    page: 'SELECT id AS page_key, * FROM discarded_groups WHERE id > ? ORDER BY id',
    first: 0,
    toRow: (row) => ({ ...toDiscarded(row), projectId: row.project_id as number }),
  },
  discardedHashes: {
    count: 'SELECT count(*) FROM discarded_hashes',
    page: `SELECT hex(h.group_hash) AS page_key, h.*, g.project_id FROM discarded_hashes h
      JOIN discarded_groups g ON g.id = h.discarded_id WHERE h.group_hash > unhex(?) ORDER BY h.group_hash`,
    first: '',
    toRow: (row) => ({
      projectId: row.project_id as number,
      ...{ groupHash: hex(row.group_hash), discardedId: row.discarded_id as number },
    }),
  },
  ownNotes: {
    count: 'SELECT count(*) FROM own_notes n JOIN errors e ON e.id = n.error_id',
    page: `SELECT n.id AS page_key, n.*, e.project_id, e.leaf FROM own_notes n JOIN errors e ON e.id = n.error_id
      WHERE n.id > ? ORDER BY n.id`,
    first: 0,
    toRow: (row) => ({
      id: row.id as number,
      projectId: row.project_id as number,
      groupHash: Buffer.from(row.leaf as Uint8Array).toString('hex'),
      userId: row.user_id as number,
      at: row.at as number,
      text: row.text as string,
    }),
  },
};

/** Returns what an error's status waits for beside plain fields, what has happened, and its activity log. */
export function stateMembers(db: SqliteDatabase, row: Row) {
  const isRoot = row.merged_into === null || row.merged_into === row.id;
  const newestAt = row.newest_at as number;
  return {
    newest: newestAt === 0 ? null : { at: newestAt, release: text(row.newest_at_release) },
    passed: timeOf(row.passed_at as number | null, text(row.passed_release)),
    rootDetails: isRoot ? null : text(row.root_details),
    rootEvents: isRoot ? null : (row.root_events as number | null),
    rootUsers: isRoot ? null : (row.root_users as number | null),
    marks: storedMarks(row),
    terms: termsOf(db, row.id as number),
    activity: activityOf(db, row.id as number),
  } satisfies Partial<StoredError>;
}

function termsOf(db: SqliteDatabase, errorId: number): StoredError['terms'] {
  const row = db.get('SELECT files, functions FROM error_terms WHERE error_id = ?', errorId);
  return row === undefined
    ? null
    : { files: termsIn(row.files as string), functions: termsIn(row.functions as string) };
}

function timeOf(at: number | null, release: string | null): StoredTime | null {
  return at === null ? null : { at, release };
}
