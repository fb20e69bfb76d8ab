/** One host of a MongoDB address: name, IPv4 or bracketed IPv6, and perhaps a port. */
const HOST = /^(?:[\w.-]+|\[[\da-fA-F:.]+\])(?::\d{1,5})?$/;

/**
 * The hosts that a `mongodb:` or `mongodb+srv:` address names, for messages: never its user, password or
 * options. What does not look like a host is left out, since a slip in an address may have moved a password there.
 */
export function mongoHosts(url: string): string {
  const rest = url.replace(/^[^/]*\/\//, '');
  // A password that was not percent-encoded may hold any sign, so nothing before the last @ is trusted.
  const afterCredentials = rest.slice(rest.lastIndexOf('@') + 1);
  const [authority = ''] = afterCredentials.split(/[/?]/, 1);
  const hosts = authority.split(',').filter((host) => HOST.test(host));
  return hosts.length === 0 ? 'the configured server' : hosts.join(', ');
}
