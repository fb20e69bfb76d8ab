import type { Conversation, Destination } from '../../../domain/alert-delivery.ts';
import type { MongoContext } from '../context.ts';
import { isDuplicateKey } from '../mongo-errors.ts';
import { reading, writing } from '../operation-options.ts';
import { userById } from '../views/account-views.ts';
import type { ConversationDocument } from './alert-documents.ts';

export async function listConversations({ collections }: MongoContext): Promise<Conversation[]> {
  const rows = await collections.alertConversations.find({}, reading('conversations.list')).sort({ _id: 1 }).toArray();
  return rows.map(({ _id, ...conversation }: ConversationDocument) => ({ destination: _id, ...conversation }));
}

/** Creates a conversation only if its channel or user still exists. */
export async function saveConversation(context: MongoContext, conversation: Conversation): Promise<boolean> {
  const { destination, ...members } = conversation;
  const { alertConversations } = context.collections;
  const { version } = members;
  if (version > 1) {
    const filter = { _id: destination, version: version - 1 };
    const result = await alertConversations.replaceOne(filter, members, writing('conversations.update'));
    return result.matchedCount > 0;
  }
  if (!(await exists(context, destination))) return false;
  try {
    await alertConversations.insertOne({ _id: destination, ...members }, writing('conversations.insert'));
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
  // A removal that found no conversation yet has removed its channel before.
  if (await exists(context, destination)) return true;
  await removeConversation(context, destination);
  return false;
}

export async function removeConversation({ collections }: MongoContext, destination: Destination): Promise<void> {
  await collections.alertConversations.deleteOne({ _id: destination }, writing('conversations.remove'));
}

async function exists(context: MongoContext, destination: Destination): Promise<boolean> {
  const [kind, id] = destination.split(':');
  if (kind === 'user') return (await userById(context, Number(id))) !== null;
  const options = reading('alert_channels.by_id', { _id: 1 });
  return (await context.collections.alertChannels.findOne({ _id: Number(id) }, options)) !== null;
}
