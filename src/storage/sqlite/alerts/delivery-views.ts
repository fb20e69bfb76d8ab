import type { Delivery, DeliveryState, Destination, PendingMessage } from '../../../domain/alerts/alert-delivery.ts';
import type { AlertMessage } from '../../../domain/alerts/alert-message.ts';
import type { DeliveryQuery } from '../../../domain/ports/stores/alert-store.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import type { Row } from '../engine/driver.ts';
import { orNull } from '../engine/rows.ts';
import { MAX_DELIVERIES_AROUND } from '../../limits.ts';

export function toDelivery(row: Row): Delivery {
  return {
    id: row.id as string,
    destination: row.destination as Destination,
    name: row.name as string,
    projectIds: JSON.parse(row.projects as string) as number[],
    facts: JSON.parse(row.facts as string) as PendingMessage['facts'],
    message: JSON.parse(row.message as string) as AlertMessage,
    state: row.state as DeliveryState,
    attempts: row.attempts as number,
    answer: row.answer as string,
    at: row.at as number,
  };
}

export function deliveryById(db: SqliteDatabase, id: string): Delivery | null {
  return orNull(db.get('SELECT * FROM alert_deliveries WHERE id = ?', id), toDelivery);
}

export function listDeliveries(db: SqliteDatabase, query: DeliveryQuery): Delivery[] {
  const { projectId, destination, limit, after } = query;
  return db.snapshot(() => {
    const last = after === null ? undefined : placeOf(db, projectId, after);
    if (after !== null && last === undefined) return [];
    const rows = db.all(
      `SELECT d.* FROM alert_delivery_projects p JOIN alert_deliveries d ON d.id = p.delivery_id
        WHERE p.project_id = ?1 AND (?2 IS NULL OR p.destination = ?2)
          AND (?3 IS NULL OR (p.at, p.delivery_id) < (?3, ?4))
        ORDER BY p.at DESC, p.delivery_id DESC LIMIT ?5`,
      ...[projectId, destination, last ?? null, after, limit],
    );
    return rows.map(toDelivery);
  });
}

export function deliveriesAround(db: SqliteDatabase, projectId: number, seq: number): Delivery[] {
  return db
    .all(
      `SELECT d.* FROM alert_delivery_projects p JOIN alert_deliveries d ON d.id = p.delivery_id
        WHERE p.project_id = ?1 AND p.last_fact >= ?2 AND p.first_fact <= ?2
        ORDER BY p.at DESC, p.delivery_id DESC LIMIT ${MAX_DELIVERIES_AROUND}`,
      projectId,
      seq,
    )
    .map(toDelivery);
}

function placeOf(db: SqliteDatabase, projectId: number, id: string): number | undefined {
  const sql = 'SELECT at FROM alert_delivery_projects WHERE delivery_id = ? AND project_id = ?';
  return db.get(sql, id, projectId)?.at as number | undefined;
}

/** Condition of failed deliveries `d` that can be sent again: the channel is there, the person in all its projects. */
const SENDABLE = `CASE WHEN d.destination LIKE 'channel:%'
  THEN EXISTS (SELECT 1 FROM alert_channels c WHERE c.id = CAST(substr(d.destination, 9) AS INTEGER))
  ELSE d.projects <> '[]' AND NOT EXISTS (SELECT 1 FROM json_each(d.projects) needed WHERE NOT EXISTS (SELECT 1
    FROM members m WHERE m.user_id = CAST(substr(d.destination, 6) AS INTEGER) AND m.project_id = needed.value)) END`;

export function failedDeliveries(db: SqliteDatabase, projectId: number | null): number {
  return projectId === null
    ? db.number(
        `SELECT count(*) FROM alert_deliveries d
          WHERE d.state = 'failed' AND d.message ->> '$.kind' <> 'test' AND ${SENDABLE}`,
      )
    : db.number(
        `SELECT count(*) FROM alert_delivery_projects o JOIN alert_deliveries d ON d.id = o.delivery_id
          WHERE o.project_id = ? AND o.failed = 1 AND ${SENDABLE}`,
        projectId,
      );
}
