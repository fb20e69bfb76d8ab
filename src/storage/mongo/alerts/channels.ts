import { type AlertChannel, type ChannelPatch, type NewChannel } from '../../../domain/alert-channel.ts';
import { requireProject } from '../commands/project-commands.ts';
import type { MongoContext } from '../context.ts';
import { nextId } from '../next-id.ts';
import { reading, writing } from '../operation-options.ts';
import type { AlertChannelDocument } from './alert-documents.ts';
import { removeConversation } from './conversations.ts';
import { requireRoomForChannel } from '../../refusals.ts';

export async function createChannel(context: MongoContext, channel: NewChannel, now: number): Promise<AlertChannel> {
  const { collections } = context;
  const { projectId, type, name, host, sealed } = channel;
  await requireProject(context, projectId);
  const count = await collections.alertChannels.countDocuments({ projectId }, reading('alert_channels.count'));
  requireRoomForChannel(count);
  const _id = await nextId(collections, 'alert_channels');
  const row = { _id, projectId, type, name, host, sealed, enabled: true, disabledReason: null, createdAt: now };
  await collections.alertChannels.insertOne(row, writing('alert_channels.insert'));
  return toChannel(row);
}

export async function listChannels({ collections }: MongoContext, projectId: number | null): Promise<AlertChannel[]> {
  const rows = await collections.alertChannels
    .find(projectId === null ? {} : { projectId }, reading('alert_channels.list'))
    .sort({ _id: 1 })
    .toArray();
  return rows.map(toChannel);
}

export async function updateChannel(
  { collections }: MongoContext,
  projectId: number,
  channelId: number,
  patch: ChannelPatch,
): Promise<AlertChannel | null> {
  const filter = { _id: channelId, projectId };
  const { alertChannels } = collections;
  if (Object.keys(patch).length > 0) {
    await alertChannels.updateOne(filter, { $set: patch }, writing('alert_channels.update'));
  }
  const row = await alertChannels.findOne(filter, reading('alert_channels.by_id'));
  return row === null ? null : toChannel(row);
}

export async function removeChannel(context: MongoContext, projectId: number, channelId: number): Promise<boolean> {
  const filter = { _id: channelId, projectId };
  const { deletedCount } = await context.collections.alertChannels.deleteOne(filter, writing('alert_channels.remove'));
  // Also where a crash left it: no conversation begins without its channel.
  if (deletedCount > 0 || !(await hasChannel(context, channelId))) {
    await removeConversation(context, `channel:${channelId}`);
  }
  return deletedCount > 0;
}

export async function hasChannel({ collections }: MongoContext, channelId: number): Promise<boolean> {
  const options = reading('alert_channels.by_id', { _id: 1 });
  return (await collections.alertChannels.findOne({ _id: channelId }, options)) !== null;
}

export async function replaceSealedChannel(
  { collections }: MongoContext,
  channelId: number,
  from: string,
  to: string,
): Promise<boolean> {
  const filter = { _id: channelId, sealed: from };
  const update = { $set: { sealed: to } };
  const result = await collections.alertChannels.updateOne(filter, update, writing('alert_channels.replace_sealed'));
  return result.matchedCount > 0;
}

function toChannel({ _id, ...channel }: AlertChannelDocument): AlertChannel {
  return { id: _id, ...channel };
}
