import { MAX_CHANNELS } from '../../domain/alerts/alert-channel.ts';
import type { Destination } from '../../domain/alerts/alert-delivery.ts';
import { channelsFull } from '../refusals.ts';
import type { StoreTable } from '../store-table.ts';
import { users } from './kinds/account-kinds.ts';
import { alertArms, alertChannels, alertConversations, alertPreferences, projectAlerts } from './kinds/alert-kinds.ts';
import { isProject, requiredProject, requiredUser } from './owners.ts';
import type { Records } from './records.ts';
import { absent, change, exists, fewer, insert, put, remove, required, type Check } from './writes.ts';

/** Returns the check that the channel or person of a conversation still exists. */
function hasRecipient(destination: Destination): Check {
  const id = Number(destination.slice(destination.indexOf(':') + 1));
  return destination.startsWith('channel:') ? exists(alertChannels, { id }) : exists(users, { id });
}

/** Methods of the port about channels, settings, conversations and thresholds of alerts. */
export const ALERT_RECORDS = {
  async createChannel(records, { projectId, type, name, host, sealed }, createdAt) {
    const row = { projectId, type, name, host, sealed, enabled: true, disabledReason: null, createdAt };
    const [channel] = await records.write(
      [insert(alertChannels, row)],
      [requiredProject(projectId), required(fewer(alertChannels, { projectId }, MAX_CHANNELS), channelsFull())],
    );
    if (channel === null) throw new Error('the store gave the number of a channel twice');
    return channel;
  },
  listChannels: (records, projectId) => records.list(alertChannels, projectId === null ? {} : { projectId }),
  async updateChannel(records, projectId, id, patch) {
    await records.write([change(alertChannels, { id }, patch, { projectId })]);
    const channel = await records.get(alertChannels, { id });
    return channel?.projectId === projectId ? channel : null;
  },
  async removeChannel(records, projectId, id) {
    const [removed] = await records.write([
      remove(alertChannels, { id }, { is: { projectId } }),
      // Also where a crash left it: no conversation begins without its channel.
      remove(alertConversations, { destination: `channel:${id}` }, { when: [absent(alertChannels, { id })] }),
    ]);
    return removed;
  },
  async replaceSealedChannel(records, id, before, sealed) {
    return (await records.write([change(alertChannels, { id }, { sealed }, { sealed: before })]))[0];
  },

  async projectAlerts(records, projectId) {
    const row = await records.get(projectAlerts, { projectId });
    if (row === null) return null;
    const { projectId: _project, ...alerts } = row;
    return alerts;
  },
  listProjectAlerts: (records) => records.list(projectAlerts, {}),
  async saveProjectAlerts(records, projectId, alerts) {
    await records.write([put(projectAlerts, { ...alerts, projectId })], [requiredProject(projectId)]);
  },
  async alertPreferences(records, userId) {
    const row = await records.get(alertPreferences, { userId });
    if (row === null) return null;
    const { userId: _user, ...preferences } = row;
    return preferences;
  },
  listAlertPreferences: (records) => records.list(alertPreferences, {}),
  async saveAlertPreferences(records, userId, preferences) {
    await records.write([put(alertPreferences, { ...preferences, userId })], [requiredUser(userId)]);
  },

  listConversations: (records) => records.list(alertConversations, {}),
  async saveConversation(records, conversation) {
    const { destination, ...members } = conversation;
    const before = { version: conversation.version - 1 };
    if (before.version > 0) {
      return (await records.write([change(alertConversations, { destination }, members, before)]))[0];
    }
    const first = insert(alertConversations, conversation, { when: [hasRecipient(destination)] });
    return (await records.write([first]))[0] !== null;
  },
  async removeConversation(records, destination) {
    await records.write([remove(alertConversations, { destination })]);
  },

  thresholdArms: (records, projectId) => records.list(alertArms, { projectId }),
  async saveThresholdArm(records, arm) {
    await records.write([put(alertArms, arm, { when: [isProject(arm.projectId)] })]);
  },
  async removeThresholdArm(records, { projectId, ruleId, errorId }) {
    await records.write([remove(alertArms, { projectId, ruleId, errorId })]);
  },
} as const satisfies StoreTable<Records>;
