import type { AlertChannel, ChannelSecrets } from '../../domain/alerts/alert-channel.ts';
import { unreadableToken, type TokenCipher } from './encrypted-token.ts';

/** Seals the secrets of a channel. The cipher is that of `alert channel`. */
export function sealChannelSecrets(cipher: TokenCipher, projectId: number, secrets: ChannelSecrets): string {
  return cipher.encrypt(JSON.stringify(secrets), projectId);
}

/** Opens the secrets of a channel. Throws `invalid_configuration` for a modified text or an unknown key. */
export function openChannelSecrets(
  cipher: TokenCipher,
  { sealed, projectId }: Pick<AlertChannel, 'sealed' | 'projectId'>,
): ChannelSecrets {
  const text = cipher.decrypt(sealed, projectId);
  try {
    return JSON.parse(text) as ChannelSecrets;
  } catch {
    throw unreadableToken('it has no known form', 'alert channel');
  }
}
