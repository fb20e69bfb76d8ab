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
} from './address-rules.ts';
import { normalHost, parseAllowList } from './allow-list.ts';
import { BlockedError } from './blocked-error.ts';
import { formRefusal, isTooLong, TOO_LONG } from './url-form.ts';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

export interface UrlGuardOptions {
  /** Comma-separated hosts, host:port, IPs or CIDRs that are allowed although local. */
  readonly allow: string;
  /** True: allows only entries of the allow-list. Default: false. */
  readonly onlyAllowed?: boolean;
  /** Default: resolver of the system, including hosts files. */
  readonly resolve?: (hostname: string) => Promise<readonly ResolvedAddress[]>;
  /** Normalised addresses of this machine. Default: its interfaces, read at each check. */
  readonly ownAddresses?: () => ReadonlySet<string>;
}

export interface UrlGuard {
  /** Reason for refusing the address as written, without resolving it. Null: allowed. */
  refusal(address: string): BlockedError | null;
  /** Problem of an address to be saved, worded to follow `Api url `; null for none. */
  savedProblem(address: string): string | null;
  /**
   * Returns a resolver for one connection, which yields only checked addresses. The connection uses exactly those, so
   * later DNS changes have no effect. Fails with `BlockedError`.
   */
  lookupFor(url: URL): LookupFunction;
}

/** Allowed ports below 1024; an allow-list entry `host:port` allows others. */
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

/**
 * Creates the check of outgoing connections on behalf of users. Throws `invalid_configuration` for an invalid
 * allow-list.
 */
export function createUrlGuard(options: UrlGuardOptions): UrlGuard {
  const allowed = parseAllowList(options.allow);
  const onlyAllowed = options.onlyAllowed ?? false;
  const ownAddresses = options.ownAddresses ?? machineAddresses;
  const resolve = options.resolve ?? ((hostname: string) => systemLookup(hostname, { all: true, verbatim: true }));

  const refusalOfAddress = (address: IpAddress, port: number, nameAllowed: boolean): BlockedError | null => {
    const isMetadata = isMetadataAddress(address);
    if (!nameAllowed && !allowed.hasAddress(address, port)) {
      const reason = addressRefusal(address, ownAddresses());
      // Reports the most common reason; the remedy depends on all of them.
      if (reason !== null) return new BlockedError(reason, isMetadata ? 'metadata' : 'local');
      if (onlyAllowed) return new BlockedError(NOT_LISTED, isMetadata ? 'metadata' : 'unlisted');
    }
    return isMetadata ? new BlockedError(METADATA_REFUSED, 'metadata') : null;
  };

  const refusalOfName = (name: string, port: number): BlockedError | null => {
    if (isMetadataName(name)) return new BlockedError(METADATA_REFUSED, 'metadata');
    if (name !== 'localhost' && !name.endsWith('.localhost')) return null;
    // Allowing a loopback address allows its name too; the resolved address is checked anyway.
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

  /** Resolves the name and checks every address. */
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
