import { conversationOfKept } from '../../alerts/kept-projects.ts';
import type { MongoContext } from '../context.ts';
import { writing } from '../operation-options.ts';
import { listChannels } from './channels.ts';
import { listConversations, removeConversation, saveConversation } from './conversations.ts';
import { sweepDeliveries } from './deliveries.ts';

/** Maximum attempts to change a conversation that a gateway changes at the same time. */
const ATTEMPTS = 5;

/**
 * Removes a slice of the alerts of a removed project, but for its facts; true when nothing is left. Conversations of its
 * channels end after the channels, without which none begins again.
 */
export async function sweepAlerts(context: MongoContext, projectId: number): Promise<boolean> {
  const { collections } = context;
  const channels = await listChannels(context, projectId);
  await collections.alertChannels.deleteMany({ projectId }, writing('alert_channels.sweep'));
  for (const { id } of channels) await removeConversation(context, `channel:${id}`);
  await collections.projectAlerts.deleteOne({ _id: projectId }, writing('project_alerts.sweep'));
  await collections.alertArms.deleteMany({ projectId }, writing('alert_arms.sweep'));
  await forgetInConversations(context, projectId);
  return sweepDeliveries(context, projectId);
}

async function forgetInConversations(context: MongoContext, projectId: number): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    let left = 0;
    for (const conversation of await listConversations(context)) {
      const changed = conversationOfKept(conversation, (id) => id !== projectId);
      if (changed !== null && !(await saveConversation(context, changed))) left += 1;
    }
    if (left === 0) return;
  }
}
