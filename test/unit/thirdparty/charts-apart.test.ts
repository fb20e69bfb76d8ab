import assert from 'node:assert/strict';
import type { Project } from '../../../src/domain/projects/project.ts';
import type { ErrorQuery } from '../../../src/domain/search/error-query.ts';
import { createThirdpartyBackend } from '../../../src/thirdparty/backend.ts';
import { Dialect } from '../../../src/thirdparty/dialect/dialect.ts';
import { issueBody, scriptedSession, type Answer } from './support/scripted-session.ts';

const NOW = Date.parse('2026-11-27T12:30:00Z');
const HOUR_S = 3600;
const ALL: ErrorQuery = {
  ...{ status: 'all', search: null, sort: 'last_seen', environment: null, release: null, level: null },
  ...{ limit: 20, cursor: null },
};
const hour = (text: string): number => Date.parse(`2026-11-27T${text}:00Z`) / 1000;

/** Row of a chart as recorded: hours without events are missing, and the number of events is called users. */
const chartRow = (id: number, points: readonly (readonly [number, number])[]) => ({
  ...{ id: String(id), count: '7', userCount: 7, isUnhandled: false },
  stats: { '24h': points, '14d': null },
});

/** GlitchTip with two issues; `charts` answers for their charts. */
function givenGlitchTip(charts: () => Answer) {
  const dialect = new Dialect({ kind: 'glitchtip', now: () => NOW });
  const rows = [1, 2].map((id) => issueBody(id, { count: '7', userCount: 0, stats: { '24h': [] } }));
  const { session, asked } = scriptedSession(
    (path) => {
      if (path.includes('issues-stats')) return charts();
      if (path.endsWith('/tags/')) return { body: [] };
      return { body: path === '/api/0/issues/1/' ? rows[0] : rows };
    },
    { dialect },
  );
  const backend = createThirdpartyBackend({
    client: session.client,
    settings: { projectId: 1, apiUrl: 'https://tracker.example/api/0/projects/acme/shop/', thirdpartyProjectId: '5' },
    token: () => 'token',
    clock: { now: () => NOW },
    dialect,
  });
  return { backend, project: { id: 1 } as Project, chartsAsked: () => asked.filter((one) => one.includes('stats')) };
}

describe('charts that GlitchTip has apart from its issues', () => {
  it('are in the list, from one request, and in the error', async () => {
    const { backend, project, chartsAsked } = givenGlitchTip(() => ({
      body: [
        chartRow(1, [
          [hour('10:00'), 5],
          [hour('12:00'), 2],
        ]),
        chartRow(2, []),
      ],
    }));
    const { items } = await backend.list(project, ALL);
    const [first, second] = items;
    assert.deepEqual(chartsAsked(), ['GET /api/0/organizations/acme/issues-stats/?groups=1&groups=2&statsPeriod=24h']);
    assert.equal(first?.frequency?.length, 24);
    assert.deepEqual(first.frequency.slice(-3), [
      [hour('10:00'), 5],
      [hour('10:00') + HOUR_S, 0],
      [hour('12:00'), 2],
    ]);
    // No events, up to now.
    assert.deepEqual([second?.frequency?.length, second?.frequency?.at(-1)], [24, [hour('12:00'), 0]]);
    assert.deepEqual([first.userCount, second?.userCount], [null, null]);
    const detail = await backend.get(project, '1');
    assert.deepEqual(detail.frequency, first.frequency);
    assert.equal(chartsAsked()[1], 'GET /api/0/organizations/acme/issues-stats/?groups=1&statsPeriod=24h');
  });

  it('are missing where the tracker fails or has none, and nothing else is', async () => {
    for (const [status, requests] of [
      [500, 2],
      [404, 1],
    ] as const) {
      const { backend, project, chartsAsked } = givenGlitchTip(() => ({ status }));
      for (let turn = 0; turn < 2; turn += 1) {
        const { items } = await backend.list(project, ALL);
        assert.deepEqual(
          items.map(({ id, count, frequency }) => [id, count, frequency]),
          [
            ['1', 7, null],
            ['2', 7, null],
          ],
        );
      }
      // A version without the route is not asked again.
      assert.equal(chartsAsked().length, requests, `after ${status}`);
    }
  });
});
