import { AppError } from '../../domain/app-error.ts';
import type { ChannelSecrets, ChannelType } from '../../domain/alerts/alert-channel.ts';
import type { AlertMessage } from '../../domain/alerts/alert-message.ts';
import type { OutboundPost } from '../../domain/ports/outbound-post.ts';
import { webhookHeaders } from '../../lib/standard-webhooks.ts';
import { messageWords } from '../words.ts';
import { alertmanagerBody } from './alertmanager.ts';
import type { ChatOptions } from './chat-options.ts';
import { discordBody } from './discord.ts';
import { gitlabBody } from './gitlab.ts';
import { mattermostBody } from './mattermost.ts';
import { slackBody } from './slack.ts';
import { teamsBody } from './teams.ts';
import { type PresentError, webhookBody } from './webhook.ts';

/** Every channel but mail. */
export type HttpChannelType = Exclude<ChannelType, 'mail'>;

export interface AttemptContext extends ChatOptions {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly presentError: PresentError;
}

function bodyOf(type: HttpChannelType, message: AlertMessage, context: AttemptContext): object {
  switch (type) {
    case 'webhook':
      return webhookBody(message, context.presentError);
    case 'slack':
      return slackBody(messageWords(message), context);
    case 'mattermost':
      return mattermostBody(messageWords(message), context);
    case 'teams':
      return teamsBody(messageWords(message), context);
    case 'discord':
      return discordBody(messageWords(message), message.until, context);
    case 'alertmanager':
      return alertmanagerBody(message, context.now);
    case 'gitlab':
      return gitlabBody(message, messageWords(message));
  }
}

function headersOf(
  type: HttpChannelType,
  { secret, previous }: ChannelSecrets,
  message: AlertMessage,
  body: string,
  now: number,
): Record<string, string> {
  if (type === 'webhook') {
    if (secret === null) throw new AppError('internal', 'a webhook channel has no signing secret');
    const secrets = previous === undefined || previous.until <= now ? [secret] : [secret, previous.secret];
    return webhookHeaders({ id: message.id, seconds: Math.floor(now / 1000), body }, secrets);
  }
  const takesToken = type === 'gitlab' || type === 'alertmanager';
  return takesToken && secret !== null ? { authorization: `Bearer ${secret}` } : {};
}

/** Gives a message the form of its channel, with address, headers and body of one attempt. */
export function channelRequest(
  type: HttpChannelType,
  secrets: ChannelSecrets,
  message: AlertMessage,
  context: AttemptContext,
): OutboundPost {
  const body = JSON.stringify(bodyOf(type, message, context));
  return { url: secrets.url, headers: headersOf(type, secrets, message, body, context.now), body };
}
