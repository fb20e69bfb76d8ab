import ipaddr from 'ipaddr.js';
import { AppError } from '../../domain/app-error.ts';
import { carriedAddresses, parseAddress, type IpAddress } from './address-rules.ts';

/** Local addresses that the operator allows. */
export interface AllowList {
  /** Matches by name; `port` is the destination port. Names are in lower case without a trailing dot. */
  hasName(name: string, port: number): boolean;
  hasAddress(address: IpAddress, port: number): boolean;
  /** Returns true when an entry for exactly this host names the port, which allows ports that are otherwise refused. */
  namesPort(host: string, port: number): boolean;
}

interface Entry {
  /** Normalised name or address; null for ranges. */
  readonly host: string | null;
  readonly range: readonly [IpAddress, number] | null;
  /** Allowed port; null: every port. */
  readonly port: number | null;
}

const HOST_NAME = /^[a-z0-9]([a-z0-9_-]*[a-z0-9])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9])?)*$/;

/** Normalises a host: lower case, no trailing dot, addresses in their longest form. */
export function normalHost(host: string): string {
  const bare = host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
  return parseAddress(bare)?.toNormalizedString() ?? bare;
}

function parseEntry(text: string): Entry | null {
  if (text.includes('/')) {
    return ipaddr.isValidCIDR(text) ? { host: null, range: ipaddr.parseCIDR(text), port: null } : null;
  }
  if (parseAddress(text) !== null) return { host: normalHost(text), range: null, port: null };
  const match = /^(?<host>\[[0-9a-f:.]+\]|[^:[\]]+)(?::(?<port>\d{1,5}))?$/i.exec(text);
  const host = normalHost(match?.groups?.host ?? '');
  const port = match?.groups?.port === undefined ? null : Number(match.groups.port);
  if (port !== null && (port < 1 || port > 65535)) return null;
  return parseAddress(host) !== null || HOST_NAME.test(host) ? { host, range: null, port } : null;
}

function inRange(address: IpAddress, range: readonly [IpAddress, number]): boolean {
  return address.kind() === range[0].kind() && address.match(range[0], range[1]);
}

/**
 * Parses a comma-separated list of hosts, `host:port`, IPs, `ip:port`, `[ipv6]:port` and CIDRs. Throws
 * `invalid_configuration` naming all invalid entries.
 */
export function parseAllowList(list: string): AllowList {
  const texts = list.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]));
  const wrong = texts.filter((text) => parseEntry(text) === null);
  if (wrong.length > 0) {
    throw new AppError(
      'invalid_configuration',
      `outbound.allow takes hosts, host:port, IPs and CIDRs, not: ${wrong.join(', ')}`,
    );
  }
  const entries = texts.map(parseEntry).filter((entry) => entry !== null);
  const fits = (entry: Entry, port: number): boolean => entry.port === null || entry.port === port;
  const hasHost = (host: string, port: number): boolean =>
    entries.some((entry) => entry.host === host && fits(entry, port));
  return {
    hasName: hasHost,
    hasAddress: (address, port) =>
      [address, ...carriedAddresses(address)].some(
        (form) =>
          hasHost(form.toNormalizedString(), port) ||
          entries.some((entry) => entry.range !== null && inRange(form, entry.range)),
      ),
    namesPort: (host, port) => entries.some((entry) => entry.host === host && entry.port === port),
  };
}
