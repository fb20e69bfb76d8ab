import type { NewFact } from '../../../domain/alerts/alert-fact.ts';
import type { ActivityEntry } from '../../../domain/errors/error-state.ts';
import type { Level } from '../../../domain/events/event.ts';
import { onlyEnvironment, statusFact, type FactOrigin, type FactSubject } from '../../alerts/facts.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import type { Row } from '../engine/driver.ts';
import type { WriteContext } from '../engine/write-context.ts';
import { setMark } from './mark-rows.ts';

type FactContext = Pick<WriteContext, 'db' | 'now'>;

const INSERT = `INSERT INTO alert_facts (id, kind, cause, project_id, error_id, at, type, title, message, culprit, level,
  release, environment, added_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`;

/** Adds a fact to the log of a project that exists, and sets its mark; false when its id is known. */
export function addFact({ db, now }: FactContext, fact: NewFact): boolean {
  const { id, kind, cause, projectId, errorId, at, type, title, message, culprit, level, release, environment } = fact;
  const added = db.run(
    INSERT,
    ...[id, kind, JSON.stringify(cause), projectId, errorId, at, type, title, message, culprit, level],
    ...[release, environment, now()],
  );
  if (added > 0) setMark(db, fact);
  return added > 0;
}

/** Adds the fact that belongs to an activity of an error. `row`: its status before it ended. */
export function addStatusFact(
  context: FactContext,
  id: number,
  { resolved_at: resolvedAt }: Row,
  end: ActivityEntry,
  origin?: FactOrigin,
): void {
  const { db } = context;
  const fact = statusFact(subjectOf(db, id), end, resolvedAt as number | null, origin ?? originOf(db, [id]));
  addFact(context, fact);
}

const SUBJECT = `SELECT e.project_id, lower(hex(e.leaf)) AS leaf, iif(g.id IS NULL, e.type, g.type) AS type,
  coalesce(g.title, e.title) AS title, iif(g.id IS NULL, e.message, g.message) AS message,
  iif(g.id IS NULL, e.culprit, g.culprit) AS culprit, coalesce(g.level, e.level) AS level
  FROM errors e LEFT JOIN error_groups g ON g.id = e.id WHERE e.id = ?`;

/** Returns what facts say of an error as it is shown. */
export function subjectOf(db: SqliteDatabase, id: number): FactSubject {
  const row = db.get(SUBJECT, id);
  if (row === undefined) {
    throw new Error('the error vanished within the transaction');
  }
  return {
    projectId: row.project_id as number,
    errorId: String(id),
    groupHash: row.leaf as string,
    type: row.type as string | null,
    title: row.title as string,
    message: row.message as string | null,
    culprit: row.culprit as string | null,
    level: row.level as Level,
  };
}

/** Returns what a fact without an event of its own says: the newest release, and the environment of all events. */
export function originOf(db: SqliteDatabase, members: readonly number[]): FactOrigin {
  const ids = JSON.stringify(members);
  const last = db.get(
    'SELECT last_release FROM errors WHERE id IN (SELECT value FROM json_each(?)) ORDER BY last_seen DESC LIMIT 1',
    ids,
  );
  const environments = db.all(
    `SELECT DISTINCT value FROM error_tags
      WHERE error_id IN (SELECT value FROM json_each(?)) AND key = 'environment' LIMIT 2`,
    ids,
  );
  return {
    release: (last?.last_release ?? null) as string | null,
    environment: onlyEnvironment(environments.map(({ value }) => value as string)),
  };
}
