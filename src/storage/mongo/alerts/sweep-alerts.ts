import { conversationWithoutRemovedProjects } from '../../alerts/kept-projects.ts';
import { ALERT_RECORDS } from '../../records/alert-records.ts';
import type { Records } from '../../records/records.ts';
import type { MongoContext } from '../engine/context.ts';
import { mongoRecords } from '../records/mongo-records.ts';
import { sweepDeliveries } from './deliveries.ts';

/** Maximum attempts to change a conversation that a gateway changes at the same time. */
const ATTEMPTS = 5;

/**
 * Removes a slice of what a removed project leaves in conversations and deliveries; true when nothing is left.
 * Conversations of its channels end after the channels, without which none begins again.
 */
export async function sweepAlerts(context: MongoContext, projectId: number): Promise<boolean> {
  const records = mongoRecords(context);
  for (const { id } of await ALERT_RECORDS.listChannels(records, projectId)) {
    await ALERT_RECORDS.removeChannel(records, projectId, id);
  }
  await forgetInConversations(records, projectId);
  return sweepDeliveries(context, projectId);
}

async function forgetInConversations(records: Records, projectId: number): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    let left = 0;
    for (const conversation of await ALERT_RECORDS.listConversations(records)) {
      const changed = conversationWithoutRemovedProjects(conversation, (id) => id !== projectId);
      if (changed !== null && !(await ALERT_RECORDS.saveConversation(records, changed))) left += 1;
    }
    if (left === 0) return;
  }
}
