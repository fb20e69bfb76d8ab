import assert from 'node:assert/strict';
import { AppError } from '../../../src/domain/app-error.ts';
import type { ErrorQuery } from '../../../src/domain/search/error-query.ts';
import type { Project } from '../../../src/domain/projects/project.ts';
import { createThirdpartyBackend } from '../../../src/thirdparty/backend.ts';
import { callerGone } from '../../../src/thirdparty/http/tracker-errors.ts';
import { issueBody, scriptedSession, type Answer } from './support/scripted-session.ts';

const project = {} as Project;
const EVENT = 'a'.repeat(32);
const notFound = (error: unknown) => error instanceof AppError && error.code === 'not_found';

/** A backend of project 5, or of `acme/shop` by its slugs only, whose issue 17 looks like this. */
function backendFor(
  issue: object,
  projectId: string | null = '5',
  script: (path: string) => Answer | null = () => null,
) {
  const event = { eventID: EVENT, groupID: '17', projectID: (issue as { project?: { id?: unknown } }).project?.id };
  const { session, asked } = scriptedSession((path) => {
    const special = script(path);
    if (special !== null) return special;
    if (path.includes('/events/latest/') || path.includes(`/events/${EVENT}/`)) return { body: event };
    if (/\/(events|tags)\/$/.test(path)) return { body: [] };
    if (path.includes('/issues/17/')) return { body: issue };
    return path === '/api/0/projects/acme/shop/' ? { body: { id: '5', name: 'Shop', slug: 'shop' } } : { status: 404 };
  });
  const settings = {
    projectId: 1,
    apiUrl: 'https://tracker.example/api/0/projects/acme/shop/',
    thirdpartyProjectId: projectId,
  };
  return { backend: createThirdpartyBackend({ client: session.client, settings, token: () => 'secret' }), asked };
}

type Backend = ReturnType<typeof backendFor>['backend'];

const ANY: ErrorQuery = {
  status: 'all',
  search: null,
  sort: 'last_seen',
  environment: null,
  release: null,
  level: null,
  limit: 20,
  cursor: null,
};

const CALLS: Record<string, (backend: Backend) => Promise<unknown>> = {
  get: (backend) => backend.get(project, '17'),
  listEvents: (backend) => backend.listEvents(project, '17', 20, null),
  event: (backend) => backend.event(project, '17', EVENT),
  latestEvent: (backend) => backend.latestEvent(project, '17'),
  setStatus: (backend) => backend.setStatus(project, '17', 'resolved'),
};

