import { conversationWithoutRemovedProjects, deliveryWithoutRemovedProjects } from '../../alerts/kept-projects.ts';
import { alertConversations } from '../../records/kinds/alert-kinds.ts';
import { put, remove } from '../../records/writes.ts';
import { writeRecords } from '../records/record-statements.ts';
import { toRecord } from '../records/record-rows.ts';
import { deliveryById } from './delivery-views.ts';
import type { WriteContext } from '../engine/write-context.ts';
import { putDelivery } from './delivery-rows.ts';

/** Maximum deliveries that one slice of a removal looks at: each has a whole message. */
const SWEPT_DELIVERIES = 200;

/** Removes the conversations of a project's channels, before the channels themselves. */
export function removeChannelConversations({ db }: WriteContext, projectId: number): void {
  const channels = db.all('SELECT id FROM alert_channels WHERE project_id = ?', projectId);
  const conversations = channels.map(({ id }) =>
    remove(alertConversations, { destination: `channel:${id as number}` }),
  );
  writeRecords(db, conversations);
}

/** Removes up to about `limit` rows of a removed project's alerts; 0 when nothing is left. */
export function sweepAlerts(context: WriteContext, projectId: number, limit: number): number {
  const { db } = context;
  const isKept = (id: number) => id !== projectId;
  const pending = db.all(
    `SELECT * FROM alert_conversations WHERE pending IS NOT NULL AND EXISTS
      (SELECT 1 FROM json_each(pending, '$.message.parts') p WHERE p.value ->> '$.project.id' = ?)`,
    projectId,
  );
  for (const row of pending) {
    const changed = conversationWithoutRemovedProjects(toRecord(alertConversations, row), isKept);
    if (changed !== null) writeRecords(db, [put(alertConversations, changed)]);
  }
  const found = db.all(
    'SELECT delivery_id FROM alert_delivery_projects WHERE project_id = ? LIMIT ?',
    projectId,
    SWEPT_DELIVERIES,
  );
  for (const { delivery_id: id } of found) {
    const delivery = deliveryById(db, id as string);
    putDelivery(db, delivery === null ? null : deliveryWithoutRemovedProjects(delivery, isKept), id as string);
  }
  const facts = db.run(
    'DELETE FROM alert_facts WHERE seq IN (SELECT seq FROM alert_facts WHERE project_id = ? LIMIT ?)',
    projectId,
    limit,
  );
  return found.length + facts;
}
