import type { Delivery, DeliveryState, Destination, PendingMessage } from '../../../domain/alerts/alert-delivery.ts';
import type { AlertMessage } from '../../../domain/alerts/alert-message.ts';
import type { DeliveryQuery } from '../../../domain/ports/stores/alert-store.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import type { Row } from '../engine/driver.ts';
import { orNull } from '../engine/rows.ts';
import { accessLevel } from '../projects/roles.ts';
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

/**
 * Returns how many failed deliveries can be sent again: the channel is there, the person has a role in all its projects.
 */
export function failedDeliveries(db: SqliteDatabase, projectId: number | null): number {
  const rows =
    projectId === null
      ? db.all(
          `SELECT d.destination, d.projects, count(*) AS number FROM alert_deliveries d
            WHERE d.state = 'failed' AND d.message ->> '$.kind' <> 'test' GROUP BY d.destination, d.projects`,
        )
      : db.all(
          `SELECT d.destination, d.projects, count(*) AS number
            FROM alert_delivery_projects o JOIN alert_deliveries d ON d.id = o.delivery_id
            WHERE o.project_id = ? AND o.failed = 1 GROUP BY d.destination, d.projects`,
          projectId,
        );
  return rows.filter((row) => isSendable(db, row)).reduce((sum, row) => sum + (row.number as number), 0);
}

function isSendable(db: SqliteDatabase, { destination, projects }: Row): boolean {
  const [kind, id] = (destination as Destination).split(':');
  if (kind === 'channel') return db.get('SELECT 1 FROM alert_channels WHERE id = ?', Number(id)) !== undefined;
  const ids = JSON.parse(projects as string) as number[];
  return ids.length > 0 && ids.every((projectId) => accessLevel(db, projectId, Number(id)) !== null);
}
