import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { captures } from './ingest-captures.ts';

type Json = Record<string, unknown>;

const HOUR = 3600;

/** Texts that look like markup, and texts that are difficult to display. */
export const HOSTILE_TEXTS: readonly string[] = [
  ...(JSON.parse(readFileSync(new URL('../fixtures/hostile-texts.json', import.meta.url), 'utf8')) as string[]),
  'a'.repeat(10_000),
];

export interface SeedTarget {
  /** Address of the service. */
  readonly url: string;
  readonly dsn: string;
}

/** Sends one event to the store endpoint and returns its id. */
export async function sendEvent({ url, dsn }: SeedTarget, event: Json): Promise<string> {
  const { username: key, pathname } = new URL(dsn);
  const answer = await fetch(`${url}/errortracking/api/v1/projects/api/${pathname.split('/').at(-1) ?? ''}/store/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Sentry-Auth': `Sentry sentry_version=7, sentry_key=${key}` },
    body: JSON.stringify(event),
  });
  const body = (await answer.json()) as { id?: string };
  if (answer.status !== 200 || body.id === undefined) throw new Error(`an event was refused: ${JSON.stringify(body)}`);
  return body.id;
}

/** Sends what a user wrote about an event, as in an envelope of an SDK. */
export async function sendReport({ url, dsn }: SeedTarget, report: Json): Promise<void> {
  const { username: key, pathname } = new URL(dsn);
  const project = pathname.split('/').at(-1) ?? '';
  const answer = await fetch(`${url}/errortracking/api/v1/projects/api/${project}/envelope/`, {
    method: 'POST',
    headers: { 'X-Sentry-Auth': `Sentry sentry_version=7, sentry_key=${key}` },
    body: [{}, { type: 'user_report' }, report].map((line) => JSON.stringify(line)).join('\n'),
  });
  if (answer.status !== 200) throw new Error(`a report was refused: ${await answer.text()}`);
}

/** Maximum of concurrent requests. */
const SENT_AT_ONCE = 10;

/** Sends events concurrently; the order of their errors' ids is undefined. */
export async function sendEvents(target: SeedTarget, events: readonly Json[]): Promise<void> {
  for (let from = 0; from < events.length; from += SENT_AT_ONCE) {
    await Promise.all(events.slice(from, from + SENT_AT_ONCE).map((event) => sendEvent(target, event)));
  }
}

/** Sends the captured requests of real SDKs, with the key and the project of the target. */
export async function sendCaptures({ url, dsn }: SeedTarget): Promise<void> {
  const { username: key, pathname } = new URL(dsn);
  const project = pathname.split('/').at(-1) ?? '';
  for (const { path, headers, wire } of captures()) {
    const address = path.replace(/\/api\/42\//, `/api/${project}/`).replace(/sentry_key=[^&]*/, `sentry_key=${key}`);
    const signed = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace(/sentry_key=[\w-]+/, `sentry_key=${key}`)]),
    );
    await fetch(url + address, { method: 'POST', headers: signed, body: new Uint8Array(wire) });
  }
}

function frame(index: number, inApp: boolean): Json {
  const file = inApp ? `src/checkout/step-${index}.ts` : `node_modules/express/lib/layer-${index}.js`;
  return {
    filename: file,
    abs_path: `/srv/shop/${file}`,
    module: inApp ? `checkout.step${index}` : `express.layer${index}`,
    function: inApp ? `processStep${index}` : `handle_${index}`,
    lineno: 40 + index,
    colno: 7,
    in_app: inApp,
    ...(inApp
      ? {
          pre_context: [
            'export async function pay(cart: Cart): Promise<Receipt> {',
            '  const total = sum(cart.items);',
            '  // Discounts come last.',
          ],
          context_line: `  const receipt = await gateway.charge(cart.customer.card, total); // step ${index}`,
          post_context: [
            '  if (!receipt.ok) throw new PaymentError(`declined: ${receipt.code}`);',
            '  return receipt;',
            '}',
          ],
          vars: { total: 129.9, 'cart.items': ['socks', 'tea'], customer: { id: 7, vip: true } },
        }
      : {}),
  };
}

/** Creates a stack of `count` frames, oldest first; every fourth and the newest two belong to the application. */
export function frames(count: number): Json[] {
  return Array.from({ length: count }, (_, index) => frame(index, index % 4 === 0 || index >= count - 2));
}

