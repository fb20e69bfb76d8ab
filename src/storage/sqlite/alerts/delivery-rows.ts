import type { Delivery } from '../../../domain/alerts/alert-delivery.ts';
import { deliveryWithoutRemovedProjects } from '../../alerts/kept-projects.ts';
import type { SqliteDatabase } from '../engine/database.ts';
import { projectById } from '../projects/project-views.ts';
import type { WriteContext } from '../engine/write-context.ts';

export function saveDelivery({ db }: WriteContext, delivery: Delivery): void {
  putDelivery(
    db,
    deliveryWithoutRemovedProjects(delivery, (projectId) => projectById(db, projectId) !== null),
    delivery.id,
  );
}

/** Replaces a delivery; null removes it. */
export function putDelivery(db: SqliteDatabase, delivery: Delivery | null, id: string): void {
  db.run('DELETE FROM alert_deliveries WHERE id = ?', id);
  if (delivery === null) return;
  const { destination, name, projectIds, facts, message, state, attempts, answer, at } = delivery;
  db.run(
    `INSERT INTO alert_deliveries (id, destination, name, projects, facts, message, state, attempts, answer, at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[id, destination, name, JSON.stringify(projectIds), JSON.stringify(facts), JSON.stringify(message)],
    ...[state, attempts, answer, at],
  );
  const insert = `INSERT INTO alert_delivery_projects (project_id, at, delivery_id, destination, failed, first_fact,
    last_fact) VALUES (?, ?, ?, ?, ?, ?, ?)`;
  for (const projectId of new Set(projectIds)) {
    const failed = state === 'failed' && message.kind !== 'test' ? 1 : 0;
    db.run(insert, projectId, at, id, destination, failed, facts[0]?.[0] ?? null, facts.at(-1)?.[1] ?? null);
  }
}
