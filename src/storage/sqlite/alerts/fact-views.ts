import type { AlertFact, FactKind } from '../../../domain/alerts/alert-fact.ts';
import type { FactCause } from '../../../domain/errors/fact-cause.ts';
import type { Level } from '../../../domain/events/event.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import type { Row } from '../engine/driver.ts';
import { groupOf } from '../errors/error-groups.ts';
import { MAX_FACTS_SHOWN } from '../../limits.ts';

export function toFact(row: Row): AlertFact {
  return {
    seq: row.seq as number,
    id: row.id as string,
    kind: row.kind as FactKind,
    cause: JSON.parse(row.cause as string) as FactCause,
    projectId: row.project_id as number,
    errorId: row.error_id as string,
    at: row.at as number,
    type: row.type as string | null,
    title: row.title as string,
    message: row.message as string | null,
    culprit: row.culprit as string | null,
    level: row.level as Level | null,
    release: row.release as string | null,
    environment: row.environment as string | null,
    silence: row.silence as string | null,
  };
}

export function listFacts(db: SqliteDatabase, after: number, limit: number): AlertFact[] {
  return db.all('SELECT * FROM alert_facts WHERE seq > ? ORDER BY seq LIMIT ?', after, limit).map(toFact);
}

/** An error that is not stored here is one of an external tracker. */
export function factsOfError(db: SqliteDatabase, projectId: number, errorId: string): AlertFact[] {
  return db.snapshot(() => {
    const ids = groupOf(db, projectId, errorId)?.members.map(String) ?? [errorId];
    const sql = `SELECT * FROM alert_facts WHERE project_id = ? AND error_id IN (SELECT value FROM json_each(?))
      ORDER BY seq DESC LIMIT ${MAX_FACTS_SHOWN}`;
    return db.all(sql, projectId, JSON.stringify(ids)).map(toFact);
  });
}

export function lastFact(db: SqliteDatabase): number {
  return db.number('SELECT max(seq) FROM alert_facts');
}
