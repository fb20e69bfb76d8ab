import { lookup as systemLookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import {
  addressRefusal,
  isMetadataAddress,
  isMetadataName,
  LOCALHOST_REFUSED,
  machineAddresses,
  METADATA_REFUSED,
  parseAddress,
  type IpAddress,
} from './guard/address-rules.ts';
import { normalHost, parseAllowList } from './guard/allow-list.ts';
import { BlockedError } from './guard/blocked-error.ts';
import { formRefusal, isTooLong, TOO_LONG } from './guard/url-form.ts';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

export interface UrlGuardOptions {
  /** Comma-separated hosts, host:port, IPs or CIDRs that are let through although they are local. */
  readonly allow: string;
  /** True: nothing but the allow-list is let through. Default: false. */
  readonly onlyAllowed?: boolean;
  /** Default: the system's resolver, so that hosts files count. */
  readonly resolve?: (hostname: string) => Promise<readonly ResolvedAddress[]>;
  /** Addresses of this machine, normalised. Default: those of its interfaces, read at each check. */
  readonly ownAddresses?: () => ReadonlySet<string>;
}

export interface UrlGuard {
  /** Why the address may not be asked, judged by what is written in it; nothing is resolved. Null: it may. */
  refusal(address: string): BlockedError | null;
  /** What is wrong with an address that someone wants to save, as said after `Api url `; null when nothing is. */
  savedProblem(address: string): string | null;
  /**
   * Resolves for one connection to this address: hands out only addresses that were checked, so that the
   * connection goes to exactly those and a name that changes meanwhile changes nothing. Fails with `BlockedError`.
   */
  lookupFor(url: URL): LookupFunction;
}

/** Ports below 1024 that serve web pages; an entry `host:port` of the allow-list lets another one through. */
const WEB_PORTS: readonly number[] = [80, 443];
const FIRST_USER_PORT = 1024;
const PORT_REFUSED = `Only allowed ports are ${WEB_PORTS.join(', ')}, and any over ${FIRST_USER_PORT}`;
const NOT_LISTED = 'Requests to hosts and IP addresses not on the Allow List are denied';

const unresolvable = (): BlockedError => new BlockedError('Host cannot be resolved or invalid', 'unresolvable');

const LOOPBACK = ['127.0.0.1', '::1'].map(parseAddress).filter((address) => address !== null);

function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

/** The check of where errgate connects to on behalf of people. Throws `invalid_configuration` for a bad allow-list. */
export function createUrlGuard(options: UrlGuardOptions): UrlGuard {
  const allowed = parseAllowList(options.allow);
  const onlyAllowed = options.onlyAllowed ?? false;
  const ownAddresses = options.ownAddresses ?? machineAddresses;
  const resolve = options.resolve ?? ((hostname: string) => systemLookup(hostname, { all: true, verbatim: true }));

  const refusalOfAddress = (address: IpAddress, port: number, nameAllowed: boolean): BlockedError | null => {
    const isMetadata = isMetadataAddress(address);
    if (!nameAllowed && !allowed.hasAddress(address, port)) {
      const reason = addressRefusal(address, ownAddresses());
      // The more common reasons come first in words; what helps depends on the last one, too.
      if (reason !== null) return new BlockedError(reason, isMetadata ? 'metadata' : 'local');
      if (onlyAllowed) return new BlockedError(NOT_LISTED, isMetadata ? 'metadata' : 'unlisted');
    }
    return isMetadata ? new BlockedError(METADATA_REFUSED, 'metadata') : null;
  };

  const refusalOfName = (name: string, port: number): BlockedError | null => {
    if (isMetadataName(name)) return new BlockedError(METADATA_REFUSED, 'metadata');
    if (name !== 'localhost' && !name.endsWith('.localhost')) return null;
    // Whoever allows the loopback address means its name too; what it resolves to is checked all the same.
    const isAllowed = allowed.hasName(name, port) || LOOPBACK.some((address) => allowed.hasAddress(address, port));
    return isAllowed ? null : new BlockedError(LOCALHOST_REFUSED, 'local');
  };

  const refusal = (address: string): BlockedError | null => {
    const wrongForm = formRefusal(address);
    if (wrongForm !== null) return new BlockedError(wrongForm, 'form');
    const url = new URL(address);
    const port = portOf(url);
    const host = normalHost(url.hostname);
    if (!WEB_PORTS.includes(port) && port < FIRST_USER_PORT && !allowed.namesPort(host, port)) {
      return new BlockedError(PORT_REFUSED, 'port');
    }
    const literal = parseAddress(host);
    return literal === null ? refusalOfName(host, port) : refusalOfAddress(literal, port, false);
  };

  /** All addresses of the name, every one of them checked. */
  const checkedAddresses = async (url: URL): Promise<ResolvedAddress[]> => {
    const written = refusal(url.href);
    if (written !== null) throw written;
    const port = portOf(url);
    const name = normalHost(url.hostname);
    const found = await resolve(url.hostname).catch(() => []);
    if (found.length === 0) throw unresolvable();
    const nameAllowed = allowed.hasName(name, port);
    for (const { address } of found) {
      const parsed = parseAddress(address);
      const refused = parsed === null ? unresolvable() : refusalOfAddress(parsed, port, nameAllowed);
      if (refused !== null) throw refused;
    }
    return [...found];
  };

  return {
    refusal,
    savedProblem: (address) => {
      if (address === '') return 'must be a valid URL';
      const refused = refusal(address);
      if (refused !== null) return `is blocked: ${refused.reason}`;
      return isTooLong(address) ? TOO_LONG : null;
    },
    lookupFor: (url) => (_hostname, lookupOptions, callback) => {
      checkedAddresses(url).then(
        (found) => {
          const family = lookupOptions.family;
          const fitting = family === 4 || family === 6 ? found.filter((one) => one.family === family) : found;
          const [first] = fitting;
          if (first === undefined) {
            callback(unresolvable(), '', 0);
          } else if (lookupOptions.all === true) {
            callback(null, fitting);
          } else {
            callback(null, first.address, first.family);
          }
        },
        (error: unknown) => {
          callback(error instanceof Error ? error : unresolvable(), '', 0);
        },
      );
    },
  };
}
