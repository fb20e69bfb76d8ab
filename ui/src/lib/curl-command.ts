/** Request of an event, as it is stored. */
type Request = Readonly<Record<string, unknown>>;

/** Headers that curl sets by itself, or that would be wrong for a repeated request. */
const OWN_HEADERS: ReadonlySet<string> = new Set(['content-length', 'host', 'connection', 'accept-encoding']);

/** Quotes a word for a POSIX shell. Control characters, which a terminal might obey, become blanks. */
function quoted(text: string): string {
  const plain = text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, ' ');
  return `'${plain.replaceAll("'", `'\\''`)}'`;
}

function pairsOf(value: unknown): [string, string][] {
  const pairs = Array.isArray(value) ? value : Object.entries(typeof value === 'object' && value !== null ? value : {});
  return pairs.flatMap((pair: unknown): [string, string][] => {
    if (!Array.isArray(pair) || typeof pair[0] !== 'string') return [];
    const [name, given] = pair as [string, unknown];
    return typeof given === 'string' || typeof given === 'number' ? [[name, String(given)]] : [];
  });
}

function queryOf(query: unknown): string {
  if (typeof query === 'string') return query.replace(/^\?/, '');
  return new URLSearchParams(pairsOf(query)).toString();
}

function bodyOf(data: unknown): string {
  if (data === null || data === undefined || data === '') return '';
  return typeof data === 'string' ? data : JSON.stringify(data);
}

/** Returns a curl command that repeats the request of an event; null when its address is not http or https. */
export function curlCommand(request: Request | null): string | null {
  const { url, method, headers, query_string: query, data, cookies } = request ?? {};
  if (typeof url !== 'string' || !/^https?:\/\//i.test(url)) return null;
  const asked = queryOf(query);
  const address = asked === '' || url.includes('?') ? url : `${url}?${asked}`;
  const body = bodyOf(data);
  const sent = pairsOf(headers).filter(([name]) => !OWN_HEADERS.has(name.toLowerCase()));
  const hasCookie = sent.some(([name]) => name.toLowerCase() === 'cookie');
  const crumbs =
    typeof cookies === 'string'
      ? cookies
      : pairsOf(cookies)
          .map((pair) => pair.join('='))
          .join('; ');
  const verb = typeof method === 'string' && /^[A-Za-z]+$/.test(method) ? method.toUpperCase() : 'GET';
  return [
    `curl ${verb === 'GET' && body === '' ? '' : `-X ${verb} `}${quoted(address)}`,
    ...sent.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(hasCookie || crumbs === '' ? [] : [`-b ${quoted(crumbs)}`]),
    ...(body === '' ? [] : [`--data-raw ${quoted(body)}`]),
  ].join(' \\\n  ');
}
