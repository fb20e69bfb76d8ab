import assert from 'node:assert/strict';
import { AppError } from '../../../../src/domain/app-error.ts';
import {
  isThirdpartyIssue,
  isThirdpartyUpdate,
  type ThirdpartyIssue,
} from '../../../../src/schemas/thirdparty/issue.ts';
import { isThirdpartyTag } from '../../../../src/schemas/thirdparty/event.ts';
import { showsUserCounts, trackedError, trackedErrorDetail } from '../../../../src/thirdparty/map/issue.ts';
import { shaped, shapedList } from '../../../../src/thirdparty/http/shape.ts';
import { trackerDetails } from '../../../../src/thirdparty/http/tracker-errors.ts';
import { readRecordings } from '../../../support/fake-tracker/recorded.ts';
import { recordedBody } from '../support/recorded-body.ts';

const view = { projectId: 7, projectUrl: 'http://127.0.0.1:8010/bench/bench/', countsUsers: false, showsMarks: false };

/** A Sentry's issue, cut down to what is looked at, and much that must not be. */
const SENTRY = {
  id: '6507376925',
  shareId: null,
  shortId: 'CLOUDFLARE-MCP-41',
  title: 'Error: Tool list_organizations is already registered',
  culprit: 'Object.fetch(index)',
  permalink: 'https://elsewhere.sentry.io/issues/6507376925/',
  logger: null,
  level: 'error',
  status: 'ignored',
  statusDetails: { actor: { email: 'jane@example.com' } },
  platform: 'javascript',
  project: { id: '4509062593708032', name: 'CLOUDFLARE-MCP', slug: 'CLOUDFLARE-MCP', platform: 'bun' },
  type: 'error',
  metadata: { value: 'Tool list_organizations is already registered', type: 'Error', filename: 'index.js' },
  assignedTo: { type: 'user', id: '12345', name: 'Jane Developer', email: 'jane@example.com' },
  seenBy: [{ email: 'jane@example.com', lastLogin: 'x', ip_address: '10.1.2.3' }],
  activity: [{ user: { email: 'jane@example.com' }, type: 'note', data: { text: 'by jane@example.com' } }],
  annotations: [{ displayName: 'x', url: 'https://x.example' }, '<a href="https://x.example">x</a>'],
  isUnhandled: true,
  count: '25',
  userCount: 0,
  firstSeen: '2025-04-03T22:51:19.403000Z',
  lastSeen: '2025-04-12T11:34:11Z',
  firstRelease: { version: 'app@1.0', lastCommit: { author: { email: 'jane@example.com' } } },
  lastRelease: 'app@2.0',
  stats: { '24h': [[1744480800, 3], [1744484400, 4]], '30d': [[1741910400.0, 0], [1741996800, 25]] }, // prettier-ignore
};

const issueWith = (patch: object): ThirdpartyIssue => shaped(isThirdpartyIssue, { ...SENTRY, ...patch }, 'an error');
const mapped = (patch: object, counts = false) => trackedError(issueWith(patch), { ...view, countsUsers: counts });

