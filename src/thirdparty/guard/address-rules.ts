import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

/** Metadata addresses, where clouds serve credentials to processes of a machine. */
const METADATA_ADDRESSES: ReadonlySet<string> = new Set(
  [
    '169.254.169.254',
    '169.254.170.2',
    '169.254.170.23',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    'fd00:ec2::254',
    'fd00:ec2::23',
    'fd20:ce::254',
  ].map((text) => ipaddr.process(text).toNormalizedString()),
);

const METADATA_NAMES: ReadonlySet<string> = new Set([
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'metadata.azure.internal',
  'instance-data',
  'instance-data.ec2.internal',
]);

const LOCALHOST: ReadonlySet<string> = new Set(['127.0.0.1', '0.0.0.0', '0:0:0:0:0:0:0:1', '0:0:0:0:0:0:0:0']);

export const METADATA_REFUSED = 'Requests to cloud metadata services are not allowed';
export const LOCALHOST_REFUSED = 'Requests to localhost are not allowed';
const LOCAL_NETWORK = 'Requests to the local network are not allowed';
const RESERVED = 'Requests to reserved addresses are not allowed';

/** Refusals by address range; any other range except `unicast` is reserved. */
const RANGE_REFUSED: Readonly<Record<string, string>> = {
  loopback: 'Requests to loopback addresses are not allowed',
  private: LOCAL_NETWORK,
  uniqueLocal: LOCAL_NETWORK,
  deprecatedSiteLocal: LOCAL_NETWORK,
  unspecified: LOCAL_NETWORK,
  linkLocal: 'Requests to the link local network are not allowed',
  carrierGradeNat: 'Requests to the shared address space are not allowed',
  broadcast: 'Requests to the limited broadcast address are not allowed',
};

/** Parses an address; null for an invalid one. Refuses a zone (`%eth0`). */
export function parseAddress(text: string): IpAddress | null {
  return ipaddr.isValid(text) && !text.includes('%') ? ipaddr.parse(text) : null;
}

function ipv4At(bytes: readonly number[], offset: number, mask = 0): ipaddr.IPv4 {
  return new ipaddr.IPv4(bytes.slice(offset, offset + 4).map((byte) => byte ^ mask));
}

/**
 * Embedded IPv4 destinations of an IPv6 address: mapped and translated forms and tunnels; Teredo has relay and client
 * (inverted). Empty for plain addresses.
 */
export function carriedAddresses(address: IpAddress): ipaddr.IPv4[] {
  if (address instanceof ipaddr.IPv4) return [];
  const bytes = address.toByteArray();
  switch (address.range()) {
    case 'ipv4Mapped':
    case 'rfc6145':
    case 'rfc6052':
      return [ipv4At(bytes, 12)];
    case '6to4':
      return [ipv4At(bytes, 2)];
    case 'teredo':
      return [ipv4At(bytes, 4), ipv4At(bytes, 12, 0xff)];
    default:
      // `::a.b.c.d` is the deprecated compatible form; `::` and `::1` are plain addresses.
      return bytes.slice(0, 12).every((byte) => byte === 0) && !LOCALHOST.has(address.toNormalizedString())
        ? [ipv4At(bytes, 12)]
        : [];
  }
}

/** Ranges that route to the embedded address, so only this is checked. */
const TRANSPARENT: ReadonlySet<string> = new Set(['ipv4Mapped', 'rfc6145', 'rfc6052']);

/** Addresses of this machine's interfaces, normalised. */
export function machineAddresses(): ReadonlySet<string> {
  const all = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
  const parsed = all.map((entry) => parseAddress(entry.address.replace(/%.*$/, '')));
  return new Set(parsed.flatMap((address) => (address === null ? [] : [address.toNormalizedString()])));
}

function plainRefusal(address: IpAddress, own: ReadonlySet<string>): string | null {
  const text = address.toNormalizedString();
  if (LOCALHOST.has(text) || own.has(text)) return LOCALHOST_REFUSED;
  const range = address.range();
  return range === 'unicast' ? null : (RANGE_REFUSED[range] ?? RESERVED);
}

/** Returns the reason for refusing this address; null for a public one. `own`: addresses of this machine. */
export function addressRefusal(address: IpAddress, own: ReadonlySet<string>): string | null {
  const carried = carriedAddresses(address);
  const refused = carried.map((inner) => plainRefusal(inner, own)).find((reason) => reason !== null);
  if (refused !== undefined) return refused;
  return TRANSPARENT.has(address.range()) ? null : plainRefusal(address, own);
}

/** Returns true for addresses of metadata services in any notation. */
export function isMetadataAddress(address: IpAddress): boolean {
  return [address, ...carriedAddresses(address)].some((form) => METADATA_ADDRESSES.has(form.toNormalizedString()));
}

/** Returns true for names of metadata services. `name`: in lower case, without a trailing dot. */
export function isMetadataName(name: string): boolean {
  return METADATA_NAMES.has(name);
}