describe('third-party backend: whose error it is', () => {
  for (const [name, call] of Object.entries(CALLS)) {
    it(`${name}: an issue of the project is there, one of another project is not`, async () => {
      for (const own of [{ id: '5' }, { id: 5, slug: 'renamed' }]) {
        await call(backendFor(issueBody(17, { project: own })).backend);
      }
      for (const foreign of [{ id: '6', slug: 'shop' }, { id: 50 }, { slug: 'other' }, null, undefined]) {
        const { backend, asked } = backendFor(issueBody(17, { project: foreign }));
        await assert.rejects(call(backend), notFound, JSON.stringify(foreign));
        assert.ok(!asked.some((line) => line.startsWith('PUT')), 'nothing may be changed');
      }
    });
  }

  it('list: leaves out rows of other projects, and says so when there are no others', async () => {
    const listOf = (...rows: object[]) =>
      backendFor(issueBody(17), '5', (path) => (path.endsWith('/shop/issues/') ? { body: rows } : null)).backend;
    const foreign = issueBody(18, { project: { id: 6, slug: 'shop' } });
    const silent = issueBody(19, { project: { slug: 'shop' } });
    const page = await listOf(foreign, issueBody(17), silent).list(project, ANY);
    assert.deepEqual(
      page.items.map(({ id }) => id),
      ['17', '19'],
    );
    assert.deepEqual((await listOf().list(project, ANY)).items, []);
    await assert.rejects(
      listOf(foreign).list(project, ANY),
      (error: unknown) =>
        error instanceof AppError && error.code === 'tracker_refused' && /choose the project again/.test(error.message),
    );
  });

  it('asks the issue when an event does not say', async () => {
    const { backend } = backendFor(issueBody(17), '5', (path) =>
      path.includes('/events/') ? { body: { eventID: EVENT } } : null,
    );
    assert.equal((await backend.latestEvent(project, '17')).errorId, '17');
  });

  it('shows an error without its tags when those do not come, and says whether they may come later', async () => {
    const { session } = scriptedSession(() => ({ body: issueBody(17) }));
    const client: typeof session.client = {
      request: (target, asked) => {
        if (!asked.path.includes('/17/tags/')) return session.client.request(target, asked);
        return new Promise((_resolve, reject) => asked.signal?.addEventListener('abort', () => reject(callerGone())));
      },
    };
    const settings = { projectId: 1, apiUrl: 'https://t.example/api/0/projects/acme/shop/', thirdpartyProjectId: '5' };
    const backend = createThirdpartyBackend({ client, settings, token: () => 'secret', tagsLimitMs: 20 });
    const detail = await backend.get(project, '17');
    assert.deepEqual([detail.tags, detail.incomplete], [null, true]);
    const refusing = backendFor(issueBody(17), '5', (path) => (path.includes('/tags/') ? { status: 403 } : null));
    const lasting = await refusing.backend.get(project, '17');
    assert.deepEqual([lasting.tags, lasting.incomplete], [null, undefined]);
  });

  it('distinguishes an own error without remaining events from an unknown one', async () => {
    const gone = (path: string) =>
      path.endsWith('/events/') ? { body: [] } : path.includes('/events/') ? { status: 404 } : null;
    const hidden = (path: string) =>
      path.endsWith('/events/') ? { body: [{ eventID: EVENT }] } : path.includes('/events/') ? { status: 404 } : null;
    const removed = (error: unknown) => error instanceof AppError && error.code === 'events_removed';
    await assert.rejects(backendFor(issueBody(17), '5', gone).backend.latestEvent(project, '17'), removed);
    // A list that is not empty proves that they are not gone.
    await assert.rejects(backendFor(issueBody(17), '5', hidden).backend.latestEvent(project, '17'), notFound);
    await assert.rejects(backendFor(issueBody(17), '5', gone).backend.event(project, '17', EVENT), notFound);
    const foreign = backendFor(issueBody(17, { project: { id: '6' } }), '5', gone);
    await assert.rejects(foreign.backend.latestEvent(project, '17'), notFound);
    await assert.rejects(foreign.backend.latestEvent(project, '18'), notFound);
    const { backend } = backendFor(issueBody(17), '5', gone);
    await backend.get(project, '17');
    await assert.rejects(backend.latestEvent(project, '17'), removed);
  });

  it('refuses the event of another project even when the issue is the own one', async () => {
    const { backend } = backendFor(issueBody(17), '5', (path) =>
      path.includes('/events/') ? { body: { eventID: EVENT, projectID: 6 } } : null,
    );
    await assert.rejects(backend.event(project, '17', EVENT), notFound);
  });

  it('finds the id out, once, where the settings do not hold it', async () => {
    const { backend, asked } = backendFor(issueBody(17), null);
    await backend.get(project, '17');
    await backend.get(project, '17');
    assert.equal(asked.filter((line) => line === 'GET /api/0/projects/acme/shop/').length, 1);
    await assert.rejects(
      backendFor(issueBody(17, { project: { id: '6' } }), null).backend.get(project, '17'),
      notFound,
    );
  });

  it('finds it in the list of issues where the token may not see the project', async () => {
    const script = (listed: unknown) => (path: string) => {
      if (path === '/api/0/projects/acme/shop/') return { status: 403 };
      return path === '/api/0/projects/acme/shop/issues/' ? { body: listed } : null;
    };
    await backendFor(issueBody(17), null, script([issueBody(1)])).backend.get(project, '17');
    await assert.rejects(backendFor(issueBody(17), null, script([])).backend.get(project, '17'), notFound);
  });

  it('never asks for what cannot be an id', async () => {
    const { backend, asked } = backendFor(issueBody(17));
    for (const id of ['', '1.0', '../1', '1/2', 'a b', 'ä', '1'.repeat(65)]) {
      await assert.rejects(backend.get(project, id), notFound);
      await assert.rejects(backend.setStatus(project, id, 'ignored'), notFound);
      await assert.rejects(backend.event(project, '17', id), notFound);
    }
    assert.deepEqual(asked, []);
  });

  it('changes the issue that another one was merged into, and only by its own id', async () => {
    const { backend, asked } = backendFor(issueBody(99), '5', (path) =>
      path.includes('/issues/99/') ? { body: { id: '99', status: 'resolved' } } : null,
    );
    assert.equal(await backend.setStatus(project, '17', 'resolved'), true);
    assert.deepEqual(asked.slice(1), ['PUT /api/0/organizations/acme/issues/99/']);
  });

  const updates: [name: string, answer: Answer, expected: boolean | string][] = [
    ['the tracker did it', { body: { status: 'resolved' } }, true],
    ['the tracker does not say', { body: {} }, true],
    ['the tracker left it', { body: { status: 'unresolved' } }, false],
    ['it was out of reach', { status: 204 }, false],
    ['the state is unknown there', { status: 422 }, 'unsupported_by_tracker'],
    ['the token may not', { status: 403 }, 'tracker_refused'],
    ['it has gone', { status: 404 }, 'not_found'],
  ];
  for (const [name, answer, expected] of updates) {
    it(`reports a change: ${name}`, async () => {
      const { session } = scriptedSession((_path, _query, method) =>
        method === 'PUT' ? answer : { body: issueBody(17) },
      );
      const settings = {
        projectId: 1,
        apiUrl: 'https://t.example/api/0/projects/acme/shop/',
        thirdpartyProjectId: '5',
      };
      const backend = createThirdpartyBackend({ client: session.client, settings, token: () => 'secret' });
      const outcome = await backend
        .setStatus(project, '17', 'resolved')
        .catch((error: unknown) => (error as AppError).code);
      assert.equal(outcome, expected);
    });
  }
});
