import assert from 'node:assert/strict';
import type { Project } from '../../../src/domain/projects/project.ts';
import { AppError } from '../../../src/domain/app-error.ts';
import { startApp, type RunningApp } from '../../support/app.ts';
import { describeOnStores } from '../../support/test-stores.ts';
import {
  exception,
  frame,
  givenEvents,
  givenMember,
  givenPerson,
  givenProject,
  givenToken,
  givenTrackedProject,
  type Person,
} from '../../support/factories.ts';

const HOUR = 3600_000;
const SIGN_IN = { error: 'You need to sign in or sign up before continuing.' };

describeOnStores('web JSON', (kind) => {
  let app: RunningApp;
  let project: Project;
  let reporter: Person;
  let developer: Person;
  let base: string;
  let now: number;

  before(async () => {
    app = await startApp(kind);
  });
  after(() => app.close());
  beforeEach(async () => {
    now = app.clock.at;
    project = await givenTrackedProject(app.store);
    reporter = await givenMember(app.store, project, 'reporter');
    developer = await givenMember(app.store, project, 'developer');
    base = `/${project.path}/-/error_tracking`;
  });

  const get = (path: string, person = reporter) => app.get(base + path, person.token);
  const put = (id: string, body: unknown, person = developer) =>
    app.ask('PUT', `${base}/${id}.json`, { token: person.token, body });
  const seedOne = async () => {
    await givenEvents(app.store, project, [{ at: now - 2 * HOUR }, { at: now - HOUR }]);
    return String((await get('.json')).json().errors[0].id);
  };

  it('lists errors', async () => {
    const id = await seedOne();
    const answer = await get('.json');
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('Poll-Interval'), '1000');
    const { errors, pagination, external_url } = answer.json();
    assert.deepEqual(pagination, {});
    assert.equal(external_url, null);
    const [{ frequency, ...error }] = errors;
    assert.equal(frequency.length, 24);
    assert.deepEqual(error, {
      id,
      title: 'ValueError: it broke',
      type: 'ValueError',
      user_count: 1,
      count: 2,
      first_seen: new Date(now - 2 * HOUR).toISOString(),
      last_seen: new Date(now - HOUR).toISOString(),
      message: 'it broke',
      culprit: 'app.views in show',
      external_url: null,
      project_id: null,
      project_name: null,
      project_slug: null,
      short_id: null,
      status: 'unresolved',
    });
  });

  it('pages by twenty with the cursors in the body', async () => {
    const seeds = Array.from({ length: 25 }, (_, n) => ({ at: now - n * HOUR, group: `g${n}` }));
    await givenEvents(app.store, project, seeds);
    const first = (await get('.json')).json();
    assert.equal(first.errors.length, 20);
    assert.deepEqual(Object.keys(first.pagination), ['next']);
    const second = (await get(`.json?cursor=${first.pagination.next.cursor}`)).json();
    assert.equal(second.errors.length, 5);
    assert.deepEqual(Object.keys(second.pagination), ['previous']);
    const back = (await get(`.json?cursor=${second.pagination.previous.cursor}`)).json();
    assert.deepEqual(back.errors, first.errors);
  });

  it('filters by status and words, and accepts every sort and blank values', async () => {
    const id = await seedOne();
    await put(id, { status: 'resolved' });
    const count = async (query: string) => (await get(`.json?${query}`)).json().errors.length;
    assert.equal(await count(''), 0);
    assert.equal(await count('issue_status=resolved'), 1);
    assert.equal(await count('issue_status=resolved&search_term=broke&sort=users'), 1);
    assert.equal(await count('issue_status=resolved&search_term=nothing'), 0);
    assert.equal(await count('issue_status=resolved&search_term=&cursor=&sort='), 1);
    for (const sort of ['last_seen', 'first_seen', 'frequency', 'users']) assert.equal(await count(`sort=${sort}`), 0);
  });

  it('refuses unknown values with the documented messages', async () => {
    for (const [query, message] of [
      ['issue_status=open', 'Bad Request: Invalid issue_status'],
      ['issue_status=all', 'Bad Request: Invalid issue_status'],
      ['sort=age', 'Invalid value for sort param'],
      ['search_term[]=x', 'search_term is invalid'],
    ] as const) {
      const answer = await get(`.json?${query}`);
      assert.equal(answer.status, 400);
      assert.deepEqual(answer.json(), { message });
    }
    const badCursor = await get('.json?cursor=nonsense');
    assert.equal(badCursor.status, 400);
    assert.equal(typeof badCursor.json().message, 'string');
  });

  it('shows one error', async () => {
    const id = await seedOne();
    const answer = await get(`/${id}/details.json`);
    assert.equal(answer.headers.get('Poll-Interval'), '1000');
    const { error } = answer.json();
    assert.equal(error.id, id);
    assert.equal(error.external_url, `https://errors.example.test${base}/${id}/details`);
    assert.equal(error.external_base_url, `https://errors.example.test/${project.path}`);
    assert.equal(error.integrated, true);
    assert.equal(error.first_release_version, 'app@1.0');
    assert.equal(error.last_release_version, 'app@1.0');
    assert.equal(error.host_issue, null);
    assert.equal(error.host_commit, null);
    assert.deepEqual(error.tags, { level: 'error', logger: null });
  });

  it('shows the stack trace with source lines as safe HTML', async () => {
    const id = await seedOne();
    const answer = await get(`/${id}/stack_trace.json`);
    assert.equal(answer.headers.get('Poll-Interval'), '1000');
    const { error } = answer.json();
    assert.equal(error.issue_id, id);
    assert.equal(error.date_received, new Date(now - HOUR).toISOString());
    assert.deepEqual(error.stack_trace_entries[1], {
      lineNo: 10,
      colNo: 0,
      filename: 'app/views.py',
      abs_path: '/srv/app/views.py',
      function: 'show',
      context: [
        [8, 'def show(request):'],
        [9, '    # why'],
        [10, '    raise ValueError(&quot;&lt;b&gt;&quot;)'],
        [11, ''],
        [12, 'def hide():'],
      ],
    });
  });

  it('takes frames from the first exception with frames, else from threads, else none', async () => {
    const traceOf = async (group: string, event: object) => {
      await givenEvents(app.store, project, [{ at: now, group, title: group, event }]);
      const [error] = (await get(`.json?search_term=${group}`)).json().errors;
      return (await get(`/${error.id}/stack_trace.json`)).json().error.stack_trace_entries;
    };
    const second = exception({ frames: [frame({ function: 'second', context_line: null })] });
    const chained = await traceOf('chained', { exceptions: [exception({ frames: null }), second] });
    assert.deepEqual(
      chained.map((entry: { function: string; context: unknown[] }) => [entry.function, entry.context]),
      [['second', []]],
    );
    const thread = { id: '1', name: null, crashed: true, current: true, frames: [frame({ function: 'thread' })] };
    const threaded = await traceOf('threaded', { exceptions: [exception({ frames: null })], threads: [thread] });
    assert.equal(threaded[0].function, 'thread');
    assert.deepEqual(await traceOf('bare', { exceptions: [] }), []);
  });

  it('changes the status', async () => {
    const id = await seedOne();
    for (const status of ['resolved', 'ignored', 'unresolved']) {
      const answer = await put(id, { status });
      assert.equal(answer.status, 200);
      assert.deepEqual(answer.json(), { result: { updated: true, closed_issue_iid: null, status: 'success' } });
      assert.equal((await get(`/${id}/details.json`)).json().error.status, status);
    }
    const withoutSuffix = await app.ask('PUT', `${base}/${id}`, {
      token: developer.token,
      body: new URLSearchParams({ status: 'resolved' }),
    });
    assert.equal(withoutSuffix.status, 200);
    for (const body of [{}, { status: 'gone' }]) {
      const answer = await put(id, body);
      assert.equal(answer.status, 400);
      assert.deepEqual(answer.json(), { message: 'Bad Request: Invalid status' });
    }
  });

  it('says that the backend refused the change', async () => {
    const id = await seedOne();
    const plain = app.deps.backendFor;
    app.deps.backendFor = (...args) => ({ ...plain(...args), setStatus: async () => false });
    const answer = await put(id, { status: 'resolved' });
    app.deps.backendFor = plain;
    assert.deepEqual(answer.json(), { result: { updated: false, closed_issue_iid: null, status: 'success' } });
  });

  it('answers JSON without .json to clients that prefer it, and the page to others', async () => {
    const id = await seedOne();
    // There are no pages in this application; that of a stack trace is the page of its error.
    for (const [path, status] of [
      ['', 503],
      [`/${id}/details`, 503],
      [`/${id}/stack_trace`, 302],
    ] as const) {
      const asJson = { token: reporter.token, headers: { Accept: 'application/json' } };
      assert.equal((await app.ask('GET', base + path, asJson)).status, 200, path);
      const asPage = { token: reporter.token, headers: { Accept: 'text/html,*/*;q=0.8' } };
      const page = await app.ask('GET', base + path, asPage);
      assert.deepEqual([page.status, page.headers.get('Content-Type')], [status, 'text/html; charset=utf-8'], path);
    }
  });

  it('asks clients without a session to sign in', async () => {
    const expired = await givenToken(app.store, reporter.user, ['api'], app.clock.at - 1);
    for (const token of [undefined, 'glpat-wrong', expired.text]) {
      for (const path of ['.json', '/1/details.json', '/1/stack_trace.json']) {
        const answer = await app.get(base + path, token);
        assert.equal(answer.status, 401);
        assert.deepEqual(answer.json(), SIGN_IN);
      }
      const update = await app.ask('PUT', `${base}/1.json`, { ...(token === undefined ? {} : { token }) });
      assert.deepEqual(update.json(), SIGN_IN);
    }
  });

  it('answers an empty 404 without access', async () => {
    const id = await seedOne();
    const empty = async (path: string, person: Person) => {
      const answer = await app.get(path, person.token);
      assert.deepEqual([answer.status, answer.text], [404, ''], path);
    };
    const guest = await givenMember(app.store, project, 'guest');
    const stranger = await givenPerson(app.store);
    for (const path of ['.json', `/${id}/details.json`, `/${id}/stack_trace.json`]) {
      await empty(base + path, guest);
      await empty(base + path, stranger);
    }
    await empty('/no/such/-/error_tracking.json', reporter);
    await empty('/%00/%2F..%2F/-/error_tracking.json', reporter);
    const refused = await put(id, { status: 'resolved' }, reporter);
    assert.deepEqual([refused.status, refused.text], [404, '']);
    const { text: readOnly } = await givenToken(app.store, developer.user, ['read_api']);
    const unscoped = await app.ask('PUT', `${base}/${id}.json`, { token: readOnly, body: { status: 'resolved' } });
    assert.deepEqual([unscoped.status, unscoped.text], [404, '']);
    await app.store.updateProject(project.id, { visibility: 'public' });
    await empty(`${base}.json`, stranger);
    await app.store.updateProject(project.id, { monitorEnabled: false });
    await empty(`${base}.json`, developer);
  });

  it('answers 404 with a message for an unknown error', async () => {
    for (const path of ['/999999/details.json', '/abc/details.json', '/%00/details.json', '/999999/stack_trace.json']) {
      const answer = await get(path);
      assert.equal(answer.status, 404, path);
      assert.deepEqual(answer.json(), { message: '404 Not found' });
    }
    assert.deepEqual((await put('999999', { status: 'resolved' })).json(), { message: '404 Not found' });
  });

  it('refuses while error tracking is not enabled', async () => {
    const bare = await givenProject(app.store);
    const member = await givenMember(app.store, bare, 'developer');
    for (const path of ['.json', '/1/details.json', '/1/stack_trace.json']) {
      const answer = await app.get(`/${bare.path}/-/error_tracking${path}`, member.token);
      assert.equal(answer.status, 400);
      assert.deepEqual(answer.json(), { message: 'Error Tracking is not enabled' });
    }
    const update = await app.ask('PUT', `/${bare.path}/-/error_tracking/1.json`, {
      token: member.token,
      body: { status: 'resolved' },
    });
    assert.deepEqual(update.json(), { message: 'Error Tracking is not enabled' });
  });

  it('follows a moved project', async () => {
    await app.store.updateProject(project.id, { path: `${project.path}-new` });
    const answer = await get('.json?sort=users');
    assert.equal(answer.status, 301);
    assert.equal(
      answer.headers.get('Location'),
      `https://errors.example.test/${project.path}-new/-/error_tracking.json?sort=users`,
    );
  });

  it('answers 503 while the store is unavailable', async () => {
    const plain = app.deps.backendFor;
    const away = new AppError('store_unavailable', 'The store does not answer.');
    app.deps.backendFor = (...args) => ({ ...plain(...args), list: () => Promise.reject(away) });
    const answer = await get('.json');
    app.deps.backendFor = plain;
    assert.equal(answer.status, 503);
    assert.equal(answer.headers.get('Retry-After'), '5');
  });

  it('finds the project in any case', async () => {
    assert.equal(
      (await app.get(`${base.toUpperCase().replace('/-/ERROR_TRACKING', '/-/error_tracking')}.json`, reporter.token))
        .status,
      200,
    );
  });
});
