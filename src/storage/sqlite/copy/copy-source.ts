import type { Outcome } from '../../../domain/ingest/digest.ts';
import { AppError } from '../../../domain/app-error.ts';
import { systemClock } from '../../../domain/ports/clock.ts';
import type { CopyPart, CopyRows, CopySource } from '../../copy/copy-rows.ts';
import { eventIdsIn } from '../../events/event-body.ts';
import { eventsOfBlock } from '../blocks/block-rows.ts';
import { ALERT_PARTS } from './copy-alert-parts.ts';
import { FORWARD_PARTS } from './copy-forward-parts.ts';
import { IMPORT_PARTS, importedCounters, knownBeyondMarks } from './copy-import-parts.ts';
import { LINK_PARTS } from './copy-link-parts.ts';
import { RELEASE_PARTS, type CopyPartOf } from './copy-release-parts.ts';
import { stateMembers, TRIAGE_PARTS } from './copy-triage-parts.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import { plainFields } from '../errors/error-columns.ts';
import { snakeCase, tableName } from '../../records/kind.ts';
import { KINDS } from '../../records/kinds.ts';
import { RECORD_PARTS } from './copied-records.ts';
import { FileArea, fileAreaOf } from '../files/file-area.ts';
import { namedFiles } from '../files/named-files.ts';
import { openDatabase } from '../files/open-database.ts';
import { PROJECT_COLUMNS, toProject } from '../engine/rows.ts';

/** Rows per page. A payload has at most about a megabyte, usually one kilobyte. */
const PAGE = 1000;

/** Counters by table, with the names that MongoDB has for them. */
const COUNTERS: Readonly<Record<string, string>> = {
  projects: 'projects',
  errors: 'errors',
  own_notes: 'notes',
  import_sources: 'import_sources',
  alert_facts: 'alert_facts',
  discarded_groups: 'discarded_groups',
  linked_issues: 'linked_issues',
  saved_views: 'saved_views',
  ...Object.fromEntries(
    Object.values(KINDS)
      .filter(({ numbered }) => numbered)
      .map((kind) => [tableName(kind), snakeCase(kind.name)]),
  ),
};

const COUNTER_NAMES = Object.keys(COUNTERS)
  .map((name) => `'${name}'`)
  .join();

const hex = (value: unknown): string => Buffer.from(value as Uint8Array).toString('hex');
const text = (value: unknown): string | null => value as string | null;

/** Returns the values of a bounded tag, for the filters. */
function valuesOf(db: SqliteDatabase, errorId: number, key: string): string[] {
  return db
    .all('SELECT value FROM error_tags WHERE error_id = ? AND key = ?', errorId, key)
    .map((row) => row.value as string);
}

