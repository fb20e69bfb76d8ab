import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DrillGateway } from '../support/drill-gateway.ts';
import { recordResult } from '../support/record-result.ts';
import { eventually } from '../support/service-process.ts';
import { describeInFullRun } from '../support/test-stores.ts';

const CHANNELS = 10;
const ERRORS = 30;
/** Milliseconds for gathering, failed attempts and restarts on a busy machine. */
const ARRIVES_MS = 180_000;

interface Received {
  readonly id: string;
  readonly channel: string;
  readonly body: string;
  readonly taken: boolean;
}

/** Receiver that fails most attempts until it is told to take them, slowly. */
class Receiver {
  readonly received: Received[] = [];
  takes = false;
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        const id = String(request.headers['webhook-id']);
        const taken = this.takes || this.received.length % 5 === 0;
        this.received.push({ id, channel: request.url ?? '', body, taken });
        setTimeout(() => response.writeHead(taken ? 200 : 500).end(), 150);
      });
    });
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

// Gathering and repeats take minutes of waiting; crashes.test.ts has every step in simulated time.
describeInFullRun('kill -9 of gateways with alerts on the way', (kind, suite) => {
  suite.timeout(ARRIVES_MS * 5);
  // A gateway that takes over waits a minute for the lease where the store is shared.
  const kills = kind.shared ? 4 : 20;
  const receiver = new Receiver();
  const store = kind.forProcesses();
  const gateways: DrillGateway[] = [];
  after(async () => {
    for (const each of gateways) await each.remove();
    receiver.close();
    await store.remove();
  });

  const attempts = (count: number): Promise<number> =>
    eventually(
      () => Promise.resolve(receiver.received.length),
      (received) => received >= count,
      ARRIVES_MS,
    );

  it('loses no error, and repeats messages only with the same id and content', async () => {
    const address = await receiver.start();
    const env = {
      ...store.env,
      ERRGATE_OUTBOUND_ALLOW: '127.0.0.1',
      // Links are part of the content; the port differs after each start.
      ERRGATE_EXTERNAL_URL: 'https://errors.example.org',
    };
    const gateway = await DrillGateway.start(env);
    gateways.push(gateway);
    if (kind.shared) gateways.push(await DrillGateway.start(env, { first: gateway }));
    const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
      const { url, first } = gateway.service;
      const answer = await fetch(`${url}/api/v4/projects/${first.project_id}/error_tracking/${path}`, {
        method,
        headers: { 'PRIVATE-TOKEN': first.token, 'Content-Type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}`);
      return JSON.parse(text);
    };
    for (let index = 0; index < CHANNELS; index += 1) {
      await ask('POST', 'alert_channels', { type: 'webhook', name: `c${index}`, url: `${address}/c${index}` });
    }
    for (let index = 0; index < ERRORS; index += 1) {
      const exception = { values: [{ type: `Error${index}`, value: 'drill' }] };
      const sent = await fetch(gateway.target() ?? '', {
        method: 'POST',
        body: JSON.stringify({ exception, platform: 'node', environment: 'production' }),
      });
      assert.equal(sent.status, 200);
    }
    await attempts(1);
    for (let kill = 0; kill < kills; kill += 1) {
      // On a shared store each gateway is killed in turn after an attempt, and the other one takes over.
      if (kind.shared) await attempts(receiver.received.length + 1);
      else await new Promise((resolve) => setTimeout(resolve, 300 + kill * 120));
      if (kill === Math.floor((kills * 3) / 4)) receiver.takes = true;
      const killed = gateways[kill % gateways.length] ?? gateway;
      await killed.down('SIGKILL');
      await killed.up({ here: kill >= kills - gateways.length });
    }
    const countsOf = (channel: string): Map<string, number> =>
      new Map(
        receiver.received
          .filter((each) => each.channel === channel && each.taken)
          .map(({ id, body }) => [id, (JSON.parse(body) as { data: { counts: { new: number } } }).data.counts.new]),
      );
    const channels = Array.from({ length: CHANNELS }, (_, index) => `/c${index}`);
    const heard = (): number[] =>
      channels.map((channel) => [...countsOf(channel).values()].reduce((sum, count) => sum + count, 0));
    const complete = await eventually(
      () => Promise.resolve(heard()),
      (sums) => sums.every((sum) => sum >= ERRORS),
      ARRIVES_MS,
    );
    assert.deepEqual(
      complete,
      channels.map(() => ERRORS),
    );
    const bodies = new Map<string, string>();
    for (const { id, body } of receiver.received) {
      // The body has no time of the attempt; a repeat is the same text.
      assert.ok((bodies.get(id) ?? body) === body, `the content of ${id} changed`);
      bodies.set(id, body);
    }
    recordResult('alerts killed on the way', {
      ...{ store: kind.name, kills, attempts: receiver.received.length, messages: bodies.size },
      repeats: receiver.received.filter(({ taken }) => taken).length - bodies.size,
    });
  });
});
