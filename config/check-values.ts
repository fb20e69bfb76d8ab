import ipaddr from 'ipaddr.js';

/** Returns the member at the path, or undefined when a parent is missing. */
function memberAt(config: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, name) => (typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[name] : undefined),
    config,
  );
}

function isAddressOrRange(text: string): boolean {
  return ipaddr.isValidCIDR(text) || ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);
}

function isMailServer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}

/** Headers that browsers, errgate or HTTP itself give a meaning: no proxy can name a person in them. */
const TAKEN_HEADERS = new Set([
  ...[
    'accept',
    'authorization',
    'connection',
    'content-length',
    'content-type',
    'cookie',
    'forwarded',
    'host',
    'origin',
  ],
  ...['private-token', 'transfer-encoding', 'user-agent', 'x-csrf-token', 'x-forwarded-for', 'x-forwarded-host'],
  ...['x-forwarded-proto', 'x-request-id'],
]);

function problemsOfAuthHeader(header: string, trusted: readonly string[]): string[] {
  const name = header.toLowerCase();
  const isTaken = TAKEN_HEADERS.has(name) || name.startsWith('sec-');
  return [
    ...(isTaken ? [`server.authHeader must not be ${header}, which has another meaning`] : []),
    ...(trusted.some((range) => range !== '')
      ? []
      : [
          'server.authHeader needs server.trustedProxies (ERRGATE_TRUSTED_PROXIES): the addresses of the proxies that may sign people in',
        ]),
  ];
}

/** Reports problems beyond the schema, such as malformed addresses. Other parts of `config` may be invalid. */
export function describeWrongValues(config: unknown): string[] {
  const problems: string[] = [];
  const url = memberAt(config, ['server', 'externalUrl']);
  if (typeof url === 'string' && /^https?:\/\//.test(url) && !URL.canParse(url)) {
    problems.push('server.externalUrl must be an address with a valid host and port');
  }
  const proxies = memberAt(config, ['server', 'trustedProxies']);
  const ranges = typeof proxies === 'string' ? proxies.split(',').map((part) => part.trim()) : [];
  if (ranges.some((range) => range !== '' && !isAddressOrRange(range))) {
    problems.push('server.trustedProxies must be IP addresses or CIDRs, separated by commas');
  }
  const header = memberAt(config, ['server', 'authHeader']);
  if (typeof header === 'string') problems.push(...problemsOfAuthHeader(header, ranges));
  const issuer = memberAt(config, ['oidc', 'issuer']);
  if (typeof issuer === 'string' && memberAt(config, ['oidc', 'clientId']) === null) {
    problems.push('oidc.clientId (ERRGATE_OIDC_CLIENT_ID) must be set beside oidc.issuer');
  }
  if (typeof issuer === 'string' && /^https?:\/\//.test(issuer) && !URL.canParse(issuer)) {
    problems.push('oidc.issuer must be an address with a valid host and port');
  }
  const mail = memberAt(config, ['mail', 'url']);
  if (typeof mail === 'string' && /^smtps?:/.test(mail) && !isMailServer(mail)) {
    problems.push(
      'mail.url must have a valid host and port, and percent-encode special characters of user and password',
    );
  }
  return problems;
}
