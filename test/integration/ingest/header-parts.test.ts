import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServiceHere } from '../../support/service-here.ts';
import { eventually, type StartedService } from '../../support/service-process.ts';

type Row = Record<string, unknown>;

const NOTE = 'transaction: taken from the trace header';
const TRACE_ID = 'ab'.repeat(16);

describe('what only the header of an envelope says', function () {
  this.timeout(240_000);
  let dataDir: string;
  let service: StartedService;

  before(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'errgate-header-'));
    service = await startServiceHere(dataDir, {});
  });
  after(async () => {
    await service.end('SIGTERM');
    rmSync(dataDir, { recursive: true, force: true });
  });

  /** As the gin integration of Go sends it, the members of the event changed. */
  const event = (value: string, more: Row): Row => ({
    platform: 'go',
    timestamp: Date.now() / 1000,
    exception: [
      {
        ...{ type: '*main.StockError', value },
        stacktrace: {
          frames: [{ function: value.replace(' ', '_'), module: 'main', filename: 'stock.go', in_app: true }],
        },
      },
    ],
    ...more,
  });

  async function send(header: Row, body: Row): Promise<void> {
    const { url, first } = service;
    const address = `${url}/api/${first.project_id}/envelope/?sentry_key=${new URL(first.dsn).username}`;
    const lines = [header, { type: 'event' }, body].map((line) => JSON.stringify(line)).join('\n');
    const answer = await fetch(address, { method: 'POST', body: lines });
    assert.equal(answer.status, 200, await answer.text());
  }

  const read = async <T>(path: string): Promise<T> => {
    const address = `${service.url}/api/v4/projects/${service.first.project_id}/error_tracking/errors${path}`;
    return (await (await fetch(address, { headers: { 'PRIVATE-TOKEN': service.first.token } })).json()) as T;
  };

  /** Waits for one error with a number of events, and returns it with its newest events. */
  async function errorOf(value: string, count: number): Promise<{ readonly error: Row; readonly events: Row[] }> {
    const [error] = await eventually(
      () => read<Row[]>(`?status=all&search=${encodeURIComponent(value)}`),
      (rows) => rows.reduce((sum, row) => sum + Number(row['count']), 0) === count,
    );
    assert.ok(error);
    const id = String(error['id']);
    const rows = await read<{ readonly event_id: string }[]>(`/${id}/events`);
    const events = await Promise.all(rows.map((row) => read<Row>(`/${id}/events/${row.event_id}`)));
    return { error, events };
  }

  it('is taken from there, labelled, and searched for; the grouping key and the culprit stay', async () => {
    const trace = {
      ...{ trace_id: TRACE_ID, public_key: 'x', transaction: 'GET /orders/:id' },
      ...{ release: 'front@1', environment: 'front', user_id: '7' },
    };
    const sdk = { name: 'sentry.go.gin', version: '0.49.0' };
    const body = event('none left', {});
    await send({ event_id: '1'.repeat(32) }, body);
    await send({ event_id: '2'.repeat(32), trace, sdk }, { ...body, timestamp: Date.now() / 1000 + 1 });
    const { error, events } = await errorOf('none left', 2);
    const newest = events.find((each) => each['event_id'] === '2'.repeat(32));
    assert.equal(newest?.['transaction'], 'GET /orders/:id');
    assert.deepEqual(newest['notes'], [NOTE]);
    assert.deepEqual((newest['contexts'] as Row)['trace'], { trace_id: TRACE_ID });
    assert.deepEqual(newest['sdk'], sdk);
    assert.deepEqual([newest['release'], newest['environment'], newest['user']], [null, null, null]);
    assert.equal(error['culprit'], 'main in none_left');
    const found = await read<Row[]>(`?status=all&search=${encodeURIComponent('transaction:"GET /orders/:id"')}`);
    assert.deepEqual(
      found.map(({ id }) => id),
      [error['id']],
    );
  });

  it('is no part of a key whose fingerprint names the transaction', async () => {
    const body = event('by name', { fingerprint: ['{{ transaction }}', 'by name'] });
    await send({}, body);
    await send({ trace: { transaction: 'GET /a' } }, body);
    await send({ trace: { transaction: 'GET /b' } }, body);
    const { events } = await errorOf('by name', 3);
    assert.deepEqual(events.map(({ transaction }) => transaction).sort(), ['GET /a', 'GET /b', null]);
  });

  it('does not replace what the event says', async () => {
    const own = {
      ...{ transaction: 'own', sdk: { name: 'own', version: '1' } },
      contexts: { trace: { trace_id: 'cd'.repeat(16), op: 'http.server' } },
    };
    const header = { trace: { transaction: 'other', trace_id: TRACE_ID }, sdk: { name: 'other', version: '2' } };
    await send(header, event('own members', own));
    const { events } = await errorOf('own members', 1);
    const [only] = events;
    assert.equal(only?.['transaction'], 'own');
    assert.deepEqual(only['sdk'], own.sdk);
    assert.equal(((only['contexts'] as Row)['trace'] as Row)['trace_id'], 'cd'.repeat(16));
    assert.deepEqual(only['notes'], []);
  });

  it('is ignored where it is no text', async () => {
    await send({ trace: { transaction: { a: 1 }, trace_id: 7 }, sdk: ['x'] }, event('odd header', {}));
    await send({ trace: 'text', sdk: 'text' }, event('odd header', {}));
    const { events } = await errorOf('odd header', 2);
    for (const each of events) {
      assert.deepEqual([each['transaction'], each['sdk'], each['notes']], [null, null, []]);
      assert.equal((each['contexts'] as Row)['trace'], undefined);
    }
  });
});
