/**
 * Strict local fake of the trackers from which history is imported: Sentry, GlitchTip, Urgentry and Bugsink, with their
 * read API over HTTP and with intake of live events. Answers have the shapes of the recordings in
 * test/fixtures/thirdparty; what a tracker does not have is refused.
 *
 *     const source = await startFakeSource('sentry');            // or glitchtip, urgentry, bugsink
 *     const shop = source.world.addProject('shop');              // with one key; see SourceWorld for all
 *     source.world.addToken('secret', ['org:read', 'project:read', 'event:read']);   // default: all scopes
 *     const issue = source.world.addIssue(shop, { bodies: [{ body: sdkEvent }], count: 12_345, status: 'resolved' });
 *     source.world.addIssues(shop, 10_000);                      // in about 50 ms
 *     await fetch(`${source.origin}/api/${shop.id}/store/`, ...); // or envelope, or source.world.receive(shop, body)
 *     source.assertClean();                                      // no request that the tracker does not know
 *     await source.close();
 *
 * Issues move when events come: `world.receive(project, sdkBody)` counts by `world.groupBy`, `world.touch(issue)`
 * counts without a body. `world.countsLate` and `world.settle()` count later; `world.drops` loses events after the 200.
 * `world.rename`, `world.merge`, `world.remove`, `world.revoke(token)` change the tracker under a reader; an issue of a
 * former id (`addIssue(other, {id})`) re-uses it. `issue.firstSeen = 0` or the year 2999 is sent as it is.
 *
 * `source.fail(fault, /pattern of "METHOD /path?query"/, times)` scripts the faults of fake-tracker/faults.ts: `status(500)`,
 * `rateLimited(resetSeconds)`, `huge(500)` (megabytes), `late(ms)`, `reset()`, `half()`, `json(...)`. `heal()` ends them.
 * `source.before` runs before each answer, for changes in the middle of a list. `delayMs` makes every answer slow.
 *
 * Unknown routes get 404, unknown or misformed parameters 400; both are kept in `violations`, as are addresses of the
 * tracker's answers that were requested, more than `maxInFlight` requests at once, and tokens in addresses.
 */
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Fault } from '../fake-tracker/faults.ts';
import { bugsinkSource } from './bugsink-source.ts';
import { glitchTipSource } from './glitchtip-source.ts';
import { sentrySource } from './sentry-source.ts';
import {
  json,
  SourceRefusal,
  type SourceCall,
  type SourceKind,
  type SourceReply,
  type SourceRoute,
} from './source-call.ts';
import { takeEvents } from './source-intake.ts';
import { SourceWorld, type SourceTracker } from './source-world.ts';
import { urgentrySource } from './urgentry-source.ts';

const KINDS: Readonly<Record<SourceTracker, SourceKind>> = {
  sentry: sentrySource,
  glitchtip: glitchTipSource,
  urgentry: urgentrySource,
  bugsink: bugsinkSource,
};

/** Pages that a client may ask of any tracker to find out which one it is. */
const PROBES: ReadonlySet<string> = new Set([
  '/api/client-config/',
  '/api/settings/',
  '/api/0/',
  '/api/canonical/0/projects/',
]);

export interface FakeSourceOptions {
  /** Milliseconds before each answer; default 0. */
  readonly delayMs?: number;
  /** More requests at once are a violation; default 5. */
  readonly maxInFlight?: number;
  /** Clock of the tracker; default: the real one. */
  readonly now?: () => number;
}

