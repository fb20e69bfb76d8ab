import { Refusal, type FakeRequest, type TrackerContext } from './personality.ts';

const NEVER_SENT = ['origin', 'cookie', 'referer', 'private-token', 'x-forwarded-for', 'job-token'];

/** Reports requests that no tracker accepts. */
export function checkRequest(request: FakeRequest, context: TrackerContext): void {
  const { method, url, headers, body } = request;
  const place = `${method} ${url.pathname}`;
  for (const name of NEVER_SENT) {
    if (headers[name] !== undefined) context.violate(`${place}: header ${name} was sent`);
  }
  if (method !== 'GET' && method !== 'PUT') context.violate(`${place}: method ${method} is never needed`);
  if (method === 'GET' && body !== '') context.violate(`${place}: a body with GET`);
  const authorization = headers.authorization;
  if (authorization !== undefined && !/^Bearer [\x21-\x7e]+$/.test(authorization)) {
    context.violate(`${place}: Authorization is not a bearer token`);
  }
  const decoded = decodeURIComponent(url.pathname + url.search.replace(/%(?![0-9a-f]{2})/gi, '%25'));
  for (const token of context.world.tokens) {
    if (decoded.includes(token.text)) context.violate(`${place}: the token stands in the address`);
  }
  if (/[\r\n\0]/.test(decoded)) context.violate(`${place}: control characters in the address`);
  if (url.pathname.includes('//')) context.violate(`${place}: doubled slash`);
  if (/%2e%2e|%2f|\/\.\.?\//i.test(url.pathname)) context.violate(`${place}: a path that leaves its folder`);
}

export interface ParameterRule {
  readonly pattern?: RegExp;
  readonly repeatable?: boolean;
}

/** Reports parameters outside `rules`, which the tracker would ignore without an error. */
export function checkParameters(
  request: FakeRequest,
  context: TrackerContext,
  rules: Readonly<Record<string, ParameterRule>>,
): void {
  const place = `${request.method} ${request.url.pathname}`;
  const names = [...request.url.searchParams.keys()];
  for (const name of new Set(names)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (rule === undefined) {
      context.violate(`${place}: unknown parameter ${name}`);
      continue;
    }
    const values = request.url.searchParams.getAll(name);
    if (values.length > 1 && rule.repeatable !== true) context.violate(`${place}: ${name} sent twice`);
    for (const value of values) {
      if (rule.pattern !== undefined && !rule.pattern.test(value)) {
        context.violate(`${place}: ${name} has the value ${JSON.stringify(value)}`);
      }
    }
  }
}

export function requireScope(request: FakeRequest, accepted: readonly string[], forbidden: unknown): void {
  if (request.token !== undefined && !accepted.some((scope) => request.token?.scopes.includes(scope))) {
    throw new Refusal(403, forbidden);
  }
}

/**
 * Reads the status of a PUT body; refuses what real trackers refuse. `invalid` builds the answer to a bad value, `also`
 * names further members that the tracker takes.
 */
export function readStatus(
  request: FakeRequest,
  context: TrackerContext,
  allowed: readonly string[],
  invalid: (value: string) => Refusal,
  also: readonly string[] = [],
): string {
  const place = `PUT ${request.url.pathname}`;
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
    context.violate(`${place}: the content type is not JSON`);
    throw new Refusal(415, { detail: 'Unsupported media type in request.' });
  }
  let body: unknown;
  try {
    body = JSON.parse(request.body);
  } catch {
    context.violate(`${place}: the body is not JSON`);
    throw new Refusal(400, { detail: 'JSON parse error' });
  }
  const keys = body !== null && typeof body === 'object' ? Object.keys(body) : [];
  if (keys.filter((key) => !also.includes(key)).join() !== 'status')
    context.violate(`${place}: the body has the members ${keys.join() || 'none'}`);
  const status = String((body as { status?: unknown } | null)?.status);
  if (!allowed.includes(status)) {
    context.violate(`${place}: the status ${status}`);
    throw invalid(status);
  }
  return status;
}

/** Reads the number of items per page; `fallback` without the parameter. */
export function readLimit(request: FakeRequest, name: string, fallback: number): number {
  const text = request.url.searchParams.get(name);
  if (text === null) return fallback;
  if (!/^\d+$/.test(text)) throw new Refusal(400, { detail: `invalid ${name}` });
  return Math.min(100, Math.max(1, Number(text)));
}
