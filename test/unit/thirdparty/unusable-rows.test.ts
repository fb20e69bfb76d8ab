import assert from 'node:assert/strict';
import { isAppErrorWith } from '../../support/app-error-code.ts';
import { checkTrackerRows } from '../../../src/cli/doctor/service-checks.ts';
import { listAllProjects } from '../../../src/thirdparty/connect/list-projects.ts';
import { listEvents } from '../../../src/thirdparty/endpoints/list-events.ts';
import { listIssues } from '../../../src/thirdparty/endpoints/list-issues.ts';
import { issueBody, scriptedSession } from './support/scripted-session.ts';

const project = (id: unknown, slug: string, patch: object = {}) => ({
  id,
  slug,
  name: slug,
  organization: 'urgentry-org',
  ...patch,
});
const event = (digit: string, patch: object = {}) => ({ eventID: digit.repeat(32), ...patch });
const QUESTION = { query: '', sort: 'last_seen', environment: null, limit: 20, cursor: null } as const;

/** A session that answers everything with this list, and what it counted. */
function listing(rows: readonly unknown[]) {
  const counted: string[] = [];
  const leftOut = (thing: string, count: number): number => counted.push(`${count} ${thing}`);
  return { ...scriptedSession(() => ({ body: rows }), { leftOut }), counted };
}

describe('rows of a third-party tracker', () => {
  it('may have any id of letters, digits, "-" and "_"', async () => {
    const { session } = listing([
      project('default-project', 'default'),
      project('70facf4ffe880a6673d4f3ca59f932ce', 'web-shop'),
      project('019A_b-c', 'third'),
      project(7, 'fourth'),
    ]);
    const found = await listAllProjects(session);
    assert.ok('projects' in found);
    assert.deepEqual(
      found.projects.map(({ id, slug }) => [id, slug]),
      [
        ['default-project', 'default'],
        ['70facf4ffe880a6673d4f3ca59f932ce', 'web-shop'],
        ['019A_b-c', 'third'],
        ['7', 'fourth'],
      ],
    );
    const issues = listing([issueBody(1, { id: 'ISSUE-abc_1' })]);
    assert.deepEqual(
      (await listIssues(issues.session, QUESTION)).rows.map(({ id }) => id),
      ['ISSUE-abc_1'],
    );
  });

  it('that are projects and cannot be used are left out, counted and named', async () => {
    const { session, counted } = listing([
      project('1', 'good'),
      project('no id', 'blank-in-id'),
      project('3', 'homeless', { organization: null }),
      { id: '4' },
      null,
    ]);
    const found = await listAllProjects(session);
    assert.ok('projects' in found);
    assert.deepEqual(
      found.projects.map(({ slug }) => slug),
      ['good'],
    );
    assert.deepEqual(
      found.unusable.map(({ name }) => name),
      ['blank-in-id', 'homeless', '4', null],
    );
    assert.deepEqual(counted, ['4 project']);
  });

  it('that are errors or events and cannot be used are left out and counted', async () => {
    const issues = listing([issueBody(1), issueBody(2, { count: 'many' }), issueBody(3, { id: '../3' })]);
    assert.deepEqual(
      (await listIssues(issues.session, QUESTION)).rows.map(({ id }) => id),
      ['1'],
    );
    const events = listing([event('a'), event('b', { eventID: 'latest' }), event('c')]);
    assert.deepEqual(
      (await listEvents(events.session, '1', 20, null)).rows.map(({ eventID }) => eventID),
      ['a'.repeat(32), 'c'.repeat(32)],
    );
    assert.deepEqual([...issues.counted, ...events.counted], ['2 issue', '1 event']);
  });

  // A row that cannot be used never costs the whole list, also where it is the only one.
  it('of which none can be used are left out, counted and named, and the list is empty', async () => {
    const projects = listing([{ id: 1 }, { id: 2 }]);
    const found = await listAllProjects(projects.session);
    assert.ok('projects' in found);
    assert.deepEqual([found.projects, found.unusable.map(({ name }) => name)], [[], ['1', '2']]);
    const issues = listing([{ id: 1 }]);
    assert.deepEqual((await listIssues(issues.session, QUESTION)).rows, []);
    assert.deepEqual([...projects.counted, ...issues.counted], ['2 project', '1 issue']);
  });

  it('of which none is an object, or that are in no list, are an answer of another kind', async () => {
    const isInvalid = isAppErrorWith('tracker_invalid_answer');
    for (const body of [[1, 'two'], [null], [[]]]) {
      await assert.rejects(listAllProjects(listing(body).session), isInvalid);
      await assert.rejects(listIssues(listing(body).session, QUESTION), isInvalid);
    }
    const { session } = scriptedSession(() => ({ body: { id: 1 } }));
    await assert.rejects(listIssues(session, QUESTION), isInvalid);
  });

  it('that were left out are reported by doctor', () => {
    const name = 'errgate_tracker_rows_left_out_total';
    const finding = checkTrackerRows(`# TYPE ${name} counter\n${name}{thing="issue"} 1\n${name}{thing="project"} 5\n`);
    assert.equal(finding?.status, 'warn');
    assert.match(
      finding.message,
      /: projects 5 times, issues once since the service started; a row is counted each time it is read$/,
    );
    assert.equal(checkTrackerRows(`${name}{thing="issue"} 0\n`), null);
  });
});
