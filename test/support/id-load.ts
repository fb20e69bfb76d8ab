import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { assertOutcomesAddUp, sumOf } from './outcome-sums.ts';
import { readPages } from './read-pages.ts';
import { SENDER_REST_MS } from './sender-rest.ts';
import { eventually, type ServiceProcess } from './service-process.ts';

/** Type of all events of an `IdLoad`, so that they become one error. */
const TYPE = 'IdLoadError';

/** Sends events with known ids and records each answer. Every event answered 200 must be stored once. */
export class IdLoad {
  readonly #service: ServiceProcess;
  readonly #address: string;
  readonly acknowledged = new Set<string>();
  /** Answers other than 200, by status. */
  readonly refused = new Map<number, number>();
  #stopped = false;
  readonly #senders: Promise<void>[] = [];

  constructor(service: ServiceProcess) {
    this.#service = service;
    const key = new URL(service.first.dsn).username;
    this.#address = `${service.url}/api/${service.first.project_id}/store/?sentry_key=${key}`;
  }

  /** Sends one event with `spareBytes` of padding and returns the status. A 503 must have a `Retry-After`. */
  async send(spareBytes = 0): Promise<number> {
    const id = randomBytes(16).toString('hex');
    const body = JSON.stringify({
      event_id: id,
      platform: 'python',
      exception: { values: [{ type: TYPE, value: 'load' }] },
      ...(spareBytes === 0 ? {} : { spare: 'x'.repeat(spareBytes) }),
    });
    const answer = await fetch(this.#address, { method: 'POST', body });
    await answer.arrayBuffer();
    if (answer.status === 200) this.acknowledged.add(id);
    else this.refused.set(answer.status, (this.refused.get(answer.status) ?? 0) + 1);
    if (answer.status === 503) assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/);
    return answer.status;
  }

  /** Sends events continuously until `stop`. */
  start(senders: number): this {
    const sender = async (): Promise<void> => {
      while (!this.#stopped) {
        await this.send();
        if (SENDER_REST_MS > 0) await wait(SENDER_REST_MS);
      }
    };
    for (let one = 0; one < senders; one += 1) {
      const sending = sender();
      // `stop` reports the failure; a test that failed earlier must not fail twice.
      sending.catch(() => undefined);
      this.#senders.push(sending);
    }
    return this;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#senders);
  }

  async acknowledgedAtLeast(number: number): Promise<void> {
    await eventually(
      () => Promise.resolve(this.acknowledged.size),
      (now) => now >= number,
      60_000,
    );
  }

  /** Waits until all acknowledged events are stored, once each, and nothing else. */
  async assertStored(limitMs = 60_000): Promise<void> {
    const service = this.#service;
    const base = `/api/v4/projects/${service.first.project_id}/error_tracking/errors`;
    const [row] = (await eventually(
      () => service.get(`${base}?status=all&search=${TYPE}`),
      (rows) => ((rows as { count: number }[])[0]?.count ?? 0) >= this.acknowledged.size,
      limitMs,
    )) as { id: string; count: number }[];
    assert.ok(row !== undefined);
    assert.equal(row.count, this.acknowledged.size, 'what was acknowledged counts once');
    const stored = await readPages<{ event_id: string }>(service, `${base}/${row.id}/events?per_page=100`);
    const ids = stored.map(({ event_id }) => event_id);
    assert.deepEqual(ids.toSorted(), [...this.acknowledged].toSorted());
    const refused = [...this.refused.values()].reduce((sum, count) => sum + count, 0);
    const sums = await assertOutcomesAddUp(
      service,
      { acknowledged: this.acknowledged.size, refused, unanswered: 0 },
      limitMs,
    );
    assert.equal(sumOf(sums, 'error accepted'), this.acknowledged.size);
  }
}