describe('third-party issues', () => {
  it('of a recorded Urgentry, whose messages have the kind of exceptions', () => {
    const recorded = readRecordings('urgentry-0.2.10').find(({ file }) => file === 'issue-message.json');
    const { type, title, message } = trackedError(shaped(isThirdpartyIssue, recorded?.body, 'an error'), view);
    assert.deepEqual([type, title, message], [null, 'payment provider is slow', 'payment provider is slow']);
  });

  it('of a recorded GlitchTip list', () => {
    const [first, second] = shapedList(isThirdpartyIssue, recordedBody('issues-unresolved'), 'an error').rows;
    assert.deepEqual(trackedError(first!, view), {
      id: '53',
      projectId: 7,
      type: null,
      title: 'hello world',
      tracker: {
        projectId: '1',
        projectName: 'bench',
        projectSlug: 'bench',
        shortId: 'BENCH-1L',
        logger: null,
        firstRelease: null,
        lastRelease: null,
      },
      message: null,
      culprit: null,
      level: 'info',
      platform: null,
      status: 'unresolved',
      statusDetails: null,
      assignee: null,
      count: 12,
      userCount: null,
      rangeCount: null,
      marks: null,
      firstSeen: Date.parse('2026-11-20T18:51:24.974Z'),
      lastSeen: Date.parse('2026-11-20T18:51:25.256Z'),
      firstRelease: null,
      lastRelease: null,
      externalUrl: 'http://127.0.0.1:8010/bench/issues/53',
      externalIds: [],
      frequency: null,
    });
    const error = trackedError(second!, view);
    assert.deepEqual([error.type, error.message, error.title], ['RuntimeError', 'outer', 'RuntimeError: outer']);
    assert.equal(showsUserCounts(first!), false);
  });

  it('of every recorded list, in one shape', () => {
    for (const name of [
      'issues-page-2',
      'issues-search',
      'issues-empty',
      'issues-sort-count',
      'issues-unknown-project',
    ]) {
      for (const issue of shapedList(isThirdpartyIssue, recordedBody(name), 'an error').rows) {
        const error = trackedError(issue, view);
        assert.ok(/^\d+$/.test(error.id) && error.lastSeen > 0 && error.count > 0, name);
      }
    }
  });

  it('of a recorded detail with its tags', () => {
    const issue = shaped(isThirdpartyIssue, recordedBody('issue-1'), 'an error');
    const { rows: tags } = shapedList(isThirdpartyTag, recordedBody('issue-1-tags'), 'a tag');
    const detail = trackedErrorDetail(issue, { tags, isWhole: true }, view, issue.id as string);
    assert.deepEqual([detail.merged, detail.mergedInto], [null, null]);
    assert.equal(trackedErrorDetail(issue, { tags, isWhole: true }, view, '7').mergedInto, detail.id);
    assert.deepEqual([detail.frequency30d, detail.environments, detail.releases], [null, ['prod'], ['app@1.0.0']]);
    assert.deepEqual(
      detail.tags?.find(({ key }) => key === 'os.name'),
      { key: 'os.name', total: 1, values: [{ value: 'Linux', count: 1 }], other: 0 },
    );
    const unknown = trackedErrorDetail(issue, { tags: null, isWhole: true }, view, '7');
    assert.deepEqual([unknown.tags, unknown.environments, unknown.releases], [null, null, null]);
  });

  it('of recorded answers to a change, which mix two spellings', () => {
    for (const [name, status] of [
      ['issue-resolve', 'resolved'],
      ['issue-ignore', 'ignored'],
      ['issue-resolve-org-scoped', 'unresolved'],
    ] as const) {
      // prettier-ignore
      assert.equal(shaped(isThirdpartyUpdate, recordedBody(name), 'a change').status, status);
      const error = trackedError(shaped(isThirdpartyIssue, recordedBody(name), 'an error'), view);
      assert.deepEqual([error.status, error.userCount], [status, null]);
    }
  });

  it("of a Sentry, without anything about the tracker's own people", () => {
    const detail = trackedErrorDetail(
      issueWith({}),
      { tags: [], isWhole: true },
      { ...view, countsUsers: showsUserCounts(issueWith({})) },
      '6507376925',
    );
    assert.deepEqual(
      [detail.id, detail.type, detail.status, detail.count, detail.userCount, detail.level, detail.platform],
      ['6507376925', 'Error', 'ignored', 25, 0, 'error', 'javascript'],
    );
    assert.deepEqual([detail.firstRelease, detail.lastRelease], ['app@1.0', 'app@2.0']);
    assert.equal(detail.frequency?.length, 24);
    assert.deepEqual(detail.frequency.slice(-3), [[1744477200, 0], [1744480800, 3], [1744484400, 4]]); // prettier-ignore
    assert.equal(detail.frequency30d?.length, 30);
    assert.deepEqual(detail.frequency30d.at(-1), [1741996800, 25]);
    const everything = JSON.stringify(detail);
    assert.ok(!everything.includes('@example.com') && !everything.includes('10.1.2.3'), everything);
  });

  it('what only the tracker has, as far as it tells', () => {
    assert.deepEqual(mapped({ logger: 'app.orders' }).tracker, {
      projectId: '4509062593708032',
      projectName: 'CLOUDFLARE-MCP',
      projectSlug: 'CLOUDFLARE-MCP',
      shortId: 'CLOUDFLARE-MCP-41',
      logger: 'app.orders',
      firstRelease: { shortVersion: null, lastCommit: null },
      lastRelease: null,
    });
    const release = {
      version: 'app@1.0',
      shortVersion: '1.0',
      lastCommit: { id: 'c0ffee', author: { email: 'a@b.c' } },
    };
    assert.deepEqual(mapped({ firstRelease: release, lastRelease: { lastCommit: 'beef' } }).tracker?.firstRelease, {
      shortVersion: '1.0',
      lastCommit: 'c0ffee',
    });
    assert.equal(mapped({ lastRelease: { lastCommit: 'beef' } }).tracker?.lastRelease?.lastCommit, 'beef');
    // An answer is not refused for what is only shown.
    const strange = mapped({ shortId: 7, logger: {}, project: { id: 5, name: [], slug: null } }).tracker;
    assert.deepEqual(
      [strange?.shortId, strange?.logger, strange?.projectId, strange?.projectName, strange?.projectSlug],
      ['7', null, '5', null, null],
    );
  });

  it('counts that are text, ids beyond 2^53, ids in hex', () => {
    assert.deepEqual([mapped({ count: 25 }).count, mapped({ count: '25', userCount: '3' }).userCount], [25, 3]);
    assert.equal(mapped({ id: '9007199254740993' }).id, '9007199254740993');
    assert.equal(mapped({ id: 17 }).id, '17');
    assert.equal(mapped({ id: 'a'.repeat(32) }).id, 'a'.repeat(32));
  });

  it('uncounted users are unknown, others are counted', () => {
    assert.equal(mapped({ userCount: 0 }).userCount, null);
    assert.equal(mapped({ userCount: 0 }, true).userCount, 0);
    assert.equal(mapped({ userCount: 4 }).userCount, 4);
    assert.equal(mapped({ userCount: undefined }, true).userCount, null);
  });

  it('unknown states and levels', () => {
    for (const [status, shown] of [
      ['muted', 'ignored'],
      ['archived', 'ignored'],
      ['resolvedInNextRelease', 'resolved'],
      ['reprocessing', 'unresolved'],
    ] as const) {
      // prettier-ignore
      assert.equal(mapped({ status }).status, shown);
    }
    assert.deepEqual([mapped({ level: 'sample' }).level, mapped({ level: 'fatal' }).level], [null, 'fatal']);
  });

  it('without dates, metadata, project or anything that may be missing', () => {
    const bare = trackedError(
      shaped(isThirdpartyIssue, { id: '1', title: 't', status: 'unresolved', count: '0' }, 'an error'),
      view,
    );
    assert.deepEqual(
      [bare.firstSeen, bare.lastSeen, bare.type, bare.message, bare.frequency],
      [0, 0, null, null, null],
    );
    assert.equal(mapped({ firstSeen: null }).firstSeen, Date.parse('2025-04-12T11:34:11Z'));
    assert.equal(mapped({ firstSeen: '2025-04-03 22:51:19' }).firstSeen, Date.parse('2025-04-03T22:51:19Z'));
  });

  it('messages', () => {
    const message = (type: string, metadata: object) => mapped({ type, metadata }).message;
    assert.equal(message('default', { title: 'hello' }), 'hello');
    assert.equal(message('error', { title: 'not this' }), null);
    assert.equal(message('csp', { message: "Blocked 'script'", uri: 'x' }), "Blocked 'script'");
  });

  it('pages', () => {
    const page = (permalink: unknown) => mapped({ permalink }).externalUrl;
    assert.equal(page('http://127.0.0.1:8010/bench/issues/5'), 'http://127.0.0.1:8010/bench/issues/5');
    assert.equal(page('/organizations/bench/issues/5/'), 'http://127.0.0.1:8010/organizations/bench/issues/5/');
    const own = 'http://127.0.0.1:8010/bench/bench/issues/6507376925';
    for (const odd of [
      'javascript:alert(1)',
      'Not implemented',
      '//evil.example/',
      'https://evil.example/',
      null,
      undefined,
    ]) {
      assert.equal(page(odd), own, String(odd));
    }
  });

  describe('that are not well', () => {
    const rows: [patch: object, webMessage: string][] = [
      [{ id: undefined }, 'Third-party API response is missing keys. key not found: "id"'],
      [{ title: undefined }, 'Third-party API response is missing keys. key not found: "title"'],
      [{ count: undefined }, 'Third-party API response is missing keys. key not found: "count"'],
      [{ count: 'many' }, 'Third-party API response contains invalid value for field "count"'],
      [{ status: 5 }, 'Third-party API response contains invalid value for field "status"'],
      [{ metadata: 'x' }, 'Third-party API response contains invalid value for field "metadata"'],
      [{ id: 'x'.repeat(65) }, `Third-party API response contains invalid value for field "id": ${'x'.repeat(37)}...`],
      [{ id: {} }, 'Third-party API response contains invalid value for field "id"'],
      [{ id: '../1' }, 'Third-party API response contains invalid value for field "id": ../1'],
    ];
    for (const [patch, webMessage] of rows) {
      it(webMessage, () => {
        const copy = JSON.parse(JSON.stringify({ ...SENTRY, ...patch })) as unknown;
        assert.throws(
          () => trackedError(shaped(isThirdpartyIssue, copy, 'an error'), view),
          (error: unknown) =>
            error instanceof AppError &&
            error.code === 'tracker_invalid_answer' &&
            trackerDetails(error)?.webMessage === webMessage,
        );
      });
    }

    it('as JSON of another kind', () => {
      for (const value of [7, 'text', true, null, [], [[[]]]]) {
        assert.throws(
          () => shaped(isThirdpartyIssue, value, 'an error'),
          (error: unknown) =>
            error instanceof AppError &&
            error.message.startsWith('the third-party tracker sent something other than an error') &&
            trackerDetails(error)?.webMessage === 'Third-party API response is not an error',
        );
      }
    });

    it('as no list at all, or null for an empty one', () => {
      assert.deepEqual(shapedList(isThirdpartyIssue, null, 'an error'), { rows: [], unusable: [] });
      assert.throws(
        () => shapedList(isThirdpartyIssue, { auth: null }, 'an error'),
        /no list where a list of items like an error was expected/,
      );
    });
  });
});
