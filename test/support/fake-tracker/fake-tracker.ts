import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bugsink } from './bugsink.ts';
import type { Fault } from './faults.ts';
import { glitchTip52 } from './glitchtip.ts';
import {
  Refusal,
  type FakeReply,
  type FakeRequest,
  type Personality,
  type PersonalityName,
  type TrackerContext,
} from './personality.ts';
import { sentry214, sentry26 } from './sentry.ts';
import { checkRequest } from './strict.ts';
import { urgentry } from './urgentry.ts';
import { World } from './world.ts';

const PERSONALITIES: Readonly<Record<PersonalityName, Personality>> = {
  'Sentry 21.4': sentry214,
  'Sentry 26': sentry26,
  'GlitchTip 5.2': glitchTip52,
  Urgentry: urgentry,
  Bugsink: bugsink,
};

/** Maximum of concurrent requests of one client per host. */
const MOST_IN_FLIGHT = 5;

export interface SeenRequest {
  readonly method: string;
  /** Path with query. */
  readonly target: string;
  readonly at: number;
}

export interface FakeTrackerOptions {
  /** Time of the tracker's clock; default: the real time. */
  readonly now?: number;
  /** Whether deprecated routes are in a brownout; default: true for the newest Sentry. */
  readonly brownout?: boolean;
  /** Number of times that a client may get each refusal from which it learns the dialect. */
  readonly lessons?: number;
  /** Maximum of requests per second and endpoint before 429. */
  readonly perSecond?: number;
}

/** Stateful tracker on a real port. It records every request that a client must not send. */
export interface FakeTracker {
  readonly name: PersonalityName;
  readonly origin: string;
  readonly world: World;
  readonly requests: SeenRequest[];
  readonly violations: string[];
  /** Number of pending requests whose client is still connected. */
  readonly inFlight: number;
  /** Maximum number of concurrent requests so far. */
  readonly mostInFlight: number;
  brownout: boolean;
  /** Applies a fault to the next `times` answers whose requests (`METHOD /path?query`) match. */
  fail(fault: Fault, match?: RegExp, times?: number): void;
  heal(): void;
  /** Fails if any request so far was a violation; call it after each test. */
  assertClean(): void;
  close(): Promise<void>;
}

interface PlannedFault {
  readonly fault: Fault;
  readonly match: RegExp;
  left: number;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function send(response: ServerResponse, { status, headers = {}, body }: FakeReply): void {
  if (typeof body === 'string') {
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers });
    response.end(body);
  } else if (body === undefined) {
    response.writeHead(status, headers);
    response.end();
  } else {
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
    response.end(JSON.stringify(body));
  }
}

export async function startFakeTracker(name: PersonalityName, options: FakeTrackerOptions = {}): Promise<FakeTracker> {
  const personality = PERSONALITIES[name];
  const world = new World(options.now ?? Date.now(), (serial) => personality.makeId(serial));
  const requests: SeenRequest[] = [];
  const violations: string[] = [];
  const lessons = new Map<string, number>();
  const windows = new Map<string, number[]>();
  let planned: PlannedFault[] = [];
  let [inFlight, mostInFlight] = [0, 0];

  const violate = (text: string): void => {
    violations.push(text);
  };
  // Closes no idle connection: a client on a busy machine may be about to use it.
  const server = createServer({ keepAliveTimeout: 0 }, (incoming, response) => {
    inFlight += 1;
    mostInFlight = Math.max(mostInFlight, inFlight);
    if (inFlight > MOST_IN_FLIGHT) violate(`${inFlight} requests in flight at once`);
    response.once('close', () => (inFlight -= 1));
    handle(incoming, response).catch((error: unknown) => {
      violate(`the fake itself failed: ${String(error instanceof Error ? error.stack : error)}`);
      response.destroy();
    });
  });

  /** Whether the limit of an endpoint is used up in the last second. */
  function limited(endpoint: string): boolean {
    if (options.perSecond === undefined) return false;
    const now = Date.now();
    const recent = (windows.get(endpoint) ?? []).filter((at) => at > now - 1000);
    windows.set(endpoint, [...recent, now]);
    return recent.length >= options.perSecond;
  }

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = incoming.method ?? 'GET';
    const target = incoming.url ?? '/';
    requests.push({ method, target, at: Date.now() });
    const body = await readBody(incoming);
    const bearer = /^Bearer (.+)$/.exec(incoming.headers.authorization ?? '')?.[1];
    const request: FakeRequest = {
      method,
      url: new URL(`${tracker.origin}${target.startsWith('/') ? target : `/${target}`}`),
      headers: incoming.headers,
      body,
      token: world.tokens.find(({ text }) => text === bearer),
    };
    const context: TrackerContext = {
      world,
      origin: tracker.origin,
      brownout: tracker.brownout,
      violate,
      learn(what) {
        const key = `${bearer ?? ''} ${what}`;
        const count = (lessons.get(key) ?? 0) + 1;
        lessons.set(key, count);
        if (count > (options.lessons ?? 1)) violate(`asked again for what was refused before: ${what}`);
      },
    };
    checkRequest(request, context);
    const plan = planned.find(({ match, left }) => left > 0 && match.test(`${method} ${target}`));
    if (plan !== undefined) {
      plan.left -= 1;
      if (plan.fault.serve !== undefined) {
        plan.fault.serve(response);
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, plan.fault.delayMs));
    }
    if (limited(`${method} ${request.url.pathname}`)) {
      const reset = String(Math.ceil(Date.now() / 1000) + 1);
      const headers = { 'x-sentry-rate-limit-remaining': '0', 'x-sentry-rate-limit-reset': reset };
      send(response, {
        status: 429,
        headers,
        body: '{"detail":"You are attempting to use this endpoint too frequently."}',
      });
      return;
    }
    try {
      send(response, personality.answer(request, context));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      send(response, error.reply);
    }
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const tracker: FakeTracker = {
    name,
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
    brownout: options.brownout ?? name === 'Sentry 26',
    fail(fault, match = /./, times = Number.POSITIVE_INFINITY) {
      planned.push({ fault, match, left: times });
    },
    heal() {
      planned = [];
    },
    assertClean() {
      const found = violations.splice(0);
      assert.deepEqual(found, [], `requests that ${name} should never have seen`);
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return tracker;
}
