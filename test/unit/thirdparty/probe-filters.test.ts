import assert from 'node:assert/strict';
import { isAppErrorWith } from '../../support/app-error-code.ts';
import type { ErrorQuery } from '../../../src/domain/search/error-query.ts';
import type { Project } from '../../../src/domain/projects/project.ts';
import { createThirdpartyBackend } from '../../../src/thirdparty/backend.ts';
import { Dialect } from '../../../src/thirdparty/dialect/dialect.ts';
import { checkFilters, probeFilters } from '../../../src/thirdparty/probe-filters.ts';
import { issueBody, scriptedSession, type Answer } from './support/scripted-session.ts';

const ALL: ErrorQuery = {
  status: 'all',
  search: null,
  sort: 'last_seen',
  environment: null,
  release: null,
  level: null,
  limit: 20,
  cursor: null,
};
const SOME: Answer = { body: [issueBody(1)] };
const NONE: Answer = { body: [] };

/** A tracker with one error, which looks at a question as the script says. */
const tracker = (narrows: (query: string, environment: string | null) => boolean | Answer) =>
  scriptedSession((_path, parameters) => {
    const narrowed = narrows(parameters.get('query') ?? '', parameters.get('environment'));
    return typeof narrowed === 'boolean' ? (narrowed ? NONE : SOME) : narrowed;
  });

describe('filters of a tracker of unknown kind', () => {
  it('all work: the environment is a parameter', async () => {
    const { session, dialect } = tracker((query, environment) => query !== '' || environment !== null);
    await probeFilters(session);
    assert.deepEqual([dialect.environmentIn, [...dialect.unsupportedFilters]], ['parameter', []]);
  });

  it('the parameter is passed over: the environment goes into the query', async () => {
    const { session, dialect } = tracker((query) => query !== '');
    await probeFilters(session);
    assert.deepEqual([dialect.environmentIn, [...dialect.unsupportedFilters]], ['query', []]);
  });

  it('what is passed over is no filter, and asking for it is refused without a list', async () => {
    const { session, dialect, asked } = tracker((query) => /^"/.test(query));
    await assert.rejects(checkFilters(session, { ...ALL, release: 'a@1' }), isAppErrorWith('unsupported_by_tracker'));
    assert.deepEqual([...dialect.unsupportedFilters].sort(), ['environment', 'level', 'release']);
    const before = asked.length;
    await assert.rejects(checkFilters(session, { ...ALL, environment: 'x' }), isAppErrorWith('unsupported_by_tracker'));
    await checkFilters(session, { ...ALL, search: 'word' });
    assert.equal(asked.length, before);
  });

  it('a level that is refused as such is looked at', async () => {
    const { session, dialect } = tracker((query, environment) =>
      query.startsWith('level:') ? { status: 400 } : query !== '' || environment !== null,
    );
    await probeFilters(session);
    assert.deepEqual([...dialect.unsupportedFilters], []);
  });

  it('nothing shows while there is no error, and nothing is asked without a filter', async () => {
    const { session, dialect, asked } = tracker(() => true);
    await checkFilters(session, ALL);
    assert.deepEqual(asked, []);
    await checkFilters(session, { ...ALL, level: 'fatal' });
    assert.deepEqual([dialect.filtersProbed, asked.length], [false, 1]);
  });

  /** What a backend says that a tracker of unknown kind can do. */
  const capabilitiesOf = (side: ReturnType<typeof scriptedSession>) =>
    createThirdpartyBackend({
      client: side.session.client,
      settings: { projectId: 1, apiUrl: 'https://tracker.example/api/0/projects/acme/shop/', thirdpartyProjectId: '5' },
      token: () => 'token',
      dialect: side.dialect,
    }).capabilities({ id: 1 } as Project);

  it('are left open, and asked for again, while the tracker fails', async () => {
    let sick = true;
    const side = tracker((query, environment) =>
      sick && query.startsWith('level:') ? { status: 500 } : query !== '' || environment !== null,
    );
    const unsure = await capabilitiesOf(side);
    assert.deepEqual([unsure.incomplete, unsure.filters.length], [true, 6]);
    sick = false;
    assert.equal((await capabilitiesOf(side)).incomplete, undefined);
  });

  it('are left open in an empty project', async () => {
    const side = tracker(() => true);
    assert.equal((await capabilitiesOf(side)).incomplete, true);
  });

  it('of a known kind are not tried', async () => {
    const { session, asked } = scriptedSession(() => SOME, { dialect: new Dialect({ kind: 'urgentry' }) });
    await checkFilters(session, { ...ALL, environment: 'x' });
    assert.deepEqual(asked, []);
  });
});