export interface FakeSource {
  readonly tracker: SourceTracker;
  /** Scheme, host and port. */
  readonly origin: string;
  readonly world: SourceWorld;
  /** `METHOD /path?query` of all requests. */
  readonly requests: string[];
  readonly violations: string[];
  /** Requests that are not answered yet. */
  readonly inFlight: number;
  readonly mostInFlight: number;
  /** Runs before each answer of the API, with `METHOD /path?query`. */
  before: (request: string) => void;
  fail(fault: Fault, match?: RegExp, times?: number): void;
  /** Chooses the fault of each request, with `METHOD /path?query`; null: the tracker answers. */
  choose: ((request: string) => Fault | null) | null;
  heal(): void;
  /** DSN of the first key of a project. */
  dsn(slug: string): string;
  assertClean(): void;
  close(): Promise<void>;
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Values of a route's placeholders; null when the path is another one. */
function argsOf({ path }: SourceRoute, pathname: string): Record<string, string> | null {
  const [wanted, given] = [path.split('/'), pathname.split('/')];
  if (wanted.length !== given.length) return null;
  const args: Record<string, string> = {};
  for (const [index, segment] of wanted.entries()) {
    const text = decodeURIComponent(given[index] ?? '');
    if (segment.startsWith(':') && text !== '') args[segment.slice(1)] = text;
    else if (segment !== text) return null;
  }
  return args;
}

/** Root of the API, which shows the scopes of the token on Sentry and GlitchTip. */
function rootOf(world: SourceWorld, scopes: readonly string[] | undefined, isWrongToken: boolean): SourceReply {
  const version = '0';
  switch (world.tracker) {
    case 'urgentry':
      return json({
        auth: { login: { url: '/auth/login/' } },
        features: { 'organizations:events': true },
        user: null,
        version,
      });
    case 'bugsink':
      return json({ version, auth: { scopes: ['org:ci'] }, user: null });
    default:
      if (isWrongToken && world.tracker === 'sentry') throw new SourceRefusal(401, { detail: 'Invalid token' });
      return json({
        version,
        auth: scopes === undefined ? null : { scopes },
        user: scopes === undefined ? null : { id: '1', username: 'admin', email: 'admin@example.com', name: 'Ada' },
      });
  }
}

export async function startFakeSource(tracker: SourceTracker, options: FakeSourceOptions = {}): Promise<FakeSource> {
  const { delayMs = 0, maxInFlight = 5 } = options;
  const kind = KINDS[tracker];
  const world = new SourceWorld(tracker, options.now);
  const requests: string[] = [];
  const violations: string[] = [];
  let planned: { readonly fault: Fault; readonly match: RegExp; left: number }[] = [];
  let [inFlight, mostInFlight] = [0, 0];

  function answer(incoming: IncomingMessage, url: URL): SourceReply {
    const asked = `${incoming.method ?? ''} ${url.pathname}${url.search}`;
    const token = /^Bearer (.+)$/.exec(incoming.headers.authorization ?? '')?.[1];
    const scopes = token === undefined ? undefined : world.tokens.get(token);
    if (token !== undefined && url.href.includes(encodeURIComponent(token))) violations.push(`token in ${asked}`);
    if (incoming.method !== 'GET') {
      violations.push(`method of ${asked}`);
      throw new SourceRefusal(405, { detail: 'Method not allowed' });
    }
    if (url.pathname === '/api/0/') return rootOf(world, scopes, token !== undefined && scopes === undefined);
    for (const route of kind.routes) {
      const args = argsOf(route, url.pathname);
      if (args === null) continue;
      if (route.scopes.length > 0) {
        if (scopes === undefined) throw new SourceRefusal(401, kind.unauthorized);
        if (!route.scopes.some((scope) => scopes.includes(scope))) throw new SourceRefusal(403, kind.forbidden);
      }
      for (const [name, value] of url.searchParams) {
        const form = Object.hasOwn(route.params, name) ? route.params[name] : undefined;
        const isOnce = name === route.repeated || url.searchParams.getAll(name).length === 1;
        if (form?.test(value) === true && isOnce) continue;
        if (name !== 'cursor') violations.push(`parameter ${name}=${value} of ${asked}`);
        throw new SourceRefusal(400, { detail: `invalid ${name}` });
      }
      const call: SourceCall = { world, url, query: url.searchParams, args };
      return route.answer(call);
    }
    if (!PROBES.has(url.pathname)) violations.push(`unknown route ${asked}`);
    throw new SourceRefusal(404, kind.notFound);
  }

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(incoming.url ?? '/', source.origin);
    const asked = `${incoming.method ?? ''} ${url.pathname}${url.search}`;
    requests.push(asked);
    const body = await readBody(incoming);
    const plan = planned.find(({ match, left }) => left > 0 && match.test(asked));
    if (plan !== undefined) plan.left -= 1;
    const fault = plan?.fault ?? source.choose?.(asked) ?? null;
    if (fault?.serve !== undefined) {
      fault.serve(response);
      return;
    }
    const wait = delayMs + (fault?.delayMs ?? 0);
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    let reply: SourceReply;
    try {
      const taken = incoming.method === 'POST' ? takeEvents(world, url, incoming.headers, body) : null;
      if (taken === null) source.before(asked);
      reply = taken ?? answer(incoming, url);
    } catch (error) {
      if (!(error instanceof SourceRefusal)) throw error;
      ({ reply } = error);
    }
    const isText = typeof reply.body === 'string';
    response.writeHead(reply.status, {
      'content-type': isText ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8',
      date: new Date(world.now()).toUTCString(),
      ...reply.headers,
    });
    response.end(isText ? reply.body : JSON.stringify(reply.body));
  }

  // Closes no idle connection: a client on a busy machine may be about to use it.
  const server = createServer({ keepAliveTimeout: 0 }, (incoming, response) => {
    inFlight += 1;
    mostInFlight = Math.max(mostInFlight, inFlight);
    if (inFlight > maxInFlight && incoming.method === 'GET') violations.push(`${inFlight} requests at once`);
    response.once('close', () => (inFlight -= 1));
    handle(incoming, response).catch((error: unknown) => {
      violations.push(`the fake failed: ${String(error instanceof Error ? error.stack : error)}`);
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const source: FakeSource = {
    tracker,
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    world,
    requests,
    violations,
    get inFlight() {
      return inFlight;
    },
    get mostInFlight() {
      return mostInFlight;
    },
    before: () => undefined,
    choose: null,
    fail(fault, match = /./, times = Number.POSITIVE_INFINITY) {
      planned.push({ fault, match, left: times });
    },
    heal() {
      planned = [];
    },
    dsn(slug) {
      const project = world.projects.find((one) => one.slug === slug);
      return `${source.origin.replace('://', `://${project?.keys[0]?.publicKey ?? ''}@`)}/${project?.id ?? ''}`;
    },
    assertClean() {
      assert.deepEqual(violations.splice(0), [], `requests that ${tracker} does not know`);
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return source;
}
