import assert from 'node:assert/strict';
import type { Project } from '../../../src/domain/projects/project.ts';
import type { TrackerKind } from '../../../src/domain/projects/tracker-kind.ts';
import { startApp, type RunningApp } from '../../support/app.ts';
import { givenMember, givenProject, type Person } from '../../support/factories.ts';
import { startFakeTracker, type FakeTracker } from '../../support/fake-tracker/fake-tracker.ts';
import { TRACKER_TOKEN } from '../../support/fake-tracker/linked-world.ts';
import type { PersonalityName } from '../../support/fake-tracker/personality.ts';
import type { FakeIssue } from '../../support/fake-tracker/world.ts';
import { SQLITE } from '../../support/test-stores.ts';
import { BASIC, NEVER, ONLY_SENTRY, type Row } from './search-rows.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

const CASES: readonly {
  readonly personality: PersonalityName;
  readonly kind: TrackerKind;
  readonly version: string;
  readonly keys: string;
  /** Marks that errors have. */
  readonly marks: string;
  readonly rows: readonly Row[];
}[] = [
  {
    personality: 'Sentry 26',
    kind: 'sentry',
    version: '26.8.0',
    marks: 'new regressed escalating',
    keys: 'is level environment release user type assigned first-seen last-seen tag has',
    rows: [
      ...BASIC,
      ...NEVER,
      ...ONLY_SENTRY,
      ['has:shop', 'bravo'],
      ['!has:shop', 'charlie'],
      ['is:regressed', 'bravo'],
      ['is:escalating', ''],
      ['is:for_review', 'bravo charlie'],
      ['is:new', 'charlie'],
      ['!is:new', 'bravo'],
      ['first-seen:-24h', 'charlie'],
      ['user:ada', null],
      ['browser:Firefox', 'bravo'],
      ['browser.name:Firefox', 'bravo'],
      ['browser:"Firefox 140"', 'bravo'],
      ['browser:[Firefox,Chrome]', 'bravo'],
      ['browser:"Firefox 1*"', 'bravo'],
    ],
  },
  {
    personality: 'Sentry 21.4',
    kind: 'sentry',
    version: '21.4.1',
    marks: '',
    keys: 'is level environment release user type assigned first-seen last-seen tag has',
    rows: [...BASIC, ...NEVER, ...ONLY_SENTRY, ['is:regressed', null], ['is:escalating', null], ['is:new', 'charlie']],
  },
  {
    personality: 'GlitchTip 5.2',
    kind: 'glitchtip',
    version: '5.2.0',
    marks: '',
    keys: 'is level environment release first-seen tag has',
    rows: [
      ...BASIC,
      ...NEVER,
      ['has:shop', 'bravo'],
      ...ONLY_SENTRY.map(([search]): Row => [search, null]),
      ['is:regressed', null],
      ['is:new', 'charlie'],
    ],
  },
  {
    personality: 'Urgentry',
    kind: 'urgentry',
    version: '0.2.10',
    marks: '',
    keys: 'is level environment release tag',
    rows: [...BASIC, ...NEVER, ['has:shop', null], ['first-seen:-24h', null], ['!level:fatal', null]],
  },
];

