import assert from 'node:assert/strict';
import { AppError, type ErrorCode } from '../../../../src/domain/app-error.ts';
import { listIssues, type IssueQuestion } from '../../../../src/thirdparty/endpoints/list-issues.ts';
import { trackerDetails } from '../../../../src/thirdparty/http/tracker-errors.ts';
import { issueBody, scriptedSession } from '../support/scripted-session.ts';

const question: IssueQuestion = { query: '', sort: 'last_seen', environment: null, limit: 3, cursor: null };
const code = (expected: ErrorCode) => (error: unknown) => error instanceof AppError && error.code === expected;

/** Seen last in the order 1, 2, 3; seen first in the order 2, 3, 1; counts in the order 3, 1, 2. */
const ROWS = [
  issueBody(1, { lastSeen: '2026-11-21T03:00:00Z', firstSeen: '2026-11-01T00:00:00Z', count: '20' }),
  issueBody(2, { lastSeen: '2026-11-21T02:00:00Z', firstSeen: '2026-11-03T00:00:00Z', count: '10' }),
  issueBody(3, { lastSeen: '2026-11-21T01:00:00Z', firstSeen: '2026-11-02T00:00:00Z', count: '30' }),
];
const order = (...ids: number[]) => ids.map((id) => ROWS[id - 1]);
const idsOf = ({ rows }: { rows: readonly { id: string | number }[] }) => rows.map(({ id }) => Number(id));
const sortsAsked = (asked: readonly string[]) =>
  asked.map((line) => new URLSearchParams(line.split('?')[1]).get('sort'));

