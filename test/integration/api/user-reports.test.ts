import assert from 'node:assert/strict';
import { MAX_REPORTED_SEARCHED } from '../../../src/domain/events/report-list.ts';
import type { Project } from '../../../src/domain/projects/project.ts';
import { startApp, type RunningApp } from '../../support/app.ts';
import { givenEvents, givenMember, givenTrackedProject, type Person } from '../../support/factories.ts';
import { BatchJournal, report } from '../../support/session-data.ts';
import { hexId, NOON } from '../../support/store-data.ts';
import { describeOnStores } from '../../support/test-stores.ts';

interface Reported {
  readonly event_id: string;
  readonly error: { readonly id: string; readonly title: string; readonly web_url: string } | null;
  readonly reports: readonly { readonly comments: string; readonly email: string }[];
}

describeOnStores('user reports over REST', (kind) => {
  let app: RunningApp;
  let project: Project;
  let reporter: Person;
  let base: string;

  before(async () => {
    app = await startApp(kind);
  });
  after(() => app.close());
  beforeEach(async () => {
    project = await givenTrackedProject(app.store);
    reporter = await givenMember(app.store, project, 'reporter');
    base = `/api/v4/projects/${project.id}/error_tracking/user_reports`;
  });

  const get = (query: string, reader = reporter) => app.get(base + query, reader.token);
  const nextOf = (headers: Headers) =>
    /[?&]cursor=([^&>]+)[^>]*>; rel="next"/.exec(headers.get('Link') ?? '')?.[1] ?? null;

  it('have their event, its error, and what was written, newest first', async () => {
    const [eventId = ''] = await givenEvents(app.store, project, [{ at: app.clock.at }]);
    const reports = [
      report(project, eventId, 'It broke <b>twice</b>'),
      report(project, hexId('none'), 'Early', NOON + 1),
    ];
    await new BatchJournal(app.store).give({ reports });
    const answer = await get('');
    const [early, about] = answer.json() as [Reported, Reported];
    assert.deepEqual(early, {
      event_id: hexId('none'),
      error: null,
      reports: [
        {
          kind: 'user_report',
          name: 'Ada',
          email: 'ada@example.test',
          comments: 'Early',
          url: null,
          received_at: new Date(NOON + 1).toISOString(),
        },
      ],
    });
    assert.equal(about.reports[0]?.comments, 'It broke <b>twice</b>');
    assert.equal(about.event_id, eventId);
    assert.match(about.error?.web_url ?? '', new RegExp(`/-/error_tracking/${about.error?.id}/details$`));
    assert.equal(answer.headers.get('X-Errgate-Searched'), null);
    const one = await get('?per_page=1');
    const two = await get(`?per_page=1&cursor=${nextOf(one.headers)}`);
    assert.deepEqual([one.json(), two.json()], [[early], [about]]);
    assert.match(two.headers.get('Link') ?? '', /rel="prev"/);
  });

  it('are found by words of one report, over as many requests as it takes', async () => {
    const many = Array.from({ length: MAX_REPORTED_SEARCHED + 150 }, (_, index) =>
      report(project, hexId(`${project.id} ${index}`), `number ${index}`, NOON + index),
    );
    const needles = [
      report(project, hexId('twice'), 'The Needle is here', NOON - 1),
      report(project, hexId('twice'), 'another text', NOON - 2),
      report(project, hexId('near'), 'a NEEDLE nearby', NOON + 1_000_000),
    ];
    await new BatchJournal(app.store).give({ reports: [...many, ...needles] });
    const found: Reported[] = [];
    const searched: number[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const answer = await get(`?search=needle%20ADA&per_page=1${cursor === '' ? '' : `&cursor=${cursor}`}`);
      assert.equal(answer.status, 200, answer.text);
      found.push(...(answer.json() as Reported[]));
      searched.push(Number(answer.headers.get('X-Errgate-Searched')));
      assert.doesNotMatch(answer.headers.get('Link') ?? '', /rel="prev"/);
      cursor = nextOf(answer.headers);
    }
    assert.deepEqual(
      found.map(({ event_id: id, reports }) => [id, reports.map(({ comments }) => comments)]),
      [
        [hexId('near'), ['a NEEDLE nearby']],
        [hexId('twice'), ['The Needle is here']],
      ],
    );
    assert.deepEqual(searched, [1, MAX_REPORTED_SEARCHED, 151]);
    const none = await get('?search=needle%20another');
    assert.deepEqual(none.json(), []);
    assert.ok(nextOf(none.headers) !== null);
  });

  it('refuse guests, foreign cursors, and projects of external trackers', async () => {
    assert.equal((await get('', await givenMember(app.store, project, 'guest'))).status, 403);
    assert.equal((await get('?cursor=zzz')).status, 400);
    assert.equal((await get(`?search=${'x'.repeat(201)}`)).status, 400);
    await app.store.saveSettings(project.id, {
      active: true,
      integrated: false,
      apiUrl: 'https://tracker.example/api/0/projects/org/app/',
      sealedToken: 'x',
    });
    const refused = await get('');
    assert.deepEqual([refused.status, refused.json().code], [400, 'unsupported_by_tracker']);
  });
});
