import assert from 'node:assert/strict';
import { startApp, type RunningApp } from '../../support/app.ts';
import { givenMember, givenProject } from '../../support/factories.ts';
import { startLinkedWorld, TRACKER_TOKEN, type LinkedWorld } from '../../support/fake-tracker/linked-world.ts';
import { SQLITE } from '../../support/test-stores.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

describe('pages of a search by a relative time in a tracker', () => {
  let app: RunningApp;
  let world: LinkedWorld | undefined;
  beforeEach(async () => {
    app = await startApp(SQLITE);
  });
  afterEach(async () => {
    await app.close();
    await world?.close();
    world?.tracker.assertClean();
  });

  for (const [name, kind] of [
    ['Sentry 26', 'sentry'],
    ['GlitchTip 5.2', 'glitchtip'],
  ] as const) {
    it(`follow one another while time passes, and one page is asked for once, in ${name}`, async () => {
      const now = app.clock.at;
      world = await startLinkedWorld(name, { now, kind });
      const { tracker, shop } = world;
      for (const title of ['alpha', 'bravo', 'charlie']) {
        tracker.world.addIssue(shop, { title, events: [{ at: now - 5 * MINUTE }] });
      }
      const project = await givenProject(app.store);
      const { projectId: _id, ...settings } = world.settingsFor(project.id, shop);
      const sealedToken = app.trackers.cipher.encrypt(TRACKER_TOKEN, project.id);
      await app.store.saveSettings(project.id, { ...settings, sealedToken });
      const { token } = await givenMember(app.store, project, 'reporter');
      const get = async (cursor: string | null) => {
        const query = new URLSearchParams({ search: 'first-seen:-30d', per_page: '1' });
        if (cursor !== null) query.set('cursor', cursor);
        const answer = await app.get(`/api/v4/projects/${project.id}/error_tracking/errors?${query.toString()}`, token);
        assert.equal(answer.status, 200, answer.text);
        const next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('Link') ?? '')?.[1];
        return {
          title: (answer.json() as { title: string }[])[0]?.title,
          next: next === undefined ? null : new URL(next).searchParams.get('cursor'),
        };
      };
      const since = new Date(now - 30 * DAY).toISOString().slice(0, 10);
      const asked = () => tracker.requests.filter(({ target }) => decodeURIComponent(target).includes(since)).length;
      const start = await get(null);
      const before = asked();
      assert.ok(before > 0);
      app.clock.at += 1000;
      assert.deepEqual(await get(null), start);
      assert.equal(asked(), before);
      const found = [start.title];
      for (let { next } = start; next !== null && found.length < 5;) {
        app.clock.at += MINUTE;
        const page = await get(next);
        found.push(page.title);
        ({ next } = page);
      }
      assert.deepEqual(found.sort(), ['alpha', 'bravo', 'charlie']);
    });
  }
});
