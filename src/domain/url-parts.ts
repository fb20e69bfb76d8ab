import { domainToASCII } from 'node:url';

/** Name or address behind the scheme, a name and password left out; brackets around IPv6 addresses stay. */
const HOST = /^(?:[a-z][a-z0-9+.-]*:)?\/\/(?:[^/?#]*@)?(\[[^\]/?#]*\]|[^/:?#\\\s]*)/i;
/** Path behind the host, or of an address without one; without query and fragment. */
const PATH = /^(?:(?:[a-z][a-z0-9+.-]*:)?\/\/[^/?#]*)?(\/[^?#]*)/i;

/** Returns the host of an address in lower case, without its port; null for an address without a host. */
export function urlHost(url: string): string | null {
  const host = HOST.exec(url)?.[1] ?? '';
  return host === '' ? null : hostName(host);
}

/** Returns the path of an address, from its first slash; `/` for a host alone; null for another text. */
export function urlPath(url: string): string | null {
  return PATH.exec(url)?.[1] ?? (urlHost(url) === null ? null : '/');
}

/** Returns a host as it is compared: lower case, without a dot at its end, other letters than ASCII as in DNS. */
export function hostName(host: string): string {
  const plain = host.replace(/\.$/, '').toLowerCase();
  return /^[\0-\x7f]*$/.test(plain) ? plain : domainToASCII(plain) || plain;
}
