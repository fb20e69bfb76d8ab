import assert from 'node:assert/strict';
import { remoteComment, remoteReport } from '../../../src/import/readers/remote/people-work.ts';
import { daysOfProject } from '../../../src/import/readers/remote/project-days.ts';
import { remoteKey } from '../../../src/import/readers/remote/project-keys.ts';
import { remoteIssue } from '../../../src/import/readers/remote/remote-issue.ts';
import { remoteProject } from '../../../src/import/readers/remote/remote-project.ts';
import { remoteRelease } from '../../../src/import/readers/remote/remote-release.ts';
import { eventFromApi } from '../../../src/import/sdk-body/api-event.ts';
import { lacksMessage, withMessageOf } from '../../../src/import/sdk-body/missing-message.ts';
import { eventFromRaw } from '../../../src/import/sdk-body/raw-event.ts';
import { groupV2 } from '../../../src/integrated/digest/group/v2/group.ts';
import { startFakeSource, type FakeSource } from '../../support/fake-source/fake-source.ts';
import { readRecordings, type Recorded } from '../../support/fake-tracker/recorded.ts';
import { digester, record } from '../integrated/digest/digest-support.ts';

const AT = Date.parse('2026-11-23T06:00:00Z');
const digest = digester({ group: groupV2 });
const keyOf = (body: object): string | undefined => digest(record(JSON.stringify(body))).event?.groupHash;

type Row = Record<string, unknown>;
const KINDS = { glitchtip: 'glitchtip-5.2', urgentry: 'urgentry-0.2.10' } as const;

const recordings = {
  glitchtip: readRecordings(KINDS.glitchtip, 'import'),
  urgentry: readRecordings(KINDS.urgentry, 'import'),
};
const find = (tracker: keyof typeof KINDS, file: string): Recorded =>
  recordings[tracker].find((one) => one.file === `${file}.json`) ?? assert.fail(`${tracker} ${file}`);
const rows = (tracker: keyof typeof KINDS, file: string): Row[] => {
  const { body } = find(tracker, file);
  return Array.isArray(body) ? (body as Row[]) : [body as Row];
};

