import assert from 'node:assert/strict';
import { AppError } from '../../../src/domain/app-error.ts';
import type { TrackedError } from '../../../src/domain/errors/tracked-error.ts';
import { startApp, type RunningApp } from '../../support/app.ts';
import { givenEvents, givenMember, givenPerson, givenProject, givenTrackedProject } from '../../support/factories.ts';
import { describeOnStores } from '../../support/test-stores.ts';

const HOUR_MS = 3_600_000;
const API_URL = 'https://tracker.example/api/0/projects/o/p/';

/** What a tracker tells of an error. */
const FOREIGN: Omit<TrackedError, 'projectId' | 'firstSeen' | 'lastSeen'> = {
  ...{ id: '77', type: 'KeyError', title: 'KeyError: there', message: null, culprit: null, level: 'error' },
  ...{ platform: null, status: 'unresolved', statusDetails: null, assignee: null, count: 3, userCount: null },
  ...{ firstRelease: null, lastRelease: null, externalUrl: 'https://tracker.example/77', externalIds: [] },
  ...{ tracker: null, frequency: null, rangeCount: null, marks: null },
};

interface Answer {
  readonly errors: readonly { readonly title: string; readonly project: { readonly path_with_namespace: string } }[];
  readonly missing: readonly { readonly project: { readonly path_with_namespace: string }; readonly reason: string }[];
  readonly left_out: number;
}

describeOnStores('the stream of all projects', (kind) => {
  let app: RunningApp;

  before(async () => {
    app = await startApp(kind);
  });
  after(() => app.close());

  const stream = async (token: string, query = ''): Promise<Answer> => {
    const answer = await app.get(`/api/v4/error_tracking/errors?sort=matters${query}`, token);
    assert.equal(answer.status, 200, answer.text);
    return answer.json() as Answer;
  };
  const titles = ({ errors }: Answer) => errors.map(({ title }) => title);

  /** Brings ranks up to date. */
  async function rank(): Promise<void> {
    while ((await app.store.rankErrors(app.clock.at)) > 0);
  }

  it('merges what matters most of every project that the user may read', async () => {
    const [one, two] = [await givenTrackedProject(app.store), await givenTrackedProject(app.store)];
    const { token, user } = await givenMember(app.store, one, 'reporter');
    await app.store.setMember(two.id, user.id, 20);
    const hidden = await givenTrackedProject(app.store);
    const off = await givenTrackedProject(app.store, { monitorEnabled: false });
    const guests = await givenTrackedProject(app.store);
    await app.store.setMember(off.id, user.id, 40);
    await app.store.setMember(guests.id, user.id, 10);
    const at = app.clock.at;
    for (const project of [hidden, off, guests]) await givenEvents(app.store, project, [{ at, title: 'not for all' }]);
    await givenEvents(app.store, one, [
      { at: at - 60 * HOUR_MS, group: 'old', title: 'old', userHash: null },
      { at, group: 'new', title: 'new', userHash: null },
    ]);
    await givenEvents(app.store, two, [
      ...[1, 2, 3, 4].map((user_) => ({ at, group: 'many', title: 'many', userHash: `${user_}`.repeat(24) })),
      { at: at - 61 * HOUR_MS, group: 'older', title: 'older', userHash: null },
    ]);
    await rank();
    const answer = await stream(token);
    assert.deepEqual([titles(answer), answer.missing, answer.left_out], [['many', 'new', 'old', 'older'], [], 0]);
    assert.deepEqual(
      answer.errors.map(({ project }) => project.path_with_namespace),
      [two.path, one.path, one.path, two.path],
    );
    assert.deepEqual(titles(await stream(token, '&per_page=2')), ['many', 'new']);
    assert.deepEqual(titles(await stream(token, '&favourites=true')), []);
    await app.store.setFavourite(user.id, one.id, true);
    assert.deepEqual(titles(await stream(token, '&favourites=true')), ['new', 'old']);
    assert.equal((await app.get('/api/v4/error_tracking/errors?sort=users', token)).status, 400);
    assert.equal((await app.get('/api/v4/error_tracking/errors')).status, 401);
    assert.deepEqual(titles(await stream((await givenPerson(app.store)).token)), []);
  });

  it('has errors of external trackers by what is known of them, and says which do not answer', async () => {
    const here = await givenTrackedProject(app.store);
    const { token, user } = await givenMember(app.store, here, 'reporter');
    const at = app.clock.at;
    await givenEvents(app.store, here, [{ at: at - 30 * HOUR_MS, title: 'here', userHash: null }]);
    await rank();
    const linked = await Promise.all(['answers', 'fails', 'hangs'].map(() => givenProject(app.store)));
    for (const project of linked) {
      await app.store.saveSettings(project.id, { active: true, integrated: false, apiUrl: API_URL, sealedToken: 'x' });
      await app.store.setMember(project.id, user.id, 20);
    }
    const [answers, fails, hangs] = linked;
    const { backendFor } = app.deps;
    const aborted: number[] = [];
    app.deps.backendFor = (project, settings, mayPoll) => ({
      ...backendFor(project, settings, mayPoll),
      ...(settings.integrated
        ? {}
        : {
            list: async (asked, query, signal) => {
              assert.deepEqual([query.sort, mayPoll], ['last_seen', true]);
              if (asked.id === fails?.id) throw new AppError('tracker_unreachable', 'The tracker is away.');
              if (asked.id === hangs?.id) {
                signal?.addEventListener('abort', () => aborted.push(asked.id));
                return new Promise<never>(() => undefined);
              }
              const error = { ...FOREIGN, projectId: asked.id, firstSeen: at - HOUR_MS, lastSeen: at };
              return { items: [error], previous: null, next: null };
            },
          }),
    });
    const began = performance.now();
    const answer = await stream(token);
    assert.ok(performance.now() - began < 10_000);
    app.deps.backendFor = backendFor;
    assert.deepEqual(titles(answer), ['KeyError: there', 'here'], 'new there, a day old here');
    assert.deepEqual(
      answer.missing.map(({ project, reason }) => [project.path_with_namespace, reason]).sort(),
      [
        [fails?.path, 'The tracker is away.'],
        [hangs?.path, 'The tracker did not answer in time.'],
      ].sort(),
    );
    assert.equal(answer.errors[0]?.project.path_with_namespace, answers?.path);
    assert.deepEqual(aborted, [hangs?.id]);
  });

  it('looks at 100 projects, favourites first, then the newest', async () => {
    const { token, user } = await givenPerson(app.store);
    const projects = [];
    for (let index = 0; index < 103; index += 1) {
      const project = await givenTrackedProject(app.store);
      await app.store.setMember(project.id, user.id, 20);
      projects.push(project);
    }
    const [first, second] = projects;
    assert.ok(first !== undefined && second !== undefined);
    for (const project of [first, second]) {
      await givenEvents(app.store, project, [{ at: app.clock.at, title: `in ${project.path}` }]);
    }
    await rank();
    assert.deepEqual([titles(await stream(token)), (await stream(token)).left_out], [[], 3]);
    await app.store.setFavourite(user.id, second.id, true);
    assert.deepEqual(titles(await stream(token)), [`in ${second.path}`]);
  });
});
