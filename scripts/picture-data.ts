/** Errors of a small shop as in the pictures of the README: new ones beside some that came back, spread or wait. */
import type { BrowserWorld } from '../test/support/browser.ts';
import { frames, richEvent, sendEvents } from '../test/support/browser-seed.ts';
import { eventually } from '../test/support/service-process.ts';

const ERRORS = '/projects/demo%2Fshop/error_tracking/errors';
const HOUR = 3600;

interface Sample {
  readonly type: string;
  readonly value: string;
  readonly level?: string;
  readonly at: string;
  readonly events: number;
  readonly users: number;
  /** Hours since the first event. */
  readonly age: number;
  /** Status that it is given; `back`: it is resolved, and occurs again. */
  readonly becomes?: 'resolved' | 'ignored' | 'back';
}

const SAMPLES: readonly Sample[] = [
  {
    ...{ type: 'TypeError', value: "Cannot read properties of undefined (reading 'price')", at: 'GET /cart' },
    ...{ events: 214, users: 118, age: 210 },
  },
  {
    ...{ type: 'IntegrityError', value: 'duplicate key value violates unique constraint "orders_pkey"' },
    ...{ at: 'POST /orders', events: 64, users: 31, age: 150, becomes: 'back' },
  },
  {
    ...{ type: 'SlowQuery', value: 'SELECT * FROM invoices took 4.2 s', level: 'warning', at: 'GET /invoices' },
    ...{ events: 48, users: 12, age: 290 },
  },
  {
    ...{ type: 'PaymentError', value: 'declined: gateway did not answer within 3000 ms', at: 'POST /checkout' },
    ...{ events: 37, users: 22, age: 5 },
  },
  {
    ...{ type: 'ChunkLoadError', value: 'Loading chunk 17 failed', at: 'GET /products' },
    ...{ events: 23, users: 19, age: 80 },
  },
  {
    ...{ type: 'DeadlockDetected', value: 'process 4121 waits for ShareLock on transaction 88', level: 'fatal' },
    ...{ at: 'POST /orders', events: 14, users: 9, age: 2 },
  },
  { ...{ type: 'KeyError', value: "'customer_id'", at: 'POST /invoices' }, ...{ events: 12, users: 7, age: 100 } },
  {
    ...{ type: 'ImportWarning', value: 'Nightly import finished with 3 warnings', level: 'warning', at: 'import' },
    ...{ events: 8, users: 1, age: 190 },
  },
  {
    ...{ type: 'CacheMiss', value: 'price list was not in the cache', level: 'info', at: 'GET /products' },
    ...{ events: 12, users: 4, age: 90, becomes: 'ignored' },
  },
  {
    ...{ type: 'Deprecated', value: 'cart.v1 will go away', level: 'debug', at: 'GET /cart' },
    ...{ events: 4, users: 2, age: 300, becomes: 'resolved' },
  },
];

/** Events of a sample, oldest first; more of them are recent. */
function eventsOf({ type, value, level = 'error', at, events, users, age }: Sample, now: number): object[] {
  const stack = { frames: frames(12) };
  return Array.from({ length: events }, (_, index) => {
    // Users come one after another, so that the hundredth one came lately.
    const user = Math.floor((index * users) / events) + 1;
    const back = age * HOUR * (1 - index / events) ** 3;
    const event = richEvent(now - back, {
      ...{ level, transaction: at, fingerprint: [type], user: { id: String(user), email: `user${user}@example.com` } },
      release: back > 40 * HOUR ? 'shop@4.2.0' : 'shop@4.2.1',
      environment: index % 5 === 3 ? 'staging' : 'production',
      tags: { browser: index % 3 === 0 ? 'Safari 18' : 'Firefox 140', plan: 'pro' },
    });
    // Payments fail with the whole chain of the event, and nobody handles it.
    return type === 'PaymentError' ? event : { ...event, exception: { values: [{ type, value, stacktrace: stack }] } };
  });
}

/** Sends the events, and sets states as people would. */
export async function sendShop(world: BrowserWorld): Promise<void> {
  const now = Date.now() / 1000;
  const send = (events: readonly object[]) => sendEvents(world.target, events as Record<string, unknown>[]);
  const numberOf = async ({ type, events }: Sample) => {
    const read = () => world.api('GET', `${ERRORS}?search=${type}`) as Promise<{ id: string; count: number }[]>;
    const [found] = await eventually(read, ([first]) => (first?.count ?? 0) >= events);
    return found?.id ?? '';
  };
  for (const sample of SAMPLES) {
    const back = sample.becomes === 'back';
    const before = back ? { ...sample, events: sample.events - 6 } : sample;
    await send(eventsOf(before, back ? now - 30 * HOUR : now));
    if (sample.becomes === undefined) continue;
    const id = await numberOf(before);
    await world.api('PUT', `${ERRORS}/${id}`, { status: back ? 'resolved' : sample.becomes });
    if (back) await send(eventsOf({ ...sample, events: 6, age: 0 }, Date.now() / 1000));
  }
  await numberOf(SAMPLES[0] as Sample);
}
