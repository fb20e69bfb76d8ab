import assert from 'node:assert/strict';
import type { Project } from '../../../src/domain/projects/project.ts';
import type { TrackerKind } from '../../../src/domain/projects/tracker-kind.ts';
import { startApp, type RunningApp } from '../../support/app.ts';
import { givenMember, givenProject } from '../../support/factories.ts';
import { startFakeTracker, type FakeTracker } from '../../support/fake-tracker/fake-tracker.ts';
import { faults } from '../../support/fake-tracker/faults.ts';
import { TRACKER_TOKEN } from '../../support/fake-tracker/linked-world.ts';
import type { PersonalityName } from '../../support/fake-tracker/personality.ts';
import { readRecordings, type Recorded } from '../../support/fake-tracker/recorded.ts';
import type { NewIssue } from '../../support/fake-tracker/world.ts';
import { SQLITE } from '../../support/test-stores.ts';

const recorded = (folder: string, file: string): Recorded =>
  readRecordings(folder).find((one) => one.file === `${file}.json`) ?? assert.fail(file);
const OF_URGENTRY = 'urgentry-0.2.10';

describe('what is odd about trackers, as people meet it', () => {
  let app: RunningApp;
  let tracker: FakeTracker;
  let project: Project;
  let token: string;
  let rest: string;

  async function start(name: PersonalityName, kind: TrackerKind, scopes?: readonly string[]) {
    tracker = await startFakeTracker(name, { now: app.clock.at });
    const shop = tracker.world.addProject('acme', 'shop', '11');
    tracker.world.addToken(TRACKER_TOKEN, scopes);
    await app.store.saveSettings(project.id, {
      active: true,
      integrated: false,
      apiUrl: `${tracker.origin}/api/0/projects/acme/shop/`,
      thirdpartyProjectId: '11',
      sealedToken: app.trackers.cipher.encrypt(TRACKER_TOKEN, project.id),
      tracker: { base: tracker.origin, kind, version: null, checkedAt: app.clock.at },
    });
    return (issue: Partial<NewIssue> & { readonly title: string }) =>
      tracker.world.addIssue(shop, { events: [{ at: app.clock.at - 60_000 }], ...issue });
  }

  beforeEach(async () => {
    app = await startApp(SQLITE);
    project = await givenProject(app.store);
    ({ token } = await givenMember(app.store, project, 'developer'));
    rest = `/api/v4/projects/${project.id}/error_tracking/errors`;
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
  const titles = async (query: string): Promise<string[]> =>
    (await get(`${rest}?search=${encodeURIComponent(query)}`)).map(({ title }: { title: string }) => title);

  for (const [name, kind] of [
    ['GlitchTip 5.2', 'glitchtip'],
    ['Urgentry', 'urgentry'],
  ] as const) {
    it(`${name}: a word with a colon or an apostrophe is searched, and is no tag and no failure`, async () => {
      const add = await start(name, kind);
      add({ title: 'quoted title: with colon', message: 'quoted title: with colon' });
      add({ title: "it's late", message: "it's late" });
      assert.deepEqual(await titles('title: with colon'), ['quoted title: with colon']);
      assert.deepEqual(await titles("it's"), ["it's late"]);
    });
  }

  it('GlitchTip: the id of an event finds its error', async () => {
    const issue = (await start('GlitchTip 5.2', 'glitchtip'))({ title: 'found by its event' });
    assert.deepEqual(await titles(issue.events[0]!.id), ['found by its event']);
    assert.deepEqual(await titles('0'.repeat(32)), []);
  });

  it('Urgentry: a last event that is older than the first one, and neighbours the other way round', async () => {
    const { at } = app.clock;
    const add = await start('Urgentry', 'urgentry');
    const arrived = (hours: number, seconds: number) => ({
      at: at - hours * 3_600_000,
      receivedAt: at + seconds * 1000,
    });
    const issue = add({ title: 'out of order', events: [arrived(1, 1), arrived(2, 2), arrived(3, 3)] });
    const [row] = await get(rest);
    const time = (hours: number) => new Date(at - hours * 3_600_000).toISOString();
    assert.deepEqual([row.first_seen, row.last_seen], [time(3), time(1)]);
    const latest = await get(`${rest}/${issue.id}/events/latest`);
    assert.equal(latest.timestamp, time(3), 'the one that arrived last');
    assert.equal(latest.next_event_id, null);
    const before = await get(`${rest}/${issue.id}/events/${latest.previous_event_id}`);
    assert.deepEqual([before.timestamp, before.next_event_id], [time(2), latest.id ?? latest.event_id]);
  });

  it('Urgentry: an error without a title, and its event without a message', async () => {
    const issue = (await start('Urgentry', 'urgentry'))({ title: '<no title>', type: null, message: null });
    const body = recorded(OF_URGENTRY, 'issue-no-title').body as { id: string; project: object };
    const event = recorded(OF_URGENTRY, 'issue-no-title-latest-event').body as object;
    const own = { ...body, id: issue.id, project: { ...body.project, id: '11', slug: 'shop' } };
    tracker.fail(faults.json({ ...event, groupID: issue.id }), /\/events\/latest\/$/);
    tracker.fail(faults.json(own), /GET \/api\/0\/issues\/[^/]+\/$/);
    const shown = await get(`${rest}/${issue.id}`);
    assert.deepEqual([shown.title, shown.type], ['<no title>', null]);
    const latest = await get(`${rest}/${issue.id}/events/latest`);
    assert.deepEqual([latest.message, latest.exceptions], [null, []]);
  });

  it('Urgentry: a token that only reads shows errors, and a change names the scope', async () => {
    const issue = (await start('Urgentry', 'urgentry', ['project:read', 'org:read']))({ title: 'only read' });
    assert.equal((await get(rest)).length, 1);
    const change = await app.ask('PUT', `${rest}/${issue.id}`, { token, body: { status: 'resolved' } });
    assert.deepEqual([change.status, change.json().code], [502, 'tracker_refused']);
    assert.match(change.json().message, /with status 403: .*event:write/);
    assert.equal(issue.status, 'unresolved');
  });

  it('Urgentry: a quota that is used up says when to ask again', async () => {
    (await start('Urgentry', 'urgentry'))({ title: 'not shown' });
    const { status, headers, body } = recorded(OF_URGENTRY, 'issues-organization-rate-limited');
    tracker.fail(faults.status(status, JSON.stringify(body), Object.fromEntries(headers)), /\/issues\/\?/);
    const answer = await app.get(rest, token);
    assert.deepEqual([answer.status, answer.json().code], [503, 'tracker_limited']);
    // The tracker asks for 143 s; a minute is the most that errgate holds its questions back.
    assert.equal(answer.headers.get('retry-after'), '60');
  });
});
