import {
  PREVIOUS_SECRET_MS,
  type AlertChannel,
  type ChannelPatch,
  type ChannelSecrets,
  type ChannelType,
} from '../../domain/alerts/alert-channel.ts';
import { AppError } from '../../domain/app-error.ts';
import { readChannelAddress, type ChannelAddress } from '../../domain/alerts/channel-address.ts';
import type { AlertStore } from '../../domain/ports/stores/alert-store.ts';
import type { ChannelChange, ChannelSetup } from '../../domain/ports/channel-setup.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import { definedMembers } from '../../lib/defined-members.ts';
import { newWebhookSecret, parseWebhookSecret } from '../../lib/standard-webhooks.ts';
import { openChannelSecrets, sealChannelSecrets } from '../secrets/channel-secrets.ts';
import type { TokenCipher } from '../secrets/encrypted-token.ts';
import { blockCure } from '../guard/blocked-error.ts';
import type { UrlGuard } from '../guard/url-guard.ts';

export interface ChannelSetupDeps {
  readonly store: Pick<AlertStore, 'createChannel' | 'listChannels' | 'updateChannel'>;
  /** Cipher of `alert channel`. */
  readonly cipher: TokenCipher;
  readonly guard: Pick<UrlGuard, 'refusal'>;
  readonly clock: Clock;
}

const invalid = (message: string): AppError => new AppError('invalid_parameter', message);

/** Throws `invalid_parameter` for a secret that the type cannot use, or that it lacks. */
function assertSecret(type: ChannelType, secret: string | null): void {
  if (type === 'webhook') {
    if (secret === null || parseWebhookSecret(secret) === null) {
      throw invalid('secret is invalid: use whsec_ and 24 to 64 bytes in base64, or leave it out to get a new one');
    }
    return;
  }
  if (type !== 'gitlab' && type !== 'alertmanager') {
    if (secret !== null) throw invalid(`secret is not used by channels of the type ${type}: leave it out`);
    return;
  }
  if (secret === null && type === 'gitlab') {
    throw invalid('secret is missing: enter the authorization key of the alert endpoint');
  }
  if (secret !== null && !/^[\x21-\x7e]+$/.test(secret)) {
    throw invalid('secret is invalid: a bearer token has visible ASCII characters without spaces');
  }
}

/** Types whose secret is sent as it is, so that it belongs to the host that it was entered for. */
const SENDS_SECRET: ReadonlySet<ChannelType> = new Set(['gitlab', 'alertmanager']);

/** Throws `invalid_parameter` when the stored secret would be sent to another host than the one it was entered for. */
function assertSameHost(type: ChannelType, before: ChannelSecrets, url: string): void {
  if (before.secret === null || !SENDS_SECRET.has(type) || new URL(url).origin === new URL(before.url).origin) return;
  throw invalid('secret is missing: the stored one belongs to the host before, so enter the one of the new address');
}

/** Creates the set-up of channels. */
export function createChannelSetup({ store, cipher, guard, clock }: ChannelSetupDeps): ChannelSetup {
  const addressOf = (type: ChannelType, text: string): ChannelAddress => {
    const read = readChannelAddress(type, text);
    if (typeof read === 'string') throw invalid(`url is invalid: ${read}`);
    const refusal = type === 'mail' ? null : guard.refusal(read.url);
    if (refusal !== null) {
      throw invalid(`url is blocked: ${refusal.reason}; ${blockCure(refusal.kind, read.host, 'receiver')}`);
    }
    return read;
  };

  /** Returns the secrets after a change, and the signing secret if it is a new one of errgate. */
  const changedSecrets = (channel: AlertChannel, change: ChannelChange, url: string | undefined) => {
    const before = openChannelSecrets(cipher, channel);
    if (change.rotateSecret === true && channel.type !== 'webhook') {
      throw invalid('rotate_secret is for channels of the type webhook');
    }
    if (url !== undefined && change.secret === undefined) assertSameHost(channel.type, before, url);
    const made =
      change.rotateSecret === true || (channel.type === 'webhook' && change.secret === null)
        ? newWebhookSecret()
        : null;
    const secret = made ?? (change.secret === undefined ? before.secret : change.secret);
    assertSecret(channel.type, secret);
    const now = clock.now();
    const present = { url: url ?? before.url, secret };
    const rotated = channel.type === 'webhook' && before.secret !== null && secret !== before.secret;
    const previous = rotated ? { secret: before.secret, until: now + PREVIOUS_SECRET_MS } : before.previous;
    const secrets: ChannelSecrets =
      previous === undefined || previous.until <= now ? present : { ...present, previous };
    return { secrets, made };
  };

  return {
    async create(projectId, { type, name, url, secret }) {
      const address = addressOf(type, url);
      const made = type === 'webhook' && secret === null ? newWebhookSecret() : null;
      assertSecret(type, made ?? secret);
      const sealed = sealChannelSecrets(cipher, projectId, { url: address.url, secret: made ?? secret });
      const channel = await store.createChannel({ projectId, type, name, host: address.host, sealed }, clock.now());
      return { channel, secret: made };
    },

    async change(projectId, channelId, change) {
      const channel = (await store.listChannels(projectId)).find(({ id }) => id === channelId);
      if (channel === undefined) return null;
      const address = change.url === undefined ? undefined : addressOf(channel.type, change.url);
      const isSealedAnew = address !== undefined || change.secret !== undefined || change.rotateSecret === true;
      const { secrets, made } = isSealedAnew
        ? changedSecrets(channel, change, address?.url)
        : { secrets: null, made: null };
      const patch: ChannelPatch = definedMembers({
        name: change.name,
        host: address?.host,
        sealed: secrets === null ? undefined : sealChannelSecrets(cipher, projectId, secrets),
        enabled: change.enabled,
        disabledReason: change.enabled === undefined ? undefined : null,
      });
      const updated = await store.updateChannel(projectId, channelId, patch);
      return updated === null ? null : { channel: updated, secret: made };
    },
  };
}
