import assert from 'node:assert/strict';
import type { Project } from '../../../src/domain/projects/project.ts';
import { startApp, type RunningApp } from '../../support/app.ts';
import { givenMember, givenProject } from '../../support/factories.ts';
import { startFakeTracker, type FakeTracker } from '../../support/fake-tracker/fake-tracker.ts';
import { faults } from '../../support/fake-tracker/faults.ts';
import { TRACKER_TOKEN } from '../../support/fake-tracker/linked-world.ts';
import { readRecordings } from '../../support/fake-tracker/recorded.ts';
import type { FakeIssue } from '../../support/fake-tracker/world.ts';
import { SQLITE } from '../../support/test-stores.ts';

/** The oldest event arrived last. */
const [EARLIER, LATER] = ['2026-01-14T08:00:00.000Z', '2026-01-14T09:30:00.000Z'];

describe('answers of a GlitchTip as the API shows them', () => {
  let app: RunningApp;
  let tracker: FakeTracker;
  let project: Project;
  let issue: FakeIssue;
  let token: string;
  let rest: string;
  let web: string;

  beforeEach(async () => {
    app = await startApp(SQLITE);
    tracker = await startFakeTracker('GlitchTip 5.2', { now: app.clock.at });
    const shop = tracker.world.addProject('acme', 'shop', '11');
    tracker.world.addToken(TRACKER_TOKEN);
    issue = tracker.world.addIssue(shop, { title: 'TypeError: x', events: [{ at: app.clock.at - 60_000 }] });
    project = await givenProject(app.store);
    ({ token } = await givenMember(app.store, project, 'developer'));
    await app.store.saveSettings(project.id, {
      active: true,
      integrated: false,
      apiUrl: `${tracker.origin}/api/0/projects/acme/shop/`,
      thirdpartyProjectId: '11',
      sealedToken: app.trackers.cipher.encrypt(TRACKER_TOKEN, project.id),
      tracker: { base: tracker.origin, kind: 'glitchtip', version: '5.2', checkedAt: app.clock.at },
    });
    rest = `/api/v4/projects/${project.id}/error_tracking/errors`;
    web = `/${project.path}/-/error_tracking`;
  });
  afterEach(async () => {
    await app.close();
    await tracker.close();
    tracker.assertClean();
  });

  const get = async (path: string) => {
    const { status, text } = await app.get(path, token);
    assert.equal(status, 200, text);
    return JSON.parse(text);
  };
  const resolve = () => app.ask('PUT', `${rest}/${issue.id}`, { token, body: { status: 'resolved' } });
  const resolvePage = () => app.ask('PUT', `${web}/${issue.id}.json`, { token, body: { status: 'resolved' } });

  it('the last time before the first: the earlier is the first one everywhere', async () => {
    const headers = { authorization: `Bearer ${TRACKER_TOKEN}`, 'content-type': 'application/json' };
    const own = await fetch(`${tracker.origin}/api/0/issues/${issue.id}/`, { headers });
    const turned = { ...((await own.json()) as object), firstSeen: LATER, lastSeen: EARLIER };
    tracker.fail(faults.json([turned]), /\/shop\/issues\/\?/);
    tracker.fail(faults.json(turned), /GET \/api\/0\/issues\/[^/]+\/$/);
    const [row] = await get(rest);
    const detail = await get(`${rest}/${issue.id}`);
    const [webRow] = (await get(`${web}.json`)).errors;
    const { error: webDetail } = await get(`${web}/${issue.id}/details.json`);
    for (const shown of [row, detail, webRow, webDetail]) {
      assert.deepEqual([shown.first_seen, shown.last_seen], [EARLIER, LATER]);
    }
  });

  describe('to a token that was revoked', () => {
    const recorded = readRecordings('glitchtip-5.2-two-slugs').find(
      ({ file }) => file === 'issue-resolve-bad-token.json',
    );
    const advice =
      /^\S+ refused to .* with status 40[13]: the token is not accepted: enter a valid one in the settings \(it says: .*\)$/;

    it('a change alone is 403 in words of its own: the token is named, and no scope', async () => {
      assert.deepEqual([recorded?.status, recorded?.body], [403, { detail: 'CSRF check Failed' }]);
      const { status, body } = recorded!;
      tracker.fail(faults.status(status, JSON.stringify(body), { 'content-type': 'application/json' }), /^PUT/);
      const answer = await resolve();
      assert.deepEqual([answer.status, answer.json().code], [502, 'tracker_refused']);
      assert.match(answer.json().message, advice);
      assert.match(answer.json().message, /with status 403: .*\(it says: CSRF check Failed\)$/);
      assert.doesNotMatch(answer.json().message, /scope/);
      const page = await resolvePage();
      assert.deepEqual([page.status, page.json().message], [400, 'Third-party response status code: 403']);
      assert.equal(issue.status, 'unresolved');
    });

    it('reads and changes are refused, no copy hides it, and the token is named', async () => {
      await get(`${rest}/${issue.id}`);
      tracker.world.tokens.length = 0;
      const answer = await resolve();
      assert.deepEqual([answer.status, answer.json().code], [502, 'tracker_refused']);
      assert.match(answer.json().message, advice);
      const read = await app.get(`${rest}/${issue.id}`, token);
      assert.deepEqual([read.status, read.json().code], [502, 'tracker_refused']);
      assert.match(read.json().message, advice);
    });
  });
});