/** Makes an event with all parts of a details page. */
export function richEvent(now: number, changes: Json = {}): Json {
  return {
    timestamp: now,
    level: 'error',
    platform: 'node',
    logger: 'checkout',
    release: 'shop@4.2.1',
    environment: 'production',
    server_name: 'web-3',
    transaction: 'POST /checkout',
    exception: {
      values: [
        { type: 'ConnectTimeout', value: 'connect ETIMEDOUT 10.0.0.7:443', stacktrace: { frames: frames(6) } },
        {
          type: 'PaymentError',
          value: 'declined: gateway did not answer within 3000 ms',
          mechanism: { type: 'onunhandledrejection', handled: false },
          stacktrace: { frames: frames(24) },
        },
      ],
    },
    breadcrumbs: {
      values: [
        { timestamp: now - 42, type: 'navigation', category: 'navigation', data: { from: '/cart', to: '/checkout' } },
        { timestamp: now - 30, category: 'ui.click', message: 'button#pay.primary', level: 'info' },
        {
          timestamp: now - 12,
          type: 'http',
          category: 'http',
          data: { url: '/api/quotes', method: 'POST', status_code: 200 },
        },
        { timestamp: now - 4, category: 'console', level: 'warning', message: 'retrying payment (2 of 3)' },
        { timestamp: now - 1, type: 'error', category: 'exception', level: 'error', message: 'ETIMEDOUT' },
      ],
    },
    request: {
      url: 'https://shop.example.com/checkout',
      method: 'POST',
      query_string: [['coupon', 'SPRING']],
      headers: [
        ['User-Agent', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)'],
        ['Accept-Language', 'de-DE,de;q=0.9'],
      ],
      data: { cart: [{ sku: 'TEA-7', amount: 2 }], gift: true },
    },
    user: { id: '4711', username: 'ada', ip_address: '203.0.113.9' },
    tags: { browser: 'Firefox 140', region: 'eu-west', plan: 'pro' },
    contexts: {
      runtime: { name: 'node', version: 'v22.11.0' },
      os: { name: 'Linux', version: '6.8.0', kernel_version: '6.8.0-45-generic' },
      trace: { trace_id: '771a43a4192642f0b136d5159a501700', span_id: 'a0cd0f5fd4b8c1b2' },
    },
    extra: { attempt: 3, queue: { waiting: 12, oldest_ms: 844 } },
    modules: { express: '5.0.1', pg: '8.13.0', '@sentry/node': '10.2.0' },
    sdk: { name: 'sentry.javascript.node', version: '10.2.0' },
    ...changes,
  };
}

const VARIETY = [
  { type: 'TypeError', value: "Cannot read properties of undefined (reading 'price')", level: 'error', times: 31 },
  { type: 'DeadlockDetected', value: 'process 4121 waits for ShareLock on transaction 88', level: 'fatal', times: 4 },
  {
    type: 'IntegrityError',
    value: 'duplicate key value violates unique constraint "orders_pkey"',
    level: 'error',
    times: 17,
  },
  { type: 'SlowQuery', value: 'SELECT * FROM invoices took 4.2 s', level: 'warning', times: 9 },
  { type: 'CacheMiss', value: 'price list was not in the cache', level: 'info', times: 6 },
  { type: 'Deprecated', value: 'cart.v1 will go away', level: 'debug', times: 2 },
  { type: 'ChunkLoadError', value: 'Loading chunk 17 failed', level: 'error', times: 12 },
  { type: 'KeyError', value: "'customer_id'", level: 'error', times: 3 },
] as const;

/** Fills a project like one day of use: errors of real SDKs, frequent and rare ones, and hostile texts. */
export async function seedProject(target: SeedTarget, now = Date.now() / 1000): Promise<void> {
  await sendCaptures(target);
  await seedShop(target, now);
  await sendEvents(
    target,
    HOSTILE_TEXTS.map((text, index) => hostileEvent(now - 120 - index, text)),
  );
}

/** Sends frequent and rare errors of one application. */
async function seedShop(target: SeedTarget, now = Date.now() / 1000): Promise<void> {
  for (const [kind, { type, value, level, times }] of VARIETY.entries()) {
    const events = Array.from({ length: times }, (_, turn) => {
      const back = ((turn * 7 + kind * 3) % 23) * HOUR + kind * 60;
      const stack = { frames: frames(5 + kind).map((one) => ({ ...one, filename: `src/${type.toLowerCase()}.ts` })) };
      const changes = {
        level,
        release: `shop@4.${turn % 3}.${kind}`,
        environment: turn % 4 === 0 ? 'staging' : 'production',
        exception: { values: [{ type, value, stacktrace: stack }] },
        user: { id: String(turn % 9) },
        fingerprint: [type],
      };
      return richEvent(now - back, changes);
    });
    await sendEvents(target, events);
  }
  for (let turn = 0; turn < 3; turn += 1)
    await sendEvent(target, richEvent(now - turn * HOUR, { user: { id: `u${turn}` } }));
  await sendEvent(target, {
    timestamp: now - 300,
    message: 'Nightly import finished with 3 warnings',
    level: 'warning',
  });
}

/** Makes an event with the same text in every text field. */
export function hostileEvent(timestamp: number, text: string): Json {
  return {
    timestamp,
    platform: 'javascript',
    fingerprint: [createHash('sha256').update(text).digest('hex')],
    transaction: text,
    logger: text.slice(0, 60),
    server_name: text,
    exception: {
      values: [
        {
          type: text.slice(0, 120),
          value: text,
          module: text,
          stacktrace: {
            frames: [
              {
                filename: text,
                function: text,
                module: text,
                lineno: 3,
                in_app: true,
                pre_context: [text],
                context_line: text,
                post_context: [text],
                vars: { [text.slice(0, 50)]: text },
              },
            ],
          },
        },
      ],
    },
    breadcrumbs: { values: [{ timestamp, category: text, message: text, data: { [text.slice(0, 50)]: text } }] },
    request: { url: text, method: 'GET', headers: [['X-Text', text]], data: text },
    user: { id: text, username: text },
    tags: { text: text.slice(0, 200) },
    contexts: { hostile: { text } },
    extra: { [text.slice(0, 50)]: text },
    modules: { [text.slice(0, 50)]: text },
  };
}