describe('recorded answers of trackers', () => {
  it('give keys as applications send them, without dashes', () => {
    const keys = rows('glitchtip', 'project-keys').map(remoteKey);
    assert.deepEqual(keys, [{ publicKey: '5'.repeat(32), label: null, active: true, rateLimit: null }]);
    assert.equal(remoteKey(rows('urgentry', 'project-keys')[0])?.publicKey, '3'.repeat(32));
    // Without a DSN the public part counts.
    assert.equal(remoteKey({ public: '55555555-5555-5555-5555-555555555555' })?.publicKey, '5'.repeat(32));
    assert.equal(remoteKey({ public: 'a'.repeat(32), useCase: 'profiling' }), null);
    assert.equal(remoteKey({ public: 'a'.repeat(32), isActive: false })?.active, false);
    assert.equal(remoteKey({ public: '../etc' }), null);
    const limited = remoteKey({ public: 'a'.repeat(32), rateLimit: { window: 60, count: 100 } });
    assert.deepEqual(limited?.rateLimit, { window: 60, count: 100 });
  });

  it('give projects, comments, reports, releases and days', () => {
    const projects = rows('glitchtip', 'organization-projects').map(remoteProject);
    assert.ok(projects.some((project) => project?.slug === 'web-shop' && project.id === '2'));
    assert.equal(remoteProject(rows('urgentry', 'organization-projects')[0])?.id, 'default-project');
    assert.deepEqual(remoteComment(rows('glitchtip', 'issue-comments')[0], AT), {
      id: '1',
      author: 'admin@example.com',
      at: Date.parse('2026-11-23T05:09:05.863Z'),
      text: 'Seen again after the release.',
    });
    assert.equal(remoteComment(rows('urgentry', 'issue-comments')[0], AT)?.author, 'Bootstrap Admin');
    for (const row of [rows('glitchtip', 'issue-user-reports')[0], rows('urgentry', 'project-user-feedback')[0]]) {
      const report = remoteReport(row, AT);
      assert.equal(report?.comments, 'The button does nothing.');
      assert.match(report.eventId ?? '', /^[0-9a-f]{32}$/);
    }
    for (const row of [...rows('glitchtip', 'project-releases'), ...rows('urgentry', 'organization-releases')]) {
      assert.match(remoteRelease(row, AT)?.release ?? '', /^shop@/);
    }
    const days = daysOfProject(find('urgentry', 'project-stats').body, AT);
    assert.deepEqual(days?.at(-1), [1_795_392_000, 37]);
  });

  for (const kind of ['glitchtip', 'urgentry'] as const) {
    it(`give the issues of ${kind} with counts and names`, () => {
      const list = kind === 'glitchtip' ? 'issues-project-empty-query' : 'issues-project-per-page-4';
      const place = { kind, baseUrl: 'http://t.example', organization: 'acme-inc', project: 'web-shop', at: AT };
      for (const row of rows(kind, list)) {
        const issue = remoteIssue(row, { ...place, isWhole: false });
        assert.equal(issue.count, Number(row.count));
        assert.ok(issue.firstSeen <= issue.lastSeen && issue.lastSeen <= AT);
        assert.ok(issue.externalIds.some((one) => one.kind === 'short_id' && one.value === row.shortId));
        assert.match(issue.url ?? '', /^http:\/\/t\.example\//);
      }
      const issue = remoteIssue(rows(kind, 'issue-chained')[0], { ...place, isWhole: true });
      assert.equal(issue.count, 7);
      assert.equal(issue.type, 'RuntimeError');
      assert.equal(issue.commentCount, 1);
      assert.equal(issue.users, kind === 'glitchtip' ? null : 3);
      assert.equal(
        issue.days.reduce((sum, [, count]) => sum + count, 0),
        kind === 'glitchtip' ? 0 : 7,
      );
    });
  }

  it('give one group key for an event in both shapes of GlitchTip, with its causes in order', () => {
    const raw = eventFromRaw(find('glitchtip', 'issue-event-json-org-scoped').body, AT);
    const shaped = eventFromApi(find('glitchtip', 'project-event-by-id').body, AT);
    assert.ok(raw !== null && shaped !== null);
    assert.equal(raw.eventId, shaped.eventId);
    assert.equal(raw.at, shaped.at);
    const key = keyOf(raw.body);
    assert.ok([shaped.body, ...shaped.variants].some((body) => keyOf(body) === key));
    const types = ({ body }: typeof raw): unknown[] =>
      (body.exception as { values: Row[] }).values.map((value) => value.type);
    assert.deepEqual(types(raw), ['PaymentError', 'RuntimeError']);
    assert.deepEqual(types(shaped), types(raw));
    assert.equal(raw.body.environment, 'staging');
    assert.equal(raw.body.release, 'shop@2.1.0-rc.1');
    assert.deepEqual(raw.body.tags, [
      ['region', 'eu'],
      ['customer type', 'b2b'],
    ]);
  });

  it('give the message of an event, which the stored form of GlitchTip lacks', () => {
    const raw = eventFromRaw(find('glitchtip', 'issue-message-event-json-org-scoped').body, AT);
    const shaped = eventFromApi(find('glitchtip', 'issue-message-event-by-id').body, AT);
    assert.ok(raw !== null && shaped !== null && lacksMessage(raw) && !lacksMessage(shaped));
    const sent = { platform: 'python', level: 'warning', message: 'jackdaw failed in python' };
    assert.equal(keyOf(withMessageOf(raw, shaped).body), keyOf(sent));
    assert.notEqual(keyOf(raw.body), keyOf(sent));
    // The stack of a message comes as an exception without a type.
    const exception = { values: [{ value: 'failed', mechanism: { type: 'generic', synthetic: true } }] };
    assert.ok(lacksMessage({ ...raw, body: { ...raw.body, exception } }));
    assert.ok(!lacksMessage({ ...raw, body: { ...raw.body, exception: { values: [{ type: 'Error' }] } } }));
  });

  it('give no transaction that the tracker made of a frame or of an address', () => {
    const { body } = find('glitchtip', 'issue-event-json-org-scoped');
    const [frame] = [{ module: 'shop.cart', filename: 'shop/cart.py', function: 'add', in_app: true }];
    const made = (transaction: string, members: Row = {}): unknown =>
      eventFromRaw(
        { ...(body as Row), exception: { values: [{ stacktrace: { frames: [frame] } }] }, ...members, transaction },
        AT,
      )?.body.transaction;
    for (const culprit of ['shop.cart in add', 'shop/cart.py in add', 'add(shop.cart)', 'add(shop/cart.py)'])
      assert.equal(made(culprit), undefined);
    assert.equal(made('https://shop.example.com/', { request: { url: 'https://shop.example.com/' } }), undefined);
    for (const sent of ['/basket/{id}', 'shop.cart.add', 'add']) assert.equal(made(sent), sent);
  });

  it('give the fingerprint of an application on Urgentry; elsewhere the member has hashes', () => {
    const { body } = find('urgentry', 'project-event-fingerprint-by-id');
    assert.deepEqual(eventFromApi(body, AT, 'sent')?.body.fingerprint, ['python', 'nuthatch']);
    assert.equal(eventFromApi(body, AT, 'hashes')?.body.fingerprint, undefined);
  });

  it('give one group key for an event in the shapes of Urgentry and GlitchTip', () => {
    const own = eventFromApi(find('urgentry', 'project-event-by-id').body, AT);
    const other = eventFromRaw(find('glitchtip', 'issue-event-json-org-scoped').body, AT);
    assert.ok(own !== null && other !== null);
    assert.equal(keyOf(own.body), keyOf(other.body));
  });

  describe('are those of the fake', () => {
    let source: FakeSource;
    afterEach(() => source.close());

    for (const tracker of ['glitchtip', 'urgentry'] as const) {
      it(`for ${tracker}: no member is made up, and each has its type`, async () => {
        source = await startFakeSource(tracker, { now: () => AT });
        source.world.addToken('token');
        const shop = source.world.addProject('shop', { organization: 'acme' });
        const body = eventFromRaw(find('glitchtip', 'issue-event-json-org-scoped').body, AT)?.body ?? {};
        const issue = source.world.addIssue(shop, { bodies: [{ body }] });
        const eventId = String(body.event_id);
        issue.notes.push({ id: '1', author: 'ada', at: AT, text: 'seen' });
        issue.reports.push({ id: '1', eventId, name: 'A', email: 'a@example.com', comments: 'no', at: AT });
        shop.releases.push({ version: 'shop@1', firstSeen: AT, lastSeen: AT });
        const below = `/api/0/projects/acme/shop`;
        const both: Record<string, string> = {
          'organization-projects': '/api/0/organizations/acme/projects/',
          'project-keys': `${below}/keys/`,
          'issue-chained': `/api/0/issues/${issue.id}/`,
          'issue-hashes-org-scoped': `/api/0/organizations/acme/issues/${issue.id}/hashes/`,
          'issue-comments': `/api/0/issues/${issue.id}/comments/`,
        };
        const own: Record<string, string> =
          tracker === 'glitchtip'
            ? {
                'issues-project-empty-query': `${below}/issues/?query=&limit=3`,
                'search-by-event-id': `${below}/issues/?query=${eventId}`,
                'issue-user-reports': `/api/0/issues/${issue.id}/user-reports/`,
                'project-releases': `${below}/releases/`,
                'issue-event-json-org-scoped': `/api/0/organizations/acme/issues/${issue.id}/events/${eventId}/json/`,
              }
            : {
                'issues-project-per-page-4': `${below}/issues/?query=&per_page=4`,
                'issue-events-per-page-2': `/api/0/issues/${issue.id}/events/?per_page=2`,
                'project-event-by-id': `${below}/events/${eventId}/`,
                'project-user-feedback': `${below}/user-feedback/`,
                'project-stats': `${below}/stats/`,
                'organization-releases': '/api/0/organizations/acme/releases/',
              };
        for (const [file, path] of Object.entries({ ...both, ...own })) {
          const answer = await fetch(source.origin + path, { headers: { authorization: 'Bearer token' } });
          assert.equal(answer.status, 200, path);
          const found: unknown = await answer.json();
          const [row] = (Array.isArray(found) ? found : [found]) as Row[];
          assert.deepEqual(madeUp(row ?? {}, rows(tracker, file)), [], `${tracker} ${file}`);
        }
        source.assertClean();
      });
    }
  });
});

/** Members of a row that no recorded row has, or with another type. */
function madeUp(row: Row, recorded: readonly Row[]): string[] {
  const typeOf = (value: unknown): string => (Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value);
  return Object.entries(row).flatMap(([name, value]) => {
    const types = recorded.filter((one) => name in one).map((one) => typeOf(one[name]));
    if (types.length === 0) return [`${name} is made up`];
    const fits = value === null || types.includes(typeOf(value)) || types.every((type) => type === 'null');
    return fits ? [] : [`${name} is ${typeOf(value)}, recorded: ${types.join()}`];
  });
}
