import assert from 'node:assert/strict';
import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { assertOutcomesAddUp, sumOf } from './outcome-sums.ts';
import { readPages } from './read-pages.ts';
import { eventually, eventuallyMoving, type StartedService } from './service-process.ts';

const TYPES = 6;
const USERS = 200;
const RELEASES = 4;
const HOUR_MS = 3_600_000;
/** Milliseconds of the past over which events are spread. */
const SPREAD_MS = 40 * HOUR_MS;
/** Number of acknowledged events per repeated one; SDKs and load balancers repeat requests too. */
const REPEAT_EVERY = 50;
/** Milliseconds before a sender tries the next target. */
const RETRY_MS = 50;

interface SentEvent {
  readonly id: string;
  readonly type: string;
  readonly user: string;
  readonly at: number;
  readonly release: string;
}

/** Expected error when each of its events was counted once. */
interface ModelError {
  readonly type: string;
  readonly count: number;
  readonly user_count: number;
  readonly first_seen: string;
  readonly last_seen: string;
  readonly first_release: string;
  readonly last_release: string;
}

/** Address for events; null while the gateway is down. */
export type Target = () => string | null;

/** Sends events until each is acknowledged, and checks the stored result. */
export class DrillLoad {
  readonly #targets: readonly Target[];
  readonly #events: SentEvent[] = [];
  readonly #senders: Promise<void>[] = [];
  #stopped = false;
  #halted = false;
  /** Number of acknowledged events so far. */
  acknowledged = 0;
  /** Answers other than 200. */
  readonly refusals: string[] = [];
  /** Number of 200 answers, repeats included. */
  #takenRequests = 0;
  /** Number of requests whose connection broke before an answer. */
  #unanswered = 0;
  /** Number of repeated attempts after failed ones. */
  retries = 0;

  /** Takes one or more targets. After a lost answer, the event goes to the next target under the same id. */
  constructor(targets: readonly Target[]) {
    this.#targets = targets;
  }

  get sent(): number {
    return this.#events.length;
  }

  /** Sends events continuously until `stop`. `restMs`: milliseconds that a sender rests after each event. */
  start(senders: number, restMs = 0): this {
    for (let sender = 0; sender < senders; sender += 1)
      this.#senders.push(this.#send(sender % this.#targets.length, restMs));
    return this;
  }

  /** Stops new events and waits until all started ones are acknowledged. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#senders);
  }

  /** Stops without waiting, after a failed drill. */
  halt(): void {
    this.#stopped = true;
    this.#halted = true;
  }

  async acknowledgedAtLeast(number: number): Promise<void> {
    await eventually(
      () => Promise.resolve(this.acknowledged),
      (now) => now >= number,
      120_000,
    );
  }

