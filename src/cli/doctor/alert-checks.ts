import type { Config } from '../../../config/schema.ts';
import { mailProblem } from '../../alerts/mail/check-mail.ts';
import { isLoopback, mailServer } from '../../alerts/mail/mail-server.ts';
import type { AlertChannel } from '../../domain/alerts/alert-channel.ts';
import type { Conversation } from '../../domain/alerts/alert-delivery.ts';
import { AppError } from '../../domain/app-error.ts';
import type { Store } from '../../domain/ports/stores/store.ts';
import { counted } from '../../lib/counted.ts';
import { openChannelSecrets } from '../../thirdparty/secrets/channel-secrets.ts';
import { createTokenCipher, type TokenCipher } from '../../thirdparty/secrets/encrypted-token.ts';
import { readKeyRing } from '../../thirdparty/secrets/key-ring.ts';
import { createUrlGuard, type UrlGuard } from '../../thirdparty/guard/url-guard.ts';
import { ageText, fail, type Finding, ok, warn } from './finding.ts';

/**
 * Checks that the mail server can be used: connects, greets and signs in, but sends nothing. Warns of links in mails
 * that lead to this machine, unless the mail server is on it too, as in a trial.
 */
export async function checkMail(config: Pick<Config, 'mail' | 'server'>, externalUrl: string): Promise<Finding> {
  const server = mailServer(config.mail, externalUrl);
  if (server === null) return ok('mail', 'not configured (ERRGATE_MAIL_URL): people get no alerts by mail');
  const problem = await mailProblem(server);
  const place = `${server.host}:${server.port}`;
  if (problem !== null) {
    return fail('mail', `${place}: ${problem}`, 'messages wait up to 16 hours; docs/configuration.md, "Mail"');
  }
  const isUnset = config.server.externalUrl === null && isLoopback(new URL(externalUrl).hostname);
  if (isUnset && !isLoopback(server.host)) {
    return warn(
      'mail',
      `links in mails begin with ${externalUrl}, which leads to the reader's own machine`,
      'set ERRGATE_EXTERNAL_URL to the address at which people reach errgate',
    );
  }
  return ok('mail', `${place} takes connections; the sender is ${server.from.address}`);
}

interface Examined {
  readonly cipher: TokenCipher;
  readonly guard: UrlGuard;
  readonly conversations: ReadonlyMap<string, Conversation>;
  readonly now: number;
}

/** Returns the problem of a channel; null: none. */
function channelProblem(channel: AlertChannel, { cipher, guard, conversations, now }: Examined): string | null {
  if (channel.disabledReason !== null) return `was switched off: ${channel.disabledReason}`;
  if (!channel.enabled) return null;
  try {
    const { url } = openChannelSecrets(cipher, channel);
    const refusal = channel.type === 'mail' ? null : guard.refusal(url);
    if (refusal !== null) return `its address is blocked: ${refusal.reason}`;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.message;
  }
  const { failingSince = null, pending = null } = conversations.get(`channel:${channel.id}`) ?? {};
  if (failingSince === null) return null;
  const answer = pending?.lastAnswer ?? null;
  return `takes no messages for ${ageText(now - failingSince)}${answer === null ? '' : `: ${answer}`}`;
}

/** Checks the channels without sending: secrets readable, address allowed, the last messages taken. */
export async function checkChannels(
  store: Store,
  config: Config,
  { dataDir, now }: { readonly dataDir: string; readonly now: number },
): Promise<Finding> {
  const channels = await store.listChannels(null);
  const conversations = await store.listConversations();
  const examined: Examined = {
    cipher: createTokenCipher(() => readKeyRing({ ...config, dataDir }), 'alert channel'),
    guard: createUrlGuard(config.outbound),
    conversations: new Map(conversations.map((row) => [row.destination, row])),
    now,
  };
  const paths = new Map((await store.listProjects()).map(({ id, path }) => [id, path]));
  const lines = channels.flatMap((channel) => {
    const problem = channelProblem(channel, examined);
    const project = paths.get(channel.projectId) ?? `project ${channel.projectId}`;
    return problem === null ? [] : [`${project}: ${channel.type} ${JSON.stringify(channel.name)} ${problem}`];
  });
  const failed = await store.failedDeliveries(null);
  if (failed > 0) lines.push(`${counted(failed, 'message')} could not be delivered in the last 30 days`);
  if (lines.length === 0)
    return ok('alert channels', channels.length === 0 ? 'none' : counted(channels.length, 'channel'));
  return warn(
    'alert channels',
    lines.join('\n'),
    'the Alerts page of the project tests a channel and sends messages again; `errgate alert test` does too',
  );
}
