import assert from 'node:assert/strict';
import type { Project } from '../../../src/domain/projects/project.ts';
import { startApp, type RunningApp } from '../../support/app.ts';
import { describeOnStores } from '../../support/test-stores.ts';
import {
  givenEvents,
  givenMember,
  givenOutcomes,
  givenTrackedProject,
  type SeededEvent,
} from '../../support/factories.ts';

const HOUR = 3600_000;

describeOnStores('outcomes over REST', (kind) => {
  let app: RunningApp;
  let project: Project;
  let base: string;
  let now: number;

  before(async () => {
    app = await startApp(kind);
  });
  after(() => app.close());
  beforeEach(async () => {
    now = app.clock.at;
    project = await givenTrackedProject(app.store);
    base = `/api/v4/projects/${project.id}/error_tracking`;
  });

  const seed = (...seeds: SeededEvent[]) => givenEvents(app.store, project, seeds);

  describe('by hour', () => {
    const outcomes = async (query: string) => {
      const maintainer = await givenMember(app.store, project, 'maintainer');
      return app.get(`${base}/outcomes${query}`, maintainer.token);
    };

    it('cover the last 24 hours unless a span is given', async () => {
      await seed({ at: now - HOUR }, { at: now - HOUR }, { at: now - 48 * HOUR });
      const recent = (await outcomes('')).json();
      assert.equal(recent.until, new Date(now).toISOString());
      assert.equal(recent.since, new Date(now - 24 * HOUR).toISOString());
      const accepted = (body: { outcomes: { outcome: string; quantity: number }[] }) =>
        body.outcomes.filter(({ outcome }) => outcome === 'accepted').reduce((sum, { quantity }) => sum + quantity, 0);
      assert.equal(accepted(recent), 2);
      const since = new Date(now - 72 * HOUR).toISOString();
      assert.equal(accepted((await outcomes(`?since=${since}`)).json()), 3);
      const until = new Date(now - 24 * HOUR).toISOString();
      assert.equal(accepted((await outcomes(`?since=${since}&until=${until}`)).json()), 1);
    });

    it('begin with the whole hour that contains since', async () => {
      await seed({ at: now - HOUR });
      const since = new Date(now - HOUR / 2).toISOString();
      const body = (await outcomes(`?since=${since}`)).json();
      assert.equal(body.since, new Date(now - HOUR).toISOString());
      assert.equal(body.outcomes[0].quantity, 1);
    });

    it('refuse invalid spans', async () => {
      for (const query of ['?since=yesterday', '?until=1', '?since=2026-02-30T25:00:00Z']) {
        assert.match((await outcomes(query)).json().error, /^(since|until) is invalid$/);
      }
      const reversed = '?since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z';
      assert.deepEqual((await outcomes(reversed)).json(), { error: 'since must not be after until' });
      const endless = '?since=1970-01-01T00:00:00Z&until=2026-01-01T00:00:00Z';
      assert.deepEqual((await outcomes(endless)).json(), { error: 'since must be at most 90 days before until' });
    });

    it('are for Maintainers only', async () => {
      const developer = await givenMember(app.store, project, 'developer');
      assert.equal((await app.get(`${base}/outcomes`, developer.token)).status, 403);
    });

    it('work while the Monitor feature is off', async () => {
      await app.store.updateProject(project.id, { monitorEnabled: false });
      assert.equal((await outcomes('')).status, 200);
    });
  });

  describe('grouped and filtered', () => {
    interface Body {
      readonly since: string;
      readonly until: string;
      readonly outcomes: Record<string, string | number>[];
    }
    let token: string;
    let first: number;
    beforeEach(async () => {
      token = (await givenMember(app.store, project, 'maintainer')).token;
      first = now - 30 * HOUR;
      const limited = { category: 'error', outcome: 'rate_limited', reason: 'key_limit' } as const;
      const accepted = { category: 'error', outcome: 'accepted', reason: '' } as const;
      const dropped = { category: 'transaction', outcome: 'filtered', reason: 'unsupported_item' } as const;
      await givenOutcomes(app.store, project, [
        ...Array.from({ length: 30 }, (_, hour) => ({ ...accepted, keyId: 1, at: first + hour * HOUR, quantity: 10 })),
        ...Array.from({ length: 5 }, (_, hour) => ({ ...limited, keyId: 2, at: first + hour * HOUR, quantity: 3 })),
        { ...dropped, keyId: 1, at: first, quantity: 7 },
        { ...limited, keyId: 1, at: first, quantity: 1 },
      ]);
    });
    const get = async (query: string): Promise<Body> => {
      const since = new Date(first).toISOString();
      const answer = await app.get(`${base}/outcomes?since=${since}&${query}`, token);
      assert.equal(answer.status, 200, answer.text);
      return answer.json() as Body;
    };

    it('group by any of the members, in the documented order', async () => {
      assert.deepEqual((await get('group_by=outcome')).outcomes, [
        { outcome: 'accepted', quantity: 300 },
        { outcome: 'filtered', quantity: 7 },
        { outcome: 'rate_limited', quantity: 16 },
      ]);
      assert.deepEqual((await get('group_by=reason,%20key_id')).outcomes, [
        { key_id: 1, reason: '', quantity: 300 },
        { key_id: 1, reason: 'key_limit', quantity: 1 },
        { key_id: 1, reason: 'unsupported_item', quantity: 7 },
        { key_id: 2, reason: 'key_limit', quantity: 15 },
      ]);
      const days = (await get('group_by=day&outcome=accepted')).outcomes;
      assert.deepEqual(
        days.map(({ day, quantity }) => [day, quantity]),
        [
          ['2026-01-14T00:00:00.000Z', 180],
          ['2026-01-15T00:00:00.000Z', 120],
        ],
      );
      const hours = (await get('group_by=hour')).outcomes;
      assert.deepEqual(hours.slice(0, 2), [
        { hour: new Date(first).toISOString(), quantity: 21 },
        { hour: new Date(first + HOUR).toISOString(), quantity: 13 },
      ]);
      assert.equal(hours.length, 30);
    });

    it('filter by key, category, outcome and reason', async () => {
      const sums = async (query: string) =>
        (await get(`group_by=outcome&${query}`)).outcomes.map(({ outcome, quantity }) => `${outcome} ${quantity}`);
      assert.deepEqual(await sums('key_id=2'), ['rate_limited 15']);
      assert.deepEqual(await sums('category=transaction'), ['filtered 7']);
      assert.deepEqual(await sums('outcome=rate_limited'), ['rate_limited 16']);
      assert.deepEqual(await sums('reason=key_limit&key_id=1'), ['rate_limited 1']);
      assert.deepEqual(await sums('reason=nonsense'), []);
    });

    it('come in pages that add up to the whole, for every grouping, while more is counted', async () => {
      for (const group of ['', 'group_by=hour', 'group_by=day,outcome', 'group_by=category,reason']) {
        const whole = (await get(group)).outcomes;
        const until = new Date(now).toISOString();
        let path: string | null =
          `${base}/outcomes?since=${new Date(first).toISOString()}&until=${until}&per_page=3&${group}`;
        const joined: Record<string, string | number>[] = [];
        while (path !== null) {
          const answer = await app.get(path, token);
          assert.equal(answer.status, 200, answer.text);
          const page = (answer.json() as Body).outcomes;
          assert.ok(page.length > 0 && page.length <= 3);
          joined.push(...page);
          const link = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
          path = link === undefined ? null : new URL(link).pathname + new URL(link).search;
        }
        assert.deepEqual(joined, whole);
      }
    });

    it('keep the span of the first page where none was given', async () => {
      const start = await app.get(`${base}/outcomes?per_page=5`, token);
      const link = new URL(/<([^>]+)>; rel="next"/.exec(start.headers.get('link') ?? '')?.[1] ?? '');
      app.clock.at += 3 * HOUR;
      const next = (await app.get(link.pathname + link.search, token)).json() as Body;
      app.clock.at -= 3 * HOUR;
      const { since, until } = start.json() as Body;
      assert.deepEqual([next.since, next.until], [since, until]);
    });

    it('refuse unknown groups and filters, and cursors of another query', async () => {
      const refusal = async (query: string) => (await app.get(`${base}/outcomes?${query}`, token)).json();
      for (const groups of ['nonsense', 'hour,day', 'hour,,reason', 'hour;reason']) {
        assert.match((await refusal(`group_by=${groups}`)).error, /^group_by does not have a valid value/);
      }
      assert.match((await refusal('outcome=lost')).error, /^outcome does not have a valid value/);
      assert.match((await refusal('key_id=x')).error, /^key_id is invalid/);
      for (const cursor of ['x', 'W10', Buffer.from('["",0,1e15]').toString('base64url')]) {
        assert.equal((await refusal(`cursor=${cursor}`)).message, 'cursor is not a cursor of this list');
      }
      const start = await app.get(`${base}/outcomes?per_page=5`, token);
      const cursor = new URL(/<([^>]+)>/.exec(start.headers.get('link') ?? '')?.[1] ?? '').searchParams.get('cursor');
      assert.match((await refusal(`cursor=${cursor}&group_by=hour`)).message, /^cursor belongs to another query/);
    });
  });
});
