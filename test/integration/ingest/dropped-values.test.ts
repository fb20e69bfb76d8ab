import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServiceHere } from '../../support/service-here.ts';
import { eventually, type StartedService } from '../../support/service-process.ts';

type Row = Record<string, unknown>;

describe('values that are dropped from an event', function () {
  this.timeout(240_000);
  let dataDir: string;
  let service: StartedService;

  before(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'errgate-dropped-'));
    service = await startServiceHere(dataDir, {});
  });
  after(async () => {
    await service.end('SIGTERM');
    rmSync(dataDir, { recursive: true, force: true });
  });

  const read = async <T>(path: string): Promise<T> => {
    const address = `${service.url}/api/v4/projects/${service.first.project_id}/error_tracking${path}`;
    return (await (await fetch(address, { headers: { 'PRIVATE-TOKEN': service.first.token } })).json()) as T;
  };

  it('are named with the reason on the event, and counted', async () => {
    const { url, first } = service;
    const address = `${url}/api/${first.project_id}/store/?sentry_key=${new URL(first.dsn).username}`;
    for (const more of [
      { release: 'shop/1.4', environment: 'my prod' },
      { release: 'shop@1', environment: 'a/b', tags: { 'no way': 'x', 'a/b': 1 }, user: 'ada' },
      { release: 'shop@1', environment: 'production' },
    ]) {
      const answer = await fetch(address, { method: 'POST', body: JSON.stringify({ message: 'm', ...more }) });
      assert.equal(answer.status, 200, await answer.text());
    }
    const { outcomes } = await eventually(
      () => read<{ readonly outcomes: Row[] }>('/outcomes?group_by=category,outcome,reason'),
      (answer) => answer.outcomes.some(({ category, quantity }) => category === 'error' && quantity === 3),
    );
    assert.deepEqual(
      outcomes.map(({ category, outcome, reason, quantity }) => [category, outcome, reason, quantity]),
      [
        ['error', 'accepted', '', 3],
        ['value', 'invalid', 'invalid_environment', 1],
        ['value', 'invalid', 'invalid_release', 1],
      ],
    );
    const items = await read<{ readonly outcomes: Row[] }>('/outcomes?group_by=outcome');
    assert.deepEqual(items.outcomes, [{ outcome: 'accepted', quantity: 3 }]);
    const [error] = await read<{ readonly id: string }[]>('/errors?status=all');
    assert.ok(error);
    const rows = await read<{ readonly event_id: string }[]>(`/errors/${error.id}/events`);
    const events = await Promise.all(rows.map((row) => read<Row>(`/errors/${error.id}/events/${row.event_id}`)));
    const shown = events.map(({ release, environment, notes }) => JSON.stringify([release, environment, notes])).sort();
    assert.deepEqual(shown, [
      '["shop@1","production",[]]',
      JSON.stringify([
        'shop@1',
        null,
        [
          'dropped: user is invalid (is no object)',
          'dropped: tags[1] is invalid (its name has other characters than letters, digits, _, ., : and -)',
          'dropped: environment is invalid (has a slash)',
        ],
      ]),
      '[null,"my prod",["dropped: release is invalid (has a slash)"]]',
    ]);
  });
});
