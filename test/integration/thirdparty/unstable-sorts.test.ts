import assert from 'node:assert/strict';
import { startApp } from '../../support/app.ts';
import { givenMember, givenProject } from '../../support/factories.ts';
import { startFakeTracker } from '../../support/fake-tracker/fake-tracker.ts';
import { TRACKER_TOKEN } from '../../support/fake-tracker/linked-world.ts';
import { SQLITE } from '../../support/test-stores.ts';

describe('sorts that are only good for the first page', () => {
  for (const [name, unstable] of [
    ['GlitchTip 5.2', ['frequency']],
    ['Sentry 21.4', []],
  ] as const) {
    it(`${name}: ${unstable.join(', ') || 'none'}`, async () => {
      const app = await startApp(SQLITE);
      const tracker = await startFakeTracker(name);
      try {
        const shop = tracker.world.addProject('acme', 'shop', '11');
        tracker.world.addToken(TRACKER_TOKEN);
        for (let index = 0; index < 4; index += 1) {
          tracker.world.addIssue(shop, { title: `number ${index}`, events: [{ at: Date.now() - index * 1000 }] });
        }
        const project = await givenProject(app.store);
        const { token } = await givenMember(app.store, project, 'reporter');
        await app.store.saveSettings(project.id, {
          active: true,
          integrated: false,
          apiUrl: `${tracker.origin}/api/0/projects/acme/shop/`,
          thirdpartyProjectId: '11',
          sealedToken: app.trackers.cipher.encrypt(TRACKER_TOKEN, project.id),
        });
        const answer = await app.get(`/api/v4/projects/${project.id}/error_tracking/capabilities`, token);
        assert.deepEqual(answer.json().unstable_sorts, unstable);
        tracker.assertClean();
      } finally {
        await app.close();
        await tracker.close();
      }
    });
  }
});
