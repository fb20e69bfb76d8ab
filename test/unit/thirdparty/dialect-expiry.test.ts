import assert from 'node:assert/strict';
import { isAppErrorWith } from '../../support/app-error-code.ts';
import type { Project } from '../../../src/domain/projects/project.ts';
import type { ErrorQuery } from '../../../src/domain/search/error-query.ts';
import { createThirdpartyBackend } from '../../../src/thirdparty/backend.ts';
import { Dialect } from '../../../src/thirdparty/dialect/dialect.ts';
import { issueBody, scriptedSession, type Answer } from './support/scripted-session.ts';

const HOUR = 3_600_000;
const ALL: ErrorQuery = {
  status: 'all',
  search: null,
  sort: 'last_seen',
  environment: null,
  release: null,
  level: null,
  limit: 2,
  cursor: null,
};
const NEWEST_FIRST = [
  issueBody(1, { lastSeen: '2026-11-21T03:00:00Z', count: '20' }),
  issueBody(2, { lastSeen: '2026-11-21T02:00:00Z', count: '10' }),
  issueBody(3, { lastSeen: '2026-11-21T01:00:00Z', count: '30' }),
];
const MOST_FREQUENT_FIRST = [NEWEST_FIRST[2], NEWEST_FIRST[0]];
const NONE: Answer = { body: [] };

type Script = (query: URLSearchParams, path: string) => Answer;

/** A backend of an unknown kind of tracker that is upgraded at some time, and a clock for what it learns. */
function givenTracker(before: Script, after: Script) {
  let now = 0;
  let script = before;
  const side = scriptedSession((path, query) => script(query, path), { dialect: new Dialect({ now: () => now }) });
  const backend = createThirdpartyBackend({
    client: side.session.client,
    settings: { projectId: 1, apiUrl: 'https://tracker.example/api/0/projects/acme/shop/', thirdpartyProjectId: '5' },
    token: () => 'token',
    dialect: side.dialect,
  });
  const project = { id: 1 } as Project;

  return {
    capabilities: () => backend.capabilities(project),
    list: async (patch: Partial<ErrorQuery> = {}) => (await backend.list(project, { ...ALL, ...patch })).items.length,
    /** Requests that the tracker gets while this runs. */
    asked: async (run: () => Promise<unknown>): Promise<readonly string[]> => {
      const from = side.asked.length;
      await run();
      return side.asked.slice(from);
    },
    upgrade: () => (script = after),
    at: (time: number) => (now = time),
  };
}

const refused = (run: () => Promise<unknown>) => () => assert.rejects(run(), isAppErrorWith('unsupported_by_tracker'));

describe('what was learnt of a tracker expires after an hour, and is learnt again', () => {
  it('the route of its list', async () => {
    const tracker = givenTracker(
      (_query, path) => (path.includes('/projects/') ? { status: 404 } : { body: NEWEST_FIRST.slice(0, 2) }),
      (_query, path) => (path.includes('/projects/') ? { body: NEWEST_FIRST.slice(0, 2) } : { status: 404 }),
    );
    const routes = async () =>
      (await tracker.asked(() => tracker.list())).map((line) => /\/api\/0\/(\w+)\//.exec(line)?.[1]);
    assert.deepEqual(await routes(), ['projects', 'organizations']);
    tracker.at(HOUR - 1);
    assert.deepEqual(await routes(), ['organizations']);
    tracker.at(HOUR);
    assert.deepEqual(await routes(), ['projects', 'organizations']);
    tracker.at(2 * HOUR - 1);
    assert.deepEqual(await routes(), ['organizations']);
    tracker.upgrade();
    tracker.at(2 * HOUR);
    assert.deepEqual(await routes(), ['projects']);
  });

  it('sorts that do not work', async () => {
    const tracker = givenTracker(
      () => ({ body: NEWEST_FIRST }),
      (query) => ({ body: query.get('sort') === 'freq' ? MOST_FREQUENT_FIRST : NEWEST_FIRST.slice(0, 2) }),
    );
    const sort = () => tracker.list({ sort: 'frequency' });
    assert.notDeepEqual(await tracker.asked(refused(sort)), []);
    tracker.at(HOUR - 1);
    assert.deepEqual(await tracker.asked(refused(sort)), []);
    tracker.at(HOUR);
    assert.notDeepEqual(await tracker.asked(refused(sort)), []);
    tracker.upgrade();
    tracker.at(2 * HOUR - 1);
    assert.deepEqual(await tracker.asked(refused(sort)), []);
    tracker.at(2 * HOUR);
    assert.equal(await sort(), 2);
  });

  it('filters that do not work', async () => {
    const tracker = givenTracker(
      () => ({ body: NEWEST_FIRST.slice(0, 1) }),
      (query) => {
        const isOfRelease = query.get('query')?.includes('a@1') === true;
        return query.get('query') === '' || isOfRelease ? { body: NEWEST_FIRST.slice(0, 1) } : NONE;
      },
    );
    const filter = () => tracker.list({ release: 'a@1' });
    assert.notDeepEqual(await tracker.asked(refused(filter)), []);
    tracker.at(HOUR - 1);
    assert.deepEqual(await tracker.asked(refused(filter)), []);
    tracker.at(HOUR);
    assert.notDeepEqual(await tracker.asked(refused(filter)), []);
    tracker.upgrade();
    tracker.at(2 * HOUR - 1);
    assert.deepEqual(await tracker.asked(refused(filter)), []);
    tracker.at(2 * HOUR);
    assert.equal(await filter(), 1);
  });

  it('the name of its page size', async () => {
    const heeds =
      (name: string): Script =>
      (query) => ({ body: NEWEST_FIRST.slice(0, query.has(name) ? 2 : 3) });
    const tracker = givenTracker(heeds('per_page'), heeds('limit'));
    const names = async () =>
      (await tracker.asked(() => tracker.list())).map((line) => /[?&](limit|per_page)=/.exec(line)?.[1]);
    assert.deepEqual(await names(), ['limit', 'per_page']);
    tracker.at(HOUR - 1);
    assert.deepEqual(await names(), ['per_page']);
    tracker.at(HOUR);
    assert.deepEqual(await names(), ['limit', 'per_page']);
    tracker.at(2 * HOUR - 1);
    assert.deepEqual(await names(), ['per_page']);
    tracker.upgrade();
    tracker.at(2 * HOUR);
    assert.deepEqual(await names(), ['limit']);
  });

  it('what its capabilities name', async () => {
    const tracker = givenTracker(
      () => ({ body: NEWEST_FIRST }),
      (query) => {
        if ((query.get('query') ?? '') !== '' || query.has('environment')) return NONE;
        return { body: query.get('sort') === 'freq' ? MOST_FREQUENT_FIRST : NEWEST_FIRST };
      },
    );
    const named = async () => {
      const { sorts, filters } = await tracker.capabilities();
      return [sorts.includes('frequency'), filters];
    };
    assert.deepEqual(await named(), [false, ['status', 'conditions']]);
    tracker.upgrade();
    tracker.at(HOUR - 1);
    assert.deepEqual(await named(), [false, ['status', 'conditions']]);
    tracker.at(HOUR);
    assert.deepEqual(await named(), [true, ['status', 'environment', 'release', 'level', 'search', 'conditions']]);
  });
});
