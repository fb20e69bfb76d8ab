import assert from 'node:assert/strict';
import { onIssueRoute } from '../../../src/thirdparty/issue-routes.ts';
import { scriptedSession, type Answer } from './support/scripted-session.ts';

const ORGANIZATION = /^\/api\/0\/organizations\/acme\/issues\//;
const routes = (asked: readonly string[]) =>
  asked.map((line) => (line.includes('/organizations/') ? 'organization' : 'legacy'));

/** A tracker that answers the two routes like this. */
const tracker = (organization: number, legacy: number, parts: Answer = {}) =>
  scriptedSession((path) => {
    if (/\/(events|tags)\//.test(path) && ORGANIZATION.test(path)) return { status: organization, ...parts };
    return { status: ORGANIZATION.test(path) ? organization : legacy };
  });

describe('routes of third-party issues', () => {
  const rows: [
    name: string,
    organization: number,
    legacy: number,
    asked: string[],
    known: string | null,
    status: number,
  ][] = [
    ['both work', 200, 200, ['organization', 'organization'], 'organization', 200],
    ['only the old one works', 404, 200, ['organization', 'legacy', 'legacy'], 'legacy', 200],
    ['the new one is not allowed', 405, 200, ['organization', 'legacy', 'legacy'], 'legacy', 200],
    ['the token may not use the new one', 403, 200, ['organization', 'legacy', 'legacy'], 'legacy', 200],
    [
      'the old one has gone, nothing is known',
      404,
      410,
      ['organization', 'legacy', 'organization'],
      'organization',
      404,
    ],
    ['the new one was never there, nothing is known', 405, 404, ['organization', 'legacy', 'legacy'], 'legacy', 404],
    ['nothing is known on either', 404, 404, ['organization', 'legacy', 'organization', 'legacy'], null, 404],
    ['the token is bad', 401, 401, ['organization', 'organization'], null, 401],
    ['the tracker has trouble', 500, 200, ['organization', 'organization'], null, 500],
  ];
  for (const [name, organization, legacy, expected, known, status] of rows) {
    it(name, async () => {
      const { session, asked, dialect } = tracker(organization, legacy);
      await onIssueRoute(session, ['17']);
      assert.equal((await onIssueRoute(session, ['17'])).status, status);
      assert.deepEqual(routes(asked), expected);
      assert.equal(dialect.issueRoute, known);
    });
  }

  it('parts of an issue may be elsewhere than the issue', async () => {
    const { session, asked, dialect } = tracker(200, 200, { status: 404 });
    await onIssueRoute(session, ['17']);
    await onIssueRoute(session, ['17', 'events', 'latest']);
    await onIssueRoute(session, ['17', 'tags']);
    assert.deepEqual(routes(asked), ['organization', 'organization', 'legacy', 'legacy']);
    assert.deepEqual([dialect.issueRoute, dialect.partsRoute], ['organization', 'legacy']);
  });

  it('parts are where the issue is when that is the old place', async () => {
    const { session, asked } = scriptedSession((path) => ({
      status: ORGANIZATION.test(path) ? 405 : path.includes('/events/') ? 404 : 200,
    }));
    await onIssueRoute(session, ['17']);
    assert.equal((await onIssueRoute(session, ['17', 'events', 'latest'])).status, 404);
    assert.deepEqual(routes(asked), ['organization', 'legacy', 'legacy']);
  });

  it('changes its mind when a route goes away later', async () => {
    let gone = false;
    const { session, asked, dialect } = scriptedSession((path) => ({
      status: ORGANIZATION.test(path) ? (gone ? 200 : 404) : gone ? 410 : 200,
    }));
    await onIssueRoute(session, ['17']);
    gone = true;
    assert.equal((await onIssueRoute(session, ['17'])).status, 200);
    assert.deepEqual(routes(asked), ['organization', 'legacy', 'legacy', 'organization']);
    assert.equal(dialect.issueRoute, 'organization');
  });

  it('asks once what it does not know, however many want to know', async () => {
    const { session, asked } = tracker(405, 200);
    await Promise.all([1, 2, 3].map((id) => onIssueRoute(session, [String(id)])));
    assert.deepEqual(routes(asked), ['organization', 'legacy', 'legacy', 'legacy']);
  });
});