for (const { personality, kind, version, keys, marks, rows } of CASES) {
  describe(`searches in a project of ${personality}`, () => {
    let app: RunningApp;
    let tracker: FakeTracker;
    let project: Project;
    let person: Person;
    let base: string;
    let issues: FakeIssue[];

    before(async () => {
      app = await startApp(SQLITE);
      app.clock.at = Date.now();
      tracker = await startFakeTracker(personality);
      const shop = tracker.world.addProject('acme', 'shop', '11');
      tracker.world.addToken(TRACKER_TOKEN);
      const at = Date.now() - MINUTE;
      issues = [
        tracker.world.addIssue(shop, { title: 'alpha', status: 'resolved', events: [{ at: at - 3 * MINUTE }] }),
        tracker.world.addIssue(shop, {
          ...{ title: 'bravo', level: 'fatal' },
          events: [
            {
              at: at - 5 * DAY,
              environment: 'staging',
              tags: [
                ['shop', 'north'],
                ['level', 'odd'],
                ['browser', 'Firefox 140'],
                ['browser.name', 'Firefox'],
              ],
            },
            { at: at - MINUTE },
          ],
        }),
        tracker.world.addIssue(shop, {
          ...{ title: 'charlie', type: 'PayError' },
          events: [{ at, release: 'app@2.0', user: 'ada@example.org', tags: [['handled', 'no']] }],
        }),
      ];
      issues[1]!.substatus = 'regressed';
      issues[2]!.substatus = 'new';
      project = await givenProject(app.store);
      person = await givenMember(app.store, project, 'developer');
      await app.store.saveSettings(project.id, {
        active: true,
        integrated: false,
        apiUrl: `${tracker.origin}/api/0/projects/acme/shop/`,
        thirdpartyProjectId: '11',
        sealedToken: app.trackers.cipher.encrypt(TRACKER_TOKEN, project.id),
        tracker: { base: tracker.origin, kind, version, checkedAt: app.clock.at },
      });
      base = `/api/v4/projects/${project.id}/error_tracking`;
    });
    after(async () => {
      await app.close();
      await tracker.close();
      tracker.assertClean();
    });

    const get = (path: string) => app.get(`${base}${path}`, person.token);
    const namesOf = (errors: { title: string }[]) =>
      errors
        .map(({ title }) => title)
        .sort()
        .join(' ');

    for (const [search, found] of rows) {
      it(search === '' ? 'without conditions' : search, async () => {
        const answer = await get(`/errors?search=${encodeURIComponent(search)}`);
        if (found === null) {
          assert.deepEqual([answer.status, answer.json().code], [400, 'unsupported_by_tracker'], answer.text);
          return;
        }
        assert.equal(answer.status, 200, answer.text);
        assert.equal(namesOf(answer.json()), found);
      });
    }

    it('shows the marks that it names, without times, until the status changes', async () => {
      const none = { new: false, regressed: null, escalating: null, unmuted: null, unhandled: null, for_review: null };
      const shown = async () => {
        const listed: { title: string; id: string; marks: unknown }[] = (await get('/errors?status=all')).json();
        const details = await Promise.all(listed.map(async ({ id }) => (await get(`/errors/${id}`)).json().marks));
        const known = Object.fromEntries(listed.map(({ title, marks: each }) => [title, each]));
        assert.deepEqual(details, Object.values(known));
        return known;
      };
      assert.equal((await get('/capabilities')).json().marks.join(' '), marks);
      if (marks === '') {
        assert.deepEqual(await shown(), { alpha: null, bravo: null, charlie: null });
        return;
      }
      const fresh = { ...none, new: true };
      const regressed = { ...none, regressed: { at: null, release: null } };
      assert.deepEqual(await shown(), { alpha: none, bravo: regressed, charlie: fresh });
      const change = (status: string) =>
        app.ask('PUT', `${base}/errors/${issues[1]!.id}`, { token: person.token, body: { status } });
      assert.equal((await change('resolved')).status, 200);
      assert.deepEqual(await shown(), { alpha: none, bravo: none, charlie: fresh });
      assert.equal((await change('unresolved')).status, 200);
      issues[1]!.substatus = 'escalating';
      // Later than any copy is served.
      app.clock.at += 10 * MINUTE;
      assert.deepEqual((await shown()).bravo, { ...none, escalating: { at: null, cause: {} } });
      issues[1]!.substatus = 'regressed';
    });

    it('names what it can do, and says what it cannot', async () => {
      const { conditions, sorts } = (await get('/capabilities')).json();
      assert.deepEqual([conditions.join(' '), sorts.includes('matters')], [keys, false]);
      const offered = (await get('/search_keys')).json();
      assert.deepEqual([offered.keys.map(({ key }: { key: string }) => key).join(' '), offered.tags], [keys, []]);
      assert.match((await get('/errors?search=file:x.py')).json().message, /cannot search by file:x\.py$/);
      if (kind !== 'sentry') {
        assert.match((await get('/errors?search=release:a*')).json().message, /cannot search by release:a\*$/);
        assert.match((await get('/errors?search=level:[info,error]')).json().message, /by level:info, or level:error$/);
      }
      assert.match((await get('/errors?search=lvel:x')).json().message, /Did you mean level:/);
      assert.equal((await get('/errors?sort=matters')).json().code, 'unsupported_by_tracker');
      for (const path of ['/errors/counts', `/errors/${issues[0]!.id}/similar`, '/discarded']) {
        assert.equal((await get(path)).json().code, 'unsupported_by_tracker', path);
      }
    });

    it('filters by a time range and by reviews, or says that it cannot', async () => {
      const { filters } = (await get('/capabilities')).json();
      for (const [query, filter] of [
        ['range=24h', 'range'],
        ['range=7d', 'range'],
        ['for_review=true', 'for_review'],
      ] as const) {
        // Old versions of a kind refuse what the kind has.
        const answer = await get(`/errors?${query}`);
        if (!filters.includes(filter) || (personality === 'Sentry 21.4' && filter === 'for_review')) {
          assert.equal(answer.json().code, 'unsupported_by_tracker', query);
          continue;
        }
        const errors = answer.json();
        assert.equal(namesOf(errors), 'bravo charlie', query);
        assert.equal(errors[0].range_count, null);
        if (query === 'range=7d') assert.equal(errors[0].frequency, null);
      }
    });

    it('shows columns of events as far as its list has them, and refuses filters', async () => {
      const path = `/errors/${issues[1]!.id}/events`;
      const rows = (await get(`${path}?columns=true`)).json() as { columns: Record<string, unknown> }[];
      assert.equal(rows.length, 2);
      assert.deepEqual(Object.keys(rows[0]!.columns).length, 12);
      assert.ok(typeof rows[1]!.columns.message === 'string');
      if (kind !== 'urgentry') assert.equal(rows[1]!.columns.environment, 'staging');
      assert.equal((await get(`${path}?environment=staging`)).json().code, 'unsupported_by_tracker');
      assert.equal((await get(`${path}/oldest`)).json().code, 'unsupported_by_tracker');
      const { position, stored } = (await get(`${path}/latest`)).json();
      assert.deepEqual([position, stored], [null, null]);
      assert.equal((await get(`/errors/${issues[1]!.id}/events.csv`)).text.trimEnd().split('\r\n').length, 3);
    });

    it('changes the status of chosen errors, says which it could not, and takes it back', async () => {
      const bulk = async (body: object) => app.ask('POST', `${base}/errors/bulk`, { token: person.token, body });
      const ids = issues.map(({ id }) => id);
      const result = (await bulk({ ids: [...ids, '987654'], action: 'status', status: 'resolved' })).json();
      assert.deepEqual(
        [result.changed, result.unchanged, result.gone, result.failed],
        [2, 1, ['987654'], []],
        JSON.stringify(result),
      );
      assert.ok(issues.every(({ status }) => status === 'resolved'));
      const undone = (await bulk({ action: 'restore', restore: result.previous })).json();
      assert.equal(undone.changed, 2);
      assert.deepEqual(
        issues.map(({ status }) => status),
        ['resolved', 'unresolved', 'unresolved'],
      );
      const again = (await bulk({ action: 'restore', restore: result.previous })).json();
      assert.deepEqual([again.changed, again.skipped.length], [0, 2], 'another status than the action set');
      const many = Array.from({ length: 101 }, (_, n) => String(n + 1));
      assert.equal((await bulk({ ids: many, action: 'status', status: 'resolved' })).status, 400);
      for (const body of [
        { all_matching: true, expected: 2, filters: {}, action: 'status', status: 'resolved' },
        { ids, action: 'assignee', user_id: null },
        { ids, action: 'reviewed', reviewed: true },
      ]) {
        assert.equal((await bulk(body)).json().code, 'unsupported_by_tracker');
      }
    });
  });
}
