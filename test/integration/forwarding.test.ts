import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../src/storage/sqlite/files/open-database.ts';
import { FakeTarget } from '../support/fake-target.ts';
import { startServiceHere } from '../support/service-here.ts';
import { eventually, type StartedService } from '../support/service-process.ts';

const ENV = { ERRGATE_OUTBOUND_ALLOW: '127.0.0.1' };
const id = (digit: string) => digit.repeat(32);

describe('service that forwards', function () {
  this.timeout(120_000);
  let dataDir = '';
  let target: FakeTarget;
  let service: StartedService;

  before(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'errgate-forwarding-'));
    service = await startServiceHere(dataDir, ENV);
  });
  after(async () => {
    await service.end('SIGTERM');
    rmSync(dataDir, { recursive: true, force: true });
  });
  beforeEach(async () => {
    target = await FakeTarget.start();
  });
  afterEach(() => target.close());

  async function api(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
    const answer = await fetch(`${service.url}/api/v4${path}`, {
      method,
      headers: { 'PRIVATE-TOKEN': service.first.token, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}`);
    return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
  }
  const own = () => service.first.project_id;
  const pathOf = (project: number) => `/projects/${project}/error_tracking/forwarding`;
  const forward = (project: number, dsn: string) => api('PUT', pathOf(project), { dsn });

  async function send(project: number, dsn: string, items: string, eventId: string, headers = {}): Promise<number> {
    const begun = performance.now();
    const answer = await fetch(`${service.url}/api/${project}/envelope/?sentry_key=${new URL(dsn).username}`, {
      method: 'POST',
      headers,
      body: `{"event_id":"${eventId}","dsn":"${dsn}"}\n${items}`,
    });
    assert.equal(answer.status, 200, await answer.text());
    return performance.now() - begun;
  }
  const event = '{"type":"event"}\n{"message":"forwarded"}';
  const counted = async (result: string): Promise<number> => {
    const text = await (await fetch(`${service.url}/-/metrics`)).text();
    return Number(
      new RegExp(`^errgate_forward_requests_total\\{result="${result}"\\} (\\d+)`, 'm').exec(text)?.[1] ?? 0,
    );
  };

  it('sends everything on, also after a restart, and marks the events as known there', async () => {
    const { dsn } = service.first;
    await forward(own(), target.dsn);
    target.reply = () => ({ status: 503 });
    const session = '{"type":"session"}\n{"sid":"x"}\n{"type":"check_in"}\n{}';
    await send(own(), dsn, `${event}\n{"type":"attachment","length":3}\na\nb`, id('a'));
    await send(own(), dsn, session, id('b'));
    await eventually(
      () => api('GET', pathOf(own())),
      ({ last_failure: failure }) => String(failure).includes('503'),
    );
    await service.end('SIGTERM');
    target.reply = () => ({});
    service = await startServiceHere(dataDir, ENV);
    await eventually(
      async () => target.itemTypes,
      (types) => types.length === 4,
    );
    assert.deepEqual(target.itemTypes.toSorted(), ['attachment', 'check_in', 'event', 'session']);
    assert.deepEqual(target.problems, []);
    const settled = await eventually(
      () => api('GET', pathOf(own())),
      ({ waiting_bytes: bytes, last_success_at: at }) => bytes === 0 && at !== null,
    );
    assert.equal(settled['pending'], true, 'within the minute');
    const db = await openDatabase(join(dataDir, 'errgate.db'), 'reader', false);
    try {
      const known = async () => db.number('SELECT count(*) FROM known_events WHERE known = 1');
      assert.equal(await eventually(known, (number) => number > 0), 1);
    } finally {
      db.close();
    }
  });

  it('answers SDKs and stops as fast as ever beside a target that hangs', async () => {
    await forward(own(), target.dsn);
    let hanging = 0;
    target.reply = () => {
      hanging += 1;
      return { hang: true };
    };
    await send(own(), service.first.dsn, event, id('c'));
    await eventually(
      async () => hanging,
      (number) => number > 0,
    );
    const times: number[] = [];
    for (let i = 0; i < 50; i += 1)
      times.push(await send(own(), service.first.dsn, event, i.toString(16).padStart(32, 'd')));
    assert.ok((times.toSorted((a, b) => a - b)[25] ?? Infinity) < 250);
    const begun = performance.now();
    await service.end('SIGTERM');
    assert.ok(performance.now() - begun < 8000);
    target.reply = () => ({});
    service = await startServiceHere(dataDir, ENV);
    await eventually(
      async () => target.eventIds.size,
      (number) => number >= 51,
    );
  });

  it('never sends on what it sent itself: two projects that forward to each other', async () => {
    const { id: other } = (await api('POST', '/projects', { path: 'demo/other' })) as { id: number };
    await api('PUT', `/projects/${other}/error_tracking/settings`, { active: true, integrated: true });
    const [key] = (await api('GET', `/projects/${other}/error_tracking/client_keys`)) as unknown as {
      thirdparty_dsn: string;
    }[];
    const here = (dsn: string, project: number) => {
      const { port } = new URL(service.url);
      return `http://${new URL(dsn).username}@127.0.0.1:${port}/${project}`;
    };
    const otherDsn = here(key?.thirdparty_dsn ?? '', other);
    const ownDsn = here(service.first.dsn, own());
    await forward(own(), otherDsn);
    await forward(other, ownDsn);
    const before = await counted('loop');
    await send(own(), ownDsn, '{"type":"event"}\n{"message":"a ring"}', id('e'));
    assert.equal(
      await eventually(
        () => counted('loop'),
        (number) => number > before,
      ),
      before + 1,
    );
    const found = await eventually(
      () => api('GET', `/projects/${other}/error_tracking/errors`),
      (rows) => (rows as unknown as unknown[]).length > 0,
    );
    assert.deepEqual(
      (found as unknown as { count: number }[]).map(({ count }) => count),
      [1],
    );
    await api('DELETE', pathOf(own()));
    await api('DELETE', `/projects/${other}`);
  });

  it('sends nothing more after the forward or its project was removed', async () => {
    await forward(own(), target.dsn);
    target.reply = () => ({ status: 503 });
    await send(own(), service.first.dsn, event, id('f'));
    await eventually(
      async () => target.requests,
      (number) => number > 0,
    );
    const before = await counted('removed');
    await api('DELETE', pathOf(own()));
    await eventually(
      () => counted('removed'),
      (number) => number > before,
    );
    target.reply = () => ({});
    await eventually(
      async () => {
        const requests = target.requests;
        await send(own(), service.first.dsn, event, id('1'));
        await api('GET', `/projects/${own()}/error_tracking/errors`);
        return target.requests - requests;
      },
      (number) => number === 0,
    );
    assert.equal(target.eventIds.has(id('1')), false);
  });
});
