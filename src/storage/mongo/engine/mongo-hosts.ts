/** Host of a MongoDB address: name, IPv4 or bracketed IPv6, and an optional port. */
const HOST = /^(?:[\w.-]+|\[[\da-fA-F:.]+\])(?::\d{1,5})?$/;

/**
 * Returns the hosts of a `mongodb:` or `mongodb+srv:` address for messages, never its user, password or options. Omits
 * text unlike a host, because a mistake in an address may put a password there.
 */
export function mongoHosts(url: string): string {
  const rest = url.replace(/^[^/]*\/\//, '');
  // An unencoded password may contain any character, so only text behind the last @ is used.
  const afterCredentials = rest.slice(rest.lastIndexOf('@') + 1);
  const [authority = ''] = afterCredentials.split(/[/?]/, 1);
  const hosts = authority.split(',').filter((host) => HOST.test(host));
  return hosts.length === 0 ? 'the configured server' : hosts.join(', ');
}
