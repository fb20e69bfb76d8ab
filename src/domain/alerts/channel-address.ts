import type { ChannelType } from './alert-channel.ts';
import { emailProblem, hasControl } from '../names.ts';

/** Address of a channel as it is stored, and what is shown instead of it. */
export interface ChannelAddress {
  readonly url: string;
  /** Host and port; of `mail` the domains. At most 253 characters. */
  readonly host: string;
}

/** Maximum characters of a channel's address; addresses of Teams have up to 500. */
export const MAX_CHANNEL_URL = 2048;
/** Maximum mail addresses of one channel. */
export const MAX_MAIL_ADDRESSES = 20;

const MAX_HOST = 253;

/** Splits the address of a `mail` channel. */
export function mailAddresses(url: string): string[] {
  return url.split(/[\s,;]+/).filter((address) => address !== '');
}

function mailList(text: string): ChannelAddress | string {
  const unique = new Map(mailAddresses(text).map((address) => [address.toLowerCase(), address]));
  const addresses = [...unique.values()];
  if (addresses.length === 0) return 'enter at least one mail address';
  if (addresses.length > MAX_MAIL_ADDRESSES) return `enter at most ${MAX_MAIL_ADDRESSES} mail addresses`;
  // Addresses in other scripts need SMTPUTF8, which few servers have.
  const wrong = addresses.find((address) => emailProblem(address) !== null || !/^[\x21-\x7e]+$/.test(address));
  if (wrong !== undefined) return `${JSON.stringify(wrong)} is not a mail address`;
  const domains = new Set(addresses.map((address) => address.slice(address.lastIndexOf('@') + 1).toLowerCase()));
  const shown = [...domains].join(', ');
  return { url: addresses.join(','), host: shown.length <= MAX_HOST ? shown : `${domains.size} domains` };
}

/** Completes the address of Alertmanager that people have at hand: its page, or a route of either version. */
function alertmanagerUrl(url: URL): void {
  const base = url.pathname.replace(/\/+$/, '').replace(/\/api\/v[12](\/alerts)?$/, '');
  url.pathname = `${base}/api/v2/alerts`;
  url.search = '';
}

/** Makes Discord say whether it took the message, and in its own format. */
function discordUrl(url: URL): void {
  url.pathname = url.pathname.replace(/\/(slack|github)?\/*$/, '');
  url.searchParams.set('wait', 'true');
}

/**
 * Checks and completes what a person pasted as address of a channel. Returns the problem as a clause about the address
 * when it cannot be one. Does not ask the URL guard: the caller does, for every type but `mail`.
 */
export function readChannelAddress(type: ChannelType, text: string): ChannelAddress | string {
  const trimmed = text.trim();
  if (trimmed.length > MAX_CHANNEL_URL) return `it may have at most ${MAX_CHANNEL_URL} characters`;
  if (type === 'mail') return mailList(trimmed);
  if (hasControl(trimmed)) return 'it must not contain a line break or another control character';
  if (!/^https?:\/\//i.test(trimmed) || !URL.canParse(trimmed)) return 'enter an address that begins with https://';
  const url = new URL(trimmed);
  if (url.username !== '' || url.password !== '') return 'it must not contain a user name or password';
  if (url.host.length > MAX_HOST) return 'its host is too long';
  url.hash = '';
  if (type === 'teams' && /(^|\.)webhook\.office(365)?\.com$/.test(url.hostname)) {
    return 'connectors of Office 365 no longer work: make a workflow "Send webhook alerts to a channel" in Teams and enter its address';
  }
  if (type === 'alertmanager') alertmanagerUrl(url);
  if (type === 'discord') discordUrl(url);
  return { url: url.href, host: url.host };
}
