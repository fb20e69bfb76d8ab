import type { Conversation, Delivery } from '../../domain/alerts/alert-delivery.ts';
import type { AlertMessage } from '../../domain/alerts/alert-message.ts';

/** Tells whether a project still exists. */
type IsKept = (projectId: number) => boolean;

/** Returns the delivery without parts of removed projects; null when it had projects and none is left. */
export function deliveryWithoutRemovedProjects(delivery: Delivery, isKept: IsKept): Delivery | null {
  const projectIds = delivery.projectIds.filter(isKept);
  if (projectIds.length === delivery.projectIds.length) return delivery;
  return projectIds.length === 0 ? null : { ...delivery, projectIds, message: messageOfKept(delivery.message, isKept) };
}

/**
 * Returns the next version of a conversation whose message on its way has parts of removed projects: without them, and
 * without the message when none is left. Null when there is nothing to change.
 */
export function conversationWithoutRemovedProjects(conversation: Conversation, isKept: IsKept): Conversation | null {
  const { pending, version } = conversation;
  if (pending === null || pending.message.parts.every(({ project }) => isKept(project.id))) return null;
  const message = messageOfKept(pending.message, isKept);
  const left = message.parts.length === 0 ? null : { ...pending, message };
  return { ...conversation, version: version + 1, pending: left };
}

function messageOfKept(message: AlertMessage, isKept: IsKept): AlertMessage {
  return { ...message, parts: message.parts.filter(({ project }) => isKept(project.id)) };
}