describe('third-party list of issues', () => {
  it('always sends a query, and no sort for the default', async () => {
    const { session, asked } = scriptedSession(() => ({ body: ROWS }));
    assert.deepEqual(idsOf(await listIssues(session, { ...question, environment: 'prod', cursor: 'c:1' })), [1, 2, 3]);
    assert.deepEqual(asked, ['GET /api/0/projects/acme/shop/issues/?query=&limit=3&environment=prod&cursor=c%3A1']);
  });

  it('encodes slugs', async () => {
    const { session, asked } = scriptedSession(() => ({ body: [] }), { organization: 'a/b', project: '../c?d' });
    await listIssues(session, question);
    assert.equal(asked[0]?.split('?')[0], 'GET /api/0/projects/a%2Fb/..%2Fc%3Fd/issues/');
  });

  describe('sorts', () => {
    it('by the first names that work, and remembers them', async () => {
      const { session, asked } = scriptedSession((_path, query) => ({
        body: query.get('sort') === 'freq' ? order(3, 1, 2) : order(2, 3, 1),
      }));
      assert.deepEqual(idsOf(await listIssues(session, { ...question, sort: 'frequency' })), [3, 1, 2]);
      assert.deepEqual(idsOf(await listIssues(session, { ...question, sort: 'first_seen' })), [2, 3, 1]);
      assert.deepEqual(sortsAsked(asked), ['freq', 'new']);
    });

    it('by other names where the first are refused, asking for those once', async () => {
      const { session, asked } = scriptedSession((_path, query) => {
        const name = query.get('sort') ?? '-last_seen';
        if (!name.startsWith('-')) return { status: 422, detail: 'ungültige Reihenfolge' };
        return { body: name === '-count' ? order(3, 1, 2) : order(2, 3, 1) };
      });
      await listIssues(session, { ...question, sort: 'frequency' });
      await listIssues(session, { ...question, sort: 'first_seen' });
      await assert.rejects(listIssues(session, { ...question, sort: 'users' }), code('unsupported_by_tracker'));
      assert.deepEqual(sortsAsked(asked), ['freq', null, '-count', '-first_seen']);
    });

    it('learns from questions at the same time as from one after the other', async () => {
      const { session, asked } = scriptedSession((_path, query) =>
        ['-count', null].includes(query.get('sort')) ? { body: order(3, 1, 2) } : { status: 400 },
      );
      await Promise.all([1, 2, 3, 4].map(() => listIssues(session, { ...question, sort: 'frequency' })));
      assert.deepEqual(sortsAsked(asked), ['freq', null, '-count', '-count', '-count', '-count']);
    });

    it('sees names that are passed over in silence, and finds those that are not', async () => {
      const { session, asked } = scriptedSession((_path, query) => ({
        body: query.get('sort') === '-created' ? order(2, 3, 1) : ROWS,
      }));
      assert.deepEqual(idsOf(await listIssues(session, { ...question, sort: 'first_seen' })), [2, 3, 1]);
      await listIssues(session, { ...question, sort: 'first_seen' });
      assert.deepEqual(sortsAsked(asked), ['new', null, '-first_seen', null, '-created', '-created']);
    });

    it('gives up, once for all, where every name is passed over', async () => {
      const { session, asked, dialect } = scriptedSession(() => ({ body: ROWS }));
      const ask = () => listIssues(session, { ...question, sort: 'first_seen' });
      await assert.rejects(ask(), code('unsupported_by_tracker'));
      const before = asked.length;
      await assert.rejects(ask(), code('unsupported_by_tracker'));
      assert.equal(asked.length, before);
      assert.deepEqual([...dialect.unsupportedSorts], ['matters', 'first_seen']);
    });

    it('takes the names that look passed over where the tracker refuses all others', async () => {
      const { session, asked, dialect } = scriptedSession((_path, query) => {
        const name = query.get('sort');
        return name?.startsWith('-') === true ? { status: 400 } : { body: ROWS };
      });
      assert.deepEqual(idsOf(await listIssues(session, { ...question, sort: 'first_seen' })), [1, 2, 3]);
      assert.deepEqual([...dialect.unsupportedSorts], ['matters']);
      assert.equal(dialect.sortFamily?.first_seen, 'new');
      assert.deepEqual(sortsAsked(asked), ['new', null, '-first_seen', null, '-created', null, 'new']);
    });

    it('believes a tracker that counts in its own way', async () => {
      const { session, asked } = scriptedSession((_path, query) => ({
        body: query.has('sort') ? order(1, 3, 2) : ROWS,
      }));
      assert.deepEqual(idsOf(await listIssues(session, { ...question, sort: 'frequency' })), [1, 3, 2]);
      assert.deepEqual(sortsAsked(asked), ['freq', null]);
    });

    it('learns nothing from a page that proves nothing', async () => {
      const { session, asked, dialect } = scriptedSession(() => ({ body: order(1) }));
      await listIssues(session, { ...question, sort: 'frequency' });
      assert.equal(dialect.sortFamily, null);
      assert.deepEqual(sortsAsked(asked), ['freq']);
    });

    it('does not take another refusal for one of the sort, whatever it says', async () => {
      const { session, dialect } = scriptedSession(() => ({ status: 400, detail: 'cannot parse "sort by"' }));
      await assert.rejects(listIssues(session, { ...question, sort: 'frequency' }), code('tracker_refused'));
      assert.deepEqual([...dialect.unsupportedSorts], ['matters']);
    });

    it('does not take a refused cursor for a refused sort, nor the other way round', async () => {
      const cursors = scriptedSession((_path, query) => (query.has('cursor') ? { status: 400 } : { body: ROWS }));
      const further = { ...question, sort: 'frequency', cursor: 'c:1' } as const;
      await assert.rejects(listIssues(cursors.session, further), code('bad_request'));
      const names = scriptedSession((_path, query) =>
        query.get('sort') === 'freq' ? { status: 422 } : { body: order(3, 1, 2) },
      );
      assert.deepEqual(idsOf(await listIssues(names.session, further)), [3, 1, 2]);
      assert.equal(sortsAsked(names.asked).at(-1), '-count');
    });
  });

  it('holds each error once where a page of the tracker holds it twice', async () => {
    const { session } = scriptedSession(() => ({ body: order(3, 1, 3) }));
    assert.deepEqual(idsOf(await listIssues(session, question)), [3, 1]);
  });

  it('asks with the other name of the page size where the first is passed over', async () => {
    const { session, asked } = scriptedSession((_path, query) => ({
      body: query.has('per_page') ? order(1, 2) : ROWS,
    }));
    assert.deepEqual(idsOf(await listIssues(session, { ...question, limit: 2 })), [1, 2]);
    await listIssues(session, { ...question, limit: 2 });
    assert.deepEqual(
      asked.map((line) => line.split('?')[1]),
      ['query=&limit=2', 'query=&per_page=2', 'query=&per_page=2'],
    );
  });

  it('takes more rows than it asked for where neither name counts', async () => {
    const { session, asked } = scriptedSession(() => ({ body: ROWS }));
    assert.deepEqual(idsOf(await listIssues(session, { ...question, limit: 2 })), [1, 2, 3]);
    assert.equal(asked.length, 2);
  });

  for (const status of [404, 410]) {
    it(`goes to the organization's list after ${status}, with the project's id and the window said`, async () => {
      const { session, asked } = scriptedSession((path) =>
        path.startsWith('/api/0/projects/') ? { status } : { body: ROWS },
      );
      await listIssues(session, question);
      await listIssues(session, question);
      const organization = 'GET /api/0/organizations/acme/issues/?query=&limit=3&project=5&statsPeriod=90d&groupStatsPeriod=24h'; // prettier-ignore
      assert.deepEqual(asked.slice(1), [organization, organization]);
    });
  }

  const refusals: [status: number, detail: string, cursor: string | null, expected: ErrorCode, said: RegExp][] = [
    [400, 'nein', 'c', 'bad_request', /cursor/],
    [400, 'Invalid cursor parameter.', null, 'tracker_refused', /did not understand/],
    [401, 'Invalid token', null, 'tracker_refused', /token is not accepted.*Invalid token/],
    [403, 'no', null, 'tracker_refused', /scope event:read/],
    [404, '', null, 'tracker_refused', /check address, organization and project/],
    [301, '', null, 'tracker_refused', /sends to another address/],
    [500, 'Internal Error', null, 'tracker_refused', /reported an internal error/],
  ];
  for (const [status, detail, cursor, expected, said] of refusals) {
    it(`${status} ${detail}: ${expected}`, async () => {
      const { session } = scriptedSession(() => ({ status, detail }));
      await assert.rejects(listIssues(session, { ...question, cursor }), (error: unknown) => {
        assert.ok(error instanceof AppError);
        assert.equal(error.code, expected);
        assert.match(error.message, said);
        if (expected === 'tracker_refused') {
          assert.equal(trackerDetails(error)?.webMessage, `Third-party response status code: ${status}`);
        }
        return true;
      });
    });
  }

  it('names the new slug of a renamed project', async () => {
    const { session } = scriptedSession(() => ({ status: 302, body: { slug: 'market' } }));
    await assert.rejects(listIssues(session, question), /renamed to "market"/);
    const hostile = { slug: `a\u202eb\n\u0000${'x'.repeat(5000)}` };
    await assert.rejects(
      listIssues(scriptedSession(() => ({ status: 302, body: hostile })).session, question),
      (error: unknown) =>
        error instanceof AppError && error.message.length < 400 && !/[\p{Cc}\u202e]/u.test(error.message),
    );
  });
});
