import type { AlertChannel, ChannelSecrets, ChannelType } from '../../domain/alerts/alert-channel.ts';
import type { Destination } from '../../domain/alerts/alert-delivery.ts';
import type { AlertMessage, ProjectPart } from '../../domain/alerts/alert-message.ts';
import type { Recipient } from '../../domain/ports/alert-sender.ts';
import type { Audience } from '../routing/audience.ts';

/** Opens the secrets of a channel. Throws AppError when the key is missing. */
export type OpenSecrets = (channel: AlertChannel) => ChannelSecrets;

/** Kind of a recipient, as metrics count it; `unknown`: of a channel that does not exist any more. */
export type TargetType = ChannelType | 'person' | 'unknown';

export interface Target {
  readonly name: string;
  readonly type: ChannelType | 'person';
  /** Receivers of the same host share its limit. */
  readonly host: string;
  readonly channel: AlertChannel | null;
  /** Throws AppError when secrets cannot be opened. */
  readonly recipient: () => Recipient;
  /** Parts that the recipient may still have. */
  readonly parts: readonly ProjectPart[];
}

/** `dropped`: why the message is not sent, as a sentence. `name`: of the recipient, as far as it is known. */
export type FoundTarget = Target | { readonly dropped: string; readonly name: string; readonly type: TargetType };

/** Host of all mail that errgate sends by its own server. */
const MAIL_HOST = 'mail';

/** Number of a destination: id of the channel or user. */
export function idOf(destination: Destination): number {
  return Number(destination.slice(destination.indexOf(':') + 1));
}

export function isChannel(destination: Destination): boolean {
  return destination.startsWith('channel:');
}

/** Returns where a message goes at present, or why nowhere. */
export function findTarget(
  destination: Destination,
  message: Pick<AlertMessage, 'parts' | 'kind'>,
  audience: Audience,
  open: OpenSecrets,
): Promise<FoundTarget> {
  return isChannel(destination)
    ? findChannel(destination, message, audience, open)
    : findPerson(destination, message, audience);
}

async function findChannel(
  destination: Destination,
  { parts, kind }: Pick<AlertMessage, 'parts' | 'kind'>,
  audience: Audience,
  open: OpenSecrets,
): Promise<FoundTarget> {
  const project = await audience.project(parts[0]?.project.id ?? 0);
  const absent = { name: destination, type: 'unknown' } as const;
  if (project === null) return { dropped: 'The project was deleted before the message was sent.', ...absent };
  const channel = project.channels.find(({ id }) => id === idOf(destination));
  if (channel === undefined) return { dropped: 'The channel was deleted before the message was sent.', ...absent };
  const { name, type } = channel;
  const isTest = kind === 'test';
  if (!project.active && !isTest) {
    return { dropped: 'Error tracking was switched off before the message was sent.', name, type };
  }
  if (!channel.enabled && !isTest) {
    return { dropped: 'The channel was switched off before the message was sent.', name, type };
  }
  return {
    name,
    type,
    host: type === 'mail' ? MAIL_HOST : channel.host,
    channel,
    recipient: () => ({ kind: 'channel', type, name, secrets: open(channel) }),
    parts,
  };
}

async function findPerson(
  destination: Destination,
  { parts, kind }: Pick<AlertMessage, 'parts' | 'kind'>,
  audience: Audience,
): Promise<FoundTarget> {
  const person = await audience.person(idOf(destination));
  const type = 'person';
  if (person === null) {
    return { dropped: 'The person was removed before the message was sent.', name: destination, type };
  }
  const { user } = person;
  const { name, email } = user;
  if (user.blocked) return { dropped: 'The person was blocked before the message was sent.', name, type };
  if (!audience.mail) return { dropped: 'Mail is not configured any more.', name, type };
  if (email === null) return { dropped: 'The person has no mail address any more.', name, type };
  const reasons: string[] = [];
  const left: ProjectPart[] = [];
  for (const part of parts) {
    const reason = await partRefusal(part, user.id, audience);
    if (reason === null) left.push(part);
    else reasons.push(reason);
  }
  if (left.length === 0 && (kind === 'facts' || kind === 'trouble')) return { dropped: reasons[0] ?? '', name, type };
  return {
    name,
    type,
    host: MAIL_HOST,
    channel: null,
    recipient: () => ({ kind: 'person', userId: user.id, name, email }),
    parts: left,
  };
}

async function partRefusal({ project }: ProjectPart, userId: number, audience: Audience): Promise<string | null> {
  const present = await audience.project(project.id);
  if (present === null) return 'The project was deleted before the message was sent.';
  if (!present.active) return 'Error tracking was switched off before the message was sent.';
  const listener = present.listeners.find(({ user }) => user.id === userId);
  if (listener === undefined) return 'The person left the project before the message was sent.';
  return listener.mail === 'off' ? 'The person switched mail off before the message was sent.' : null;
}
