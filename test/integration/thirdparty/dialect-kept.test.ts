import assert from 'node:assert/strict';
import { startApp, type RunningApp } from '../../support/app.ts';
import { givenMember, givenProject, type Person } from '../../support/factories.ts';
import { startLinkedWorld, TRACKER_TOKEN, type LinkedWorld } from '../../support/fake-tracker/linked-world.ts';
import { SQLITE } from '../../support/test-stores.ts';

describe('detected properties of a tracker', () => {
  let app: RunningApp;
  let world: LinkedWorld;
  let maintainer: Person;
  let base: string;
  const save = (patch: object = {}) =>
    app.ask('PUT', `${base}/settings/thirdparty`, {
      token: maintainer.token,
      body: {
        api_host: world.tracker.origin,
        token: TRACKER_TOKEN,
        organization_slug: 'acme',
        project_slug: 'shop',
        thirdparty_project_id: world.shop.id,
        ...patch,
      },
    });
  /** Teaches names of sorts and ways to issues; the tracker refuses the first questions of both. */
  async function readAll(): Promise<void> {
    for (const sort of ['frequency', 'first_seen', 'last_seen']) {
      const answer = await app.get(`${base}/errors?sort=${sort}`, maintainer.token);
      assert.equal(answer.status, 200, answer.text);
      const { id } = answer.json()[0];
      assert.equal((await app.get(`${base}/errors/${id}`, maintainer.token)).status, 200);
    }
  }

  beforeEach(async () => {
    app = await startApp(SQLITE);
    // Each refusal may be met once: asking again for what was learnt is a violation.
    world = await startLinkedWorld('GlitchTip 5.2', { now: app.clock.at, lessons: 1 });
    world.tracker.world.addIssue(world.shop, { title: 'Error: x', events: [{ at: app.clock.at - 60_000 }] });
    const project = await givenProject(app.store);
    maintainer = await givenMember(app.store, project, 'maintainer');
    base = `/api/v4/projects/${project.id}/error_tracking`;
    assert.equal((await save()).status, 200);
    await readAll();
  });
  afterEach(async () => {
    await app.close();
    await world.close();
  });

  const again: readonly [what: string, patch: object][] = [
    ['the same values', {}],
    ['the mask', { token: '****' }],
    ['another name to show', { project_name: 'The web shop' }],
    ['the switch', { active: true }],
  ];
  for (const [what, patch] of again) {
    it(`remain after a save of ${what}, and so do copies`, async () => {
      assert.equal((await save(patch)).status, 200);
      const before = world.tracker.requests.length;
      await readAll();
      assert.equal(world.tracker.requests.length, before);
      app.clock.at += 600_000;
      await readAll();
      assert.ok(world.tracker.requests.length > before);
      world.tracker.assertClean();
    });
  }

  it('are dropped with another token, whose tracker may show other data', async () => {
    assert.equal((await save({ token: 'another' })).status, 200);
    assert.equal((await app.get(`${base}/errors`, maintainer.token)).status, 502);
  });
});
