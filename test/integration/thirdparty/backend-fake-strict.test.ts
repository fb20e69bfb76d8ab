import assert from 'node:assert/strict';
import { startFakeTracker, type FakeTracker } from '../../support/fake-tracker/fake-tracker.ts';
import { faults } from '../../support/fake-tracker/faults.ts';
import { PERSONALITY_NAMES, type PersonalityName } from '../../support/fake-tracker/personality.ts';

const NOW = Date.UTC(2026, 2, 10, 12);
const TOKEN = 'f'.repeat(64);
const LIST = '/api/0/projects/org/app/issues/?query=is%3Aunresolved';

describe('the fake trackers', () => {
  let tracker: FakeTracker;
  const start = async (name: PersonalityName, options: object = {}): Promise<void> => {
    tracker = await startFakeTracker(name, { now: NOW, ...options });
    const app = tracker.world.addProject('org', 'app', '11');
    tracker.world.addToken(TOKEN);
    for (let index = 0; index < 5; index += 1) {
      tracker.world.addIssue(app, { title: `Error: number ${index}`, events: [{ at: NOW - index * 1000 }] });
    }
  };
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(tracker.origin + path, {
      redirect: 'manual',
      ...init,
      headers: { authorization: `Bearer ${TOKEN}`, ...(init.headers as Record<string, string> | undefined) },
    });
  const issueId = () => tracker.world.issues[0]!.id;
  afterEach(async () => {
    await tracker.close();
  });

  for (const name of PERSONALITY_NAMES) {
    describe(name, () => {
      beforeEach(() => start(name));

      const refused: [what: string, violation: RegExp, path: () => string, init?: RequestInit][] = [
        ['a missing trailing slash', /no trailing slash/, () => `/api/0/issues/${issueId()}`],
        ['a doubled slash', /doubled slash/, () => '/api/0//projects/'],
        ['an Origin', /header origin/, () => LIST, { headers: { origin: 'https://a.example' } }],
        ['a Cookie', /header cookie/, () => LIST, { headers: { cookie: 'a=b' } }],
        ['a token in the address', /token stands/, () => `${LIST}&token=${TOKEN}`],
        ['another way to log in', /not a bearer/, () => LIST, { headers: { authorization: `Token ${TOKEN}` } }],
        ['an unknown parameter', /unknown parameter page/, () => `${LIST}&page=2`],
        ['a parameter sent twice', /sort sent twice/, () => `${LIST}&sort=date&sort=new`],
        ['too long a page', /limit has the value/, () => `${LIST}&limit=101`],
        ['no query', /no query/, () => '/api/0/projects/org/app/issues/'],
        ['a query with an open quote', /closed|closing/i, () => '/api/0/projects/org/app/issues/?query=%22a'],
        ['an unknown route', /no such route/, () => '/api/0/projects/org/app/teams/'],
        ['an id that is none', /no id/, () => '/api/0/issues/a%27b/'],
        ['many issues at once', /many issues/, () => '/api/0/projects/org/app/issues/', { method: 'PUT', body: '{}' }],
        ['DELETE', /never needed/, () => `/api/0/issues/${issueId()}/`, { method: 'DELETE' }],
        ['PUT without a type', /not JSON/, () => `/api/0/issues/${issueId()}/`, { method: 'PUT', body: '{}' }],
        [
          'PUT with more than the status',
          /members/,
          () => `/api/0/issues/${issueId()}/`,
          {
            method: 'PUT',
            body: '{"status":"resolved","merge":1}',
            headers: { 'content-type': 'application/json' },
          },
        ],
        [
          'an unknown status',
          /the status gone/,
          () => `/api/0/issues/${issueId()}/`,
          { method: 'PUT', body: '{"status":"gone"}', headers: { 'content-type': 'application/json' } },
        ],
      ];
      for (const [what, violation, path, init] of refused) {
        it(`minds ${what}`, async () => {
          tracker.brownout = false;
          await (await ask(path(), init)).arrayBuffer();
          assert.match(tracker.violations.join('\n'), violation);
          assert.throws(() => tracker.assertClean());
        });
      }

      it('answers a good request without a word', async () => {
        const response = await ask(LIST);
        assert.equal(response.status, 200);
        assert.equal(((await response.json()) as unknown[]).length, 5);
        tracker.assertClean();
      });

      it('minds more than five requests at once', async () => {
        tracker.fail(faults.late(150));
        await Promise.all(Array.from({ length: 7 }, async () => (await ask(LIST)).arrayBuffer()));
        assert.match(tracker.violations.join(), /in flight at once/);
      });
    });
  }

  it('teaches a dialect once, and minds a client that forgets', async () => {
    await start('GlitchTip 5.2');
    assert.equal((await ask(`${LIST}&sort=freq`)).status, 422);
    tracker.assertClean();
    assert.equal((await ask(`${LIST}&sort=freq`)).status, 422);
    assert.throws(() => tracker.assertClean(), /asked again/);
  });

  it('walks all pages forth and back in every dialect', async () => {
    for (const [name, size] of [
      ['Sentry 21.4', 'limit=2'],
      ['Sentry 26', 'limit=2'],
      ['GlitchTip 5.2', 'limit=2'],
      ['Urgentry', 'per_page=2'],
    ] as const) {
      await start(name);
      const seen: string[] = [];
      const cursorOf = (response: Response, rel: string) =>
        new RegExp(`rel="${rel}"; results="true"; cursor="([^"]+)"`).exec(response.headers.get('link') ?? '')?.[1];
      let [cursor, direction]: [string | undefined, 'next' | 'previous'] = [undefined, 'next'];
      for (let page = 0; page < 5; page += 1) {
        const response = await ask(
          `${LIST}&${size}${cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
        );
        seen.push(((await response.json()) as { title: string }[]).map(({ title }) => title.at(-1)).join(''));
        if (cursorOf(response, direction) === undefined) direction = 'previous';
        cursor = cursorOf(response, direction);
      }
      assert.deepEqual(seen, ['01', '23', '4', '23', '01'], name);
      tracker.assertClean();
      if (name !== 'Urgentry') await tracker.close();
    }
  });

  it('says 410 during a brownout, with the way out', async () => {
    await start('Sentry 26');
    const response = await ask('/api/0/projects/');
    assert.equal(response.status, 410);
    assert.match(response.headers.get('x-sentry-replacement-endpoint') ?? '', /^\/api\/0\/organizations\//);
    assert.equal((await ask(`/api/0/organizations/org/issues/${issueId()}/`)).status, 200);
  });

  it('says that a renamed project moved', async () => {
    await start('Sentry 26');
    tracker.world.projects[0]!.formerSlugs.push('old');
    const response = await ask('/api/0/projects/org/old/');
    assert.equal(response.status, 302);
    assert.equal(((await response.json()) as { slug: string }).slug, 'app');
  });

  it('limits when configured to', async () => {
    await start('Sentry 26', { perSecond: 2 });
    const statuses = [];
    for (let index = 0; index < 3; index += 1) statuses.push((await ask(LIST)).status);
    assert.deepEqual(statuses, [200, 200, 429]);
  });
});
