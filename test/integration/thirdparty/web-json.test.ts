import assert from 'node:assert/strict';
import { startApp, type RunningApp } from '../../support/app.ts';
import { givenMember, givenProject } from '../../support/factories.ts';
import { startLinkedWorld, TRACKER_TOKEN, type LinkedWorld } from '../../support/fake-tracker/linked-world.ts';
import { PERSONALITY_NAMES, type PersonalityName } from '../../support/fake-tracker/personality.ts';
import { SQLITE } from '../../support/test-stores.ts';

const MINUTE = 60_000;

describe('web JSON of a project in a tracker', () => {
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

  async function linked(name: PersonalityName) {
    const now = app.clock.at;
    world = await startLinkedWorld(name, { now });
    const { tracker, shop } = world;
    const issue = tracker.world.addIssue(shop, {
      title: 'ValueError: it broke',
      events: [
        { at: now - 2 * MINUTE, release: 'app@1.0' },
        { at: now - MINUTE, release: 'app@1.1' },
      ],
    });
    const project = await givenProject(app.store);
    const { projectId: _id, ...settings } = world.settingsFor(project.id, shop);
    const sealedToken = app.trackers.cipher.encrypt(TRACKER_TOKEN, project.id);
    await app.store.saveSettings(project.id, { ...settings, sealedToken });
    const { token } = await givenMember(app.store, project, 'reporter');
    const web = `/${project.path}/-/error_tracking`;
    const list = (await app.get(`${web}.json`, token)).json();
    const detail = (await app.get(`${web}/${issue.id}/details.json`, token)).json();
    const trace = (await app.get(`${web}/${issue.id}/stack_trace.json`, token)).json();
    return { issue, shop, list, detail, trace };
  }

  for (const name of PERSONALITY_NAMES) {
    it(`shows the project and values of an error in a ${name}, in list and details`, async () => {
      const { issue, shop, list, detail } = await linked(name);
      for (const error of [list.errors[0], detail.error]) {
        assert.deepEqual(
          [error.id, error.project_id, error.project_name, error.project_slug, error.short_id],
          [issue.id, shop.id, shop.name, shop.slug, issue.shortId],
        );
        assert.deepEqual([error.title, error.type, error.message], ['ValueError: it broke', 'ValueError', 'it broke']);
        assert.deepEqual([error.count, error.status, error.culprit], [2, 'unresolved', issue.culprit]);
        assert.ok(error.external_url.startsWith(world?.tracker.origin));
      }
      const { error } = detail;
      assert.equal(error.external_base_url, list.external_url);
      assert.deepEqual(error.tags, { level: 'error', logger: name.startsWith('Sentry') ? 'shop.orders' : null });
      assert.deepEqual([error.integrated, error.host_issue, error.host_commit], [false, null, null]);
    });
  }

  it('shows the releases that the tracker provides', async () => {
    const { error } = (await linked('Sentry 26')).detail;
    assert.deepEqual(
      [error.first_release_version, error.first_release_short_version, error.last_release_version],
      ['app@1.0', '1.0', 'app@1.1'],
    );
    assert.match(error.first_release_last_commit, /^[0-9a-f]{40}$/);
    assert.notEqual(error.first_release_last_commit, error.last_release_last_commit);
  });

  it('names the absolute path of a frame as trackers do, too', async () => {
    const { error } = (await linked('Sentry 26')).trace;
    assert.ok(error.stack_trace_entries.length > 0);
    for (const entry of error.stack_trace_entries) assert.equal(entry.absPath, entry.abs_path);
    assert.ok(error.stack_trace_entries.some(({ absPath }: { absPath: string | null }) => absPath !== null));
  });

  it('has none of it for the integrated backend', async () => {
    const project = await givenProject(app.store);
    await app.store.saveSettings(project.id, { active: true, integrated: true });
    const { token } = await givenMember(app.store, project, 'reporter');
    const answer = await app.get(`/${project.path}/-/error_tracking.json`, token);
    assert.deepEqual(answer.json(), { errors: [], pagination: {}, external_url: null });
  });
});