const PARTS: { readonly [P in CopyPart]: CopyPartOf<CopyRows[P]> } = {
  counters: {
    count: `SELECT count(*) FROM sqlite_sequence WHERE name IN (${COUNTER_NAMES})`,
    page: `SELECT name AS page_key, name, seq FROM sqlite_sequence
           WHERE name IN (${COUNTER_NAMES}) AND name > ? ORDER BY name`,
    first: '',
    toRow: (row) => ({ name: COUNTERS[row.name as string] ?? '', last: row.seq as number }),
  },
  projects: {
    count: 'SELECT count(*) FROM projects',
    page: `SELECT p.id AS page_key, ${PROJECT_COLUMNS},
        (SELECT count(*) FROM import_sources s WHERE s.project_id = p.id) AS sources,
        (SELECT max(known_until) FROM import_sources s WHERE s.project_id = p.id) AS known_until,
        EXISTS (SELECT 1 FROM group_aliases a WHERE a.project_id = p.id) AS aliases,
        EXISTS (SELECT 1 FROM known_events k WHERE k.project_id = p.id) AS marks
      FROM projects p WHERE p.id > ? ORDER BY p.id`,
    first: 0,
    toRow: (row) => ({
      ...toProject(row),
      imports: (row.sources as number) > 0,
      aliases: row.aliases === 1,
      knownUntil: row.known_until as number | null,
      marks: row.marks === 1,
    }),
  },
  redirects: {
    count: 'SELECT count(*) FROM project_redirects',
    page: 'SELECT path AS page_key, path, project_id FROM project_redirects WHERE path > ? ORDER BY path',
    first: '',
    toRow: (row) => ({ path: row.path as string, projectId: row.project_id as number }),
  },
  members: {
    count: 'SELECT count(*) FROM members',
    page: `SELECT printf('%020d/%020d', project_id, user_id) AS page_key, * FROM members
           WHERE printf('%020d/%020d', project_id, user_id) > ? ORDER BY project_id, user_id`,
    first: '',
    toRow: (row) => ({
      projectId: row.project_id as number,
      userId: row.user_id as number,
      accessLevel: row.access_level as number,
    }),
  },
  ...FORWARD_PARTS,
  errors: {
    count: 'SELECT count(*) FROM errors',
    page: 'SELECT id AS page_key, * FROM errors WHERE id > ? ORDER BY id',
    first: 0,
    toRow: (row, db) => ({
      ...plainFields(row),
      groupHash: hex(row.leaf),
      // The root's pointer to itself is omitted with its displayed row, which the target recomputes.
      mergedInto: row.merged_into === row.id ? null : (row.merged_into as number | null),
      first: { at: row.first_seen as number, eventId: hex(row.first_event), release: text(row.first_release) },
      last: { at: row.last_seen as number, eventId: hex(row.last_event), release: text(row.last_release) },
      environments: valuesOf(db, row.id as number, 'environment'),
      releases: valuesOf(db, row.id as number, 'release'),
      ...stateMembers(db, row),
      usersStep: row.users_step as number,
      knownBoth: knownBeyondMarks(db, row),
      imported: importedCounters(db, row),
    }),
  },
  errorUsers: {
    count: 'SELECT count(*) FROM error_users u JOIN errors e ON e.id = u.error_id',
    // The row's place in its order, as one comparable value.
    page: `SELECT printf('%020d', u.error_id) || hex(u.user_hash) AS page_key, e.project_id, e.leaf, u.user_hash
           FROM error_users u JOIN errors e ON e.id = u.error_id
           WHERE (u.error_id, u.user_hash) > (CAST(substr(?1, 1, 20) AS INTEGER), unhex(substr(?1, 21)))
           ORDER BY u.error_id, u.user_hash`,
    first: '0'.repeat(20),
    toRow: (row) => ({ projectId: row.project_id as number, groupHash: hex(row.leaf), userHash: hex(row.user_hash) }),
  },
  errorHours: {
    count:
      'SELECT count(*) FROM (SELECT DISTINCT h.error_id, h.hour / 24 FROM error_hours h JOIN errors e ON e.id = h.error_id)',
    page: `SELECT printf('%020d%020d', h.error_id, h.hour / 24) AS page_key, e.project_id, e.leaf, h.hour / 24 AS day,
             json_group_object(h.hour % 24, h.count) AS hours
           FROM error_hours h JOIN errors e ON e.id = h.error_id
           WHERE (h.error_id, h.hour / 24) > (CAST(substr(?1, 1, 20) AS INTEGER), CAST(substr(?1, 21) AS INTEGER))
           GROUP BY h.error_id, h.hour / 24 ORDER BY h.error_id, h.hour / 24`,
    first: '0'.repeat(40),
    toRow: (row) => ({
      projectId: row.project_id as number,
      groupHash: hex(row.leaf),
      day: row.day as number,
      hours: JSON.parse(row.hours as string) as Record<number, number>,
    }),
  },
  errorTags: {
    count: 'SELECT count(DISTINCT k.error_id) FROM error_tag_keys k JOIN errors e ON e.id = k.error_id',
    page: `SELECT e.id AS page_key, e.id, e.project_id, e.leaf FROM errors e
           WHERE e.id > ? AND EXISTS (SELECT 1 FROM error_tag_keys k WHERE k.error_id = e.id) ORDER BY e.id`,
    first: 0,
    toRow: (row, db) => {
      const values = db.all('SELECT key, value, count FROM error_tags WHERE error_id = ?', row.id as number);
      const keys = db.all('SELECT key, total FROM error_tag_keys WHERE error_id = ?', row.id as number);
      const tags = keys.map(({ key, total }) => ({
        key: key as string,
        total: total as number,
        values: values
          .filter((value) => value.key === key)
          .map(({ value, count }) => ({ value: value as string, count: count as number })),
      }));
      return { projectId: row.project_id as number, groupHash: hex(row.leaf), tags };
    },
  },
  outcomes: {
    count: 'SELECT count(*) FROM outcomes',
    page: `SELECT json_array(project_id, hour, key_id, category, outcome, reason) AS page_key, * FROM outcomes
           WHERE (project_id, hour, key_id, category, outcome, reason) >
             (json_extract(?1, '$[0]'), json_extract(?1, '$[1]'), json_extract(?1, '$[2]'),
              json_extract(?1, '$[3]'), json_extract(?1, '$[4]'), json_extract(?1, '$[5]'))
           ORDER BY project_id, hour, key_id, category, outcome, reason`,
    first: '[-1,-1,-1,"","",""]',
    toRow: (row) => ({
      projectId: row.project_id as number,
      hour: row.hour as number,
      keyId: row.key_id as number,
      category: row.category as string,
      outcome: row.outcome as Outcome,
      reason: row.reason as string,
      quantity: row.quantity as number,
    }),
  },
  ...RELEASE_PARTS,
  ...IMPORT_PARTS,
  ...TRIAGE_PARTS,
  ...ALERT_PARTS,
  ...LINK_PARTS,
  ...RECORD_PARTS,
  eventBlocks: {
    count: 'SELECT count(*) FROM event_blocks',
    page: `SELECT id AS page_key, id, project_id, first_id, last_id, bodies FROM event_blocks
      WHERE id > ? ORDER BY id`,
    first: 0,
    toRow: (row, db) => {
      const [id, projectId, bodies] = [row.id as number, row.project_id as number, row.bodies as Uint8Array];
      const found = eventIdsIn(bodies);
      const place = { id, projectId, firstId: row.first_id as number, lastId: row.last_id as number };
      return {
        id,
        projectId,
        eventIds: found ?? eventsOfBlock(db, place).map(({ eventId }) => eventId),
        bodies,
        damaged: found === null,
      };
    },
  },
  events: {
    count: 'SELECT count(*) FROM event_keys',
    page: `SELECT k.id AS page_key, k.project_id, k.event_id, k.received_at, v.at, v.payload, v.block_id, e.leaf,
             e.grouping_version, (SELECT r.leaf FROM known_events n JOIN errors r ON r.id = n.error_id WHERE v.id IS NULL
               AND n.project_id = k.project_id AND n.event_id = k.event_id) AS noted
           FROM event_keys k LEFT JOIN events v ON v.id = k.id LEFT JOIN errors e ON e.id = v.error_id
           WHERE k.id > ? ORDER BY k.id`,
    first: 0,
    toRow: (row) => ({
      projectId: row.project_id as number,
      eventId: hex(row.event_id),
      receivedAt: row.received_at as number,
      removedFrom: row.noted === null ? null : hex(row.noted),
      stored:
        row.payload === null || row.leaf === null
          ? null
          : {
              groupHash: hex(row.leaf),
              groupingVersion: row.grouping_version as number,
              at: row.at as number,
              payload: row.block_id === null ? (row.payload as Uint8Array) : (row.block_id as number),
            },
    }),
  },
};

/** Opens a store file to be copied. Throws `conflict` while data of a deleted project or error is still being removed. */
export async function openCopySource(file: string): Promise<CopySource> {
  const db = await openDatabase(file, 'reader', false);
  if (db.number('SELECT count(*) FROM removed_projects') > 0) {
    db.close();
    throw new AppError('conflict', 'a deleted project is still being removed; run `errgate prune` first');
  }
  if (db.number('SELECT count(*) FROM removed_errors') > 0) {
    db.close();
    throw new AppError('conflict', 'deleted errors are still being removed; run `errgate prune` first');
  }
  const files = new FileArea(fileAreaOf(file), systemClock);
  return {
    count: (part) => db.number(PARTS[part].count),
    *pages(part) {
      const rowsOf = PARTS[part];
      let cursor = rowsOf.first;
      for (;;) {
        const rows = db.all(`${rowsOf.page} LIMIT ${PAGE}`, cursor);
        if (rows.length === 0) return;
        cursor = rows.at(-1)?.page_key as typeof cursor;
        yield rows.map((row) => rowsOf.toRow(row, db));
      }
    },
    namedFiles: () => namedFiles(file),
    openFile: (name) => files.openFile(name),
    close: async () => {
      db.close();
    },
  };
}