  async #send(home: number, restMs: number): Promise<void> {
    while (!this.#stopped) {
      const event = makeEvent();
      this.#events.push(event);
      let target = home;
      while (!(await this.#attempt(target, event))) {
        if (this.#halted) return;
        this.retries += 1;
        target = (target + 1) % this.#targets.length;
        await wait(RETRY_MS);
      }
      this.acknowledged += 1;
      if (this.#events.length % REPEAT_EVERY === 0) await this.#attempt((home + 1) % this.#targets.length, event);
      if (restMs > 0) await wait(restMs);
    }
  }

  /** Sends an event once; true when it was acknowledged. */
  async #attempt(target: number, event: SentEvent): Promise<boolean> {
    const address = this.#targets[target]?.() ?? null;
    if (address === null) return false;
    let answer: Response;
    try {
      answer = await fetch(address, { method: 'POST', body: bodyOf(event) });
      await answer.arrayBuffer();
    } catch {
      this.#unanswered += 1;
      return false;
    }
    if (answer.status === 200) this.#takenRequests += 1;
    else this.refusals.push(`${answer.status}`);
    return answer.status === 200;
  }

  /** Expected errors by type, if every event was counted once. */
  model(): ModelError[] {
    const types = [...new Set(this.#events.map(({ type }) => type))].sort();
    return types.map((wanted) =>
      modelOf(
        wanted,
        this.#events.filter(({ type }) => type === wanted),
      ),
    );
  }

  /**
   * Waits, while there is progress, until the service shows exactly the model. Then checks every event, hour and tag.
   */
  async assertStored(service: StartedService, stallMs = 60_000): Promise<void> {
    const base = `/api/v4/projects/${service.first.project_id}/error_tracking/errors`;
    const expected = this.model();
    const list = (): Promise<ListedError[]> => readPages<ListedError>(service, `${base}?status=all&per_page=100`);
    const rows = await eventuallyMoving(list, {
      satisfied: (listed) =>
        total(listed) >= this.sent && JSON.stringify(comparable(listed)) === JSON.stringify(expected),
      progress: total,
      stallMs,
      context: () => `${this.sent} events were sent; the service said:\n${service.log().slice(-4000)}`,
    }).catch(async (error: unknown) => {
      console.log(`      ${(error as Error).message}`);
      assert.deepEqual(comparable(await list()), expected);
      throw error;
    });
    const owners = new Map(this.#events.map(({ id, type }) => [id, type]));
    assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length, 'every error has a number of its own');
    for (const row of rows) {
      const mine = this.#events.filter(({ type }) => type === row.type);
      const stored = await readPages<{ event_id: string }>(service, `${base}/${row.id}/events?per_page=100`);
      const ids = stored.map(({ event_id }) => event_id);
      assert.equal(ids.length, new Set(ids).size, `${row.type}: nothing is stored twice`);
      const found = new Set(ids);
      const lost = mine.filter(({ id }) => !found.has(id)).map(({ id }) => id);
      assert.deepEqual(lost, [], `${row.type} (id ${row.id}): nothing is lost`);
      const strange = ids.filter((id) => owners.get(id) !== row.type).map((id) => `${id} ${owners.get(id)}`);
      assert.deepEqual(strange, [], `${row.type}: nothing is stored that was not sent`);
      const detail = (await service.get(`${base}/${row.id}`)) as ErrorDetail;
      const inDays = detail.frequency_30d.reduce((sum, [, count]) => sum + count, 0);
      assert.equal(inDays, row.count, `${row.type}: the hours hold every event once`);
      const releases = detail.tags.find(({ key }) => key === 'release')?.values ?? [];
      assert.deepEqual(
        Object.fromEntries(releases.map(({ value, count }) => [value, count])),
        countBy(mine.map(({ release }) => release)),
        `${row.type}: the tags hold every event once`,
      );
    }
    await this.#assertOutcomes(service, stallMs);
  }

  /** Checks outcomes. A killed gateway may lose refusals of its last seconds, but no accepted event. */
  async #assertOutcomes(service: StartedService, limitMs: number): Promise<void> {
    const sums = await assertOutcomesAddUp(
      service,
      { acknowledged: this.#takenRequests, refused: 0, unanswered: this.#unanswered + this.refusals.length },
      limitMs,
    );
    assert.equal(sumOf(sums, 'error accepted'), this.sent, 'every event is accepted once');
  }
}

interface ListedError extends ModelError {
  readonly id: string;
}

interface ErrorDetail {
  readonly frequency_30d: readonly [number, number][];
  readonly tags: readonly { readonly key: string; readonly values: readonly { value: string; count: number }[] }[];
}

function total(rows: readonly ListedError[]): number {
  return rows.reduce((sum, row) => sum + row.count, 0);
}

function comparable(rows: readonly ListedError[]): ModelError[] {
  return rows
    .map(({ type, count, user_count, first_seen, last_seen, first_release, last_release }) => ({
      type,
      count,
      user_count,
      first_seen,
      last_seen,
      first_release,
      last_release,
    }))
    .sort((a, b) => (a.type < b.type ? -1 : 1));
}

function makeEvent(): SentEvent {
  return {
    id: randomBytes(16).toString('hex'),
    type: `DrillError${randomInt(TYPES)}`,
    user: `user-${randomInt(USERS)}`,
    at: Date.now() - randomInt(SPREAD_MS),
    release: `shop@1.${randomInt(RELEASES)}.0`,
  };
}

function bodyOf({ id, type, user, at, release }: SentEvent): string {
  return JSON.stringify({
    event_id: id,
    timestamp: new Date(at).toISOString(),
    platform: 'python',
    release,
    user: { id: user },
    exception: { values: [{ type, value: 'drill' }] },
  });
}

function modelOf(type: string, events: readonly SentEvent[]): ModelError {
  const ordered = [...events].sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
  const first = ordered[0];
  const last = ordered.at(-1);
  assert.ok(first !== undefined && last !== undefined);
  return {
    type,
    count: events.length,
    user_count: new Set(events.map(({ user }) => user)).size,
    first_seen: new Date(first.at).toISOString(),
    last_seen: new Date(last.at).toISOString(),
    first_release: first.release,
    last_release: last.release,
  };
}

function countBy(values: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}
