import { ACCESS_LEVELS } from '../domain/projects/account.ts';
import type { AlertChannel } from '../domain/alerts/alert-channel.ts';
import type { Conversation, Destination } from '../domain/alerts/alert-delivery.ts';
import type { AlertMessage } from '../domain/alerts/alert-message.ts';
import type { AlertStore } from '../domain/ports/stores/alert-store.ts';
import type { Audience, ProjectAudience } from './routing/audience.ts';
import type { ConversationBook } from './sending/conversation-book.ts';
import type { AlertLinks } from './messages/links.ts';
import { messageIdOf } from './sending/message-id.ts';
import { idOf, isChannel } from './sending/message-target.ts';
import { withMessage } from './sending/pace.ts';
import { emptyPart } from './messages/test-message.ts';
import { mayGetNote } from './note-time.ts';

/** Milliseconds of failing attempts after which maintainers hear of a channel. */
const TROUBLE_MS = 15 * 60_000;
/** Maximum characters of the receiver's words in a message. */
const MAX_QUOTED = 200;

export interface TroubleParts {
  readonly store: Pick<AlertStore, 'listChannels' | 'deliveryById'>;
  readonly book: ConversationBook;
  readonly audience: Audience;
  readonly links: AlertLinks;
  readonly now: number;
}

/**
 * Reports channels that have failed for a quarter of an hour, or that were switched off by their receiver, to the
 * maintainers of the project by mail, once per outage. The id of such a message is made from the outage, so that none
 * comes twice.
 */
export async function reportTrouble(parts: TroubleParts): Promise<void> {
  const failing = parts.book.all().filter(isUnreported);
  if (failing.length === 0) return;
  const channels = await parts.store.listChannels(null);
  for (const row of failing) {
    const channel = channels.find(({ id }) => id === idOf(row.destination));
    if (channel === undefined) await setUsers(row.destination, [], parts);
    else await reportOne(row, channel, parts);
  }
}

/** Returns true for a channel that fails, and that is not yet reported to all its maintainers. */
export function isUnreported({ destination, failingSince, troubleTo }: Conversation): boolean {
  return isChannel(destination) && failingSince !== null && troubleTo?.length !== 0;
}

async function reportOne(row: Conversation, channel: AlertChannel, parts: TroubleParts): Promise<void> {
  const { book, audience, now } = parts;
  const { destination, failingSince, troubleTo } = row;
  if (failingSince === null) return;
  if (channel.disabledReason === null && now - failingSince < TROUBLE_MS) return;
  const project = await audience.project(channel.projectId);
  if (project?.active !== true) {
    await setUsers(destination, [], parts);
    return;
  }
  const users = troubleTo ?? maintainersOf(project);
  if (troubleTo === null) await setUsers(destination, users, parts);
  for (const userId of users) {
    const message = messageOf(row, channel, project, userId, parts);
    if (await hand(message, userId, parts)) {
      const left = book.get(destination)?.troubleTo ?? [];
      const others = left.filter((id) => id !== userId);
      await setUsers(destination, others, parts);
    }
  }
}

async function setUsers(destination: Destination, troubleTo: readonly number[], { book, now }: TroubleParts) {
  // The outage may be over by now.
  await book.update(destination, now, (current) => (current.failingSince === null ? null : { ...current, troubleTo }));
}

function maintainersOf({ listeners }: ProjectAudience): number[] {
  return listeners
    .filter(
      ({ accessLevel, user, mail }) => accessLevel >= ACCESS_LEVELS.maintainer && user.email !== null && mail !== 'off',
    )
    .map(({ user }) => user.id);
}

/** Puts the message on its way when the person may get one now. True: it is on its way, or was before. */
async function hand(message: AlertMessage, userId: number, { book, store, audience, now }: TroubleParts) {
  const destination: Destination = `user:${userId}`;
  const person = await audience.person(userId);
  if (person === null || person.user.email === null) return true;
  if (book.get(destination)?.pending?.message.id === message.id) return true;
  if ((await store.deliveryById(message.id)) !== null) return true;
  const updated = await book.update(destination, now, (current) =>
    mayGetNote(current, person, now) ? withMessage(current, message, now) : null,
  );
  return updated?.pending?.message.id === message.id;
}

function messageOf(
  { destination, failingSince, pending }: Conversation,
  channel: AlertChannel,
  { project }: ProjectAudience,
  userId: number,
  { links, now }: TroubleParts,
): AlertMessage {
  const since = `${new Date(failingSince ?? now).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const answer = pending?.lastAnswer ?? null;
  const why = channel.disabledReason ?? (answer === null ? '' : `Last answer: ${answer.slice(0, MAX_QUOTED)}`);
  return {
    id: messageIdOf(`trouble:${destination}:${failingSince}:${userId}`),
    kind: 'trouble',
    createdAt: now,
    since: failingSince ?? now,
    until: now,
    parts: [emptyPart(project, links.alerts(project))],
    note: `The channel "${channel.name}" of ${project.path} has taken no messages since ${since}. ${why}`.trim(),
  };
}
