import assert from 'node:assert/strict';
import type { Project } from '../../../src/domain/projects/project.ts';
import { startApp, type RunningApp } from '../../support/app.ts';
import { givenMember, givenProject, type Person } from '../../support/factories.ts';
import { startFakeTracker, type FakeTracker } from '../../support/fake-tracker/fake-tracker.ts';
import { faults } from '../../support/fake-tracker/faults.ts';
import { TRACKER_TOKEN } from '../../support/fake-tracker/linked-world.ts';
import { PERSONALITY_NAMES } from '../../support/fake-tracker/personality.ts';
import type { FakeProject } from '../../support/fake-tracker/world.ts';
import { SQLITE } from '../../support/test-stores.ts';

const MINUTE = 60_000;

for (const name of PERSONALITY_NAMES) {
  describe(`a linked project that its tracker does not have any more: ${name}`, () => {
    let app: RunningApp;
    let tracker: FakeTracker;
    let shop: FakeProject;
    let project: Project;
    let maintainer: Person;
    let rest: string;

    before(async () => {
      app = await startApp(SQLITE);
    });
    after(() => app.close());
    beforeEach(async () => {
      tracker = await startFakeTracker(name, { lessons: 50 });
      shop = tracker.world.addProject('acme', 'shop', '11');
      tracker.world.addProject('acme', 'till', '12');
      tracker.world.addToken(TRACKER_TOKEN);
      project = await givenProject(app.store);
      maintainer = await givenMember(app.store, project, 'maintainer');
      rest = `/api/v4/projects/${project.id}/error_tracking`;
    });
    afterEach(() => tracker.close());

    const get = (path: string) => app.get(path, maintainer.token);
    const link = (body: object = {}) =>
      app.ask('PUT', `${rest}/settings/thirdparty`, {
        token: maintainer.token,
        body: {
          api_host: tracker.origin,
          token: TRACKER_TOKEN,
          organization_slug: 'acme',
          project_slug: 'shop',
          thirdparty_project_id: '11',
          ...body,
        },
      });
    const rename = (slug: string) => {
      shop.formerSlugs.push(shop.slug);
      shop.slug = slug;
    };
    const remove = () => tracker.world.projects.splice(tracker.world.projects.indexOf(shop), 1);
    const ofProject = () =>
      tracker.requests.filter(({ target }) => /^\/api\/0\/projects\/[^/]+\/[^/]+\/$/.test(target)).length;

    it('renamed: the list says so instead of "no errors", and names the project to link', async () => {
      assert.equal((await link()).status, 200);
      rename('market');
      const answer = await get(`${rest}/errors`);
      assert.equal(answer.status, 502, answer.text);
      const { message, code, details } = answer.json();
      assert.match(message, /acme\/shop was renamed to acme\/market at .*: select it again in the settings/);
      assert.equal(code, 'tracker_refused');
      assert.equal(details.reason, 'project_renamed');
      const { id, slug, organization_slug } = details.project;
      assert.deepEqual([id, slug, organization_slug], ['11', 'market', 'acme']);
      const page = await get(`/${project.path}/-/error_tracking.json`);
      const sentence = 'Project "acme/shop" was renamed to acme/market. Select it again to continue.';
      assert.deepEqual([page.status, page.json()], [400, { message: sentence }]);
      // Taking what is offered is all there is to do.
      const taken = await link({ token: '****', project_slug: slug, thirdparty_project_id: id });
      assert.equal(taken.status, 200, taken.text);
      assert.deepEqual((await get(`${rest}/errors`)).json(), []);
    });

    it('deleted or misspelt: the list says so, whatever it is filtered by', async () => {
      assert.equal((await link()).status, 200);
      remove();
      for (const path of ['/errors', '/errors?status=all', '/errors?search=x']) {
        const answer = await get(rest + path);
        assert.equal(answer.status, 502, answer.text);
        assert.match(answer.json().message, /has no project acme\/shop, or the token may not see it/);
        assert.deepEqual(answer.json().details, { reason: 'project_missing' });
      }
      const page = await get(`/${project.path}/-/error_tracking.json`);
      assert.equal(
        page.json().message,
        'Project "acme/shop" is no longer available. Select another project to continue.',
      );
    });

    it('there: an empty list is an empty list, and asked about once in some minutes', async () => {
      assert.equal((await link()).status, 200);
      const before = ofProject();
      for (let minute = 0; minute < 5; minute += 1) {
        for (const path of ['/errors', '/errors?status=all']) {
          assert.deepEqual((await get(rest + path)).json(), []);
        }
        app.clock.at += MINUTE - 1;
      }
      assert.equal(ofProject(), before + 1);
      app.clock.at += MINUTE;
      await get(`${rest}/errors?status=resolved`);
      assert.equal(ofProject(), before + 2);
    });

    it('that cannot be asked about: the list stays, and so does a save', async () => {
      tracker.fail(
        faults.status(503),
        /GET \/api\/0\/(projects\/([^/]+\/[^/]+\/)?|organizations\/([^/]+\/projects\/)?)$/,
      );
      assert.equal((await link()).status, 200);
      assert.deepEqual((await get(`${rest}/errors`)).json(), []);
      tracker.heal();
      tracker.fail(faults.status(403), /GET \/api\/0\/projects\/[^/]+\/[^/]+\/$/);
      app.clock.at += 10 * MINUTE;
      assert.deepEqual((await get(`${rest}/errors?status=all`)).json(), []);
    });

    it('is refused when it is saved, with the project to link', async () => {
      const misspelt = await link({ project_slug: 'shpo', thirdparty_project_id: '' });
      assert.equal(misspelt.status, 400, misspelt.text);
      assert.match(misspelt.json().message, /has no project acme\/shpo/);
      assert.deepEqual(misspelt.json().details, { reason: 'project_missing' });
      const another = await link({ project_slug: 'till' });
      assert.equal(another.status, 400, another.text);
      assert.deepEqual(another.json().details.project.slug, 'shop');
      rename('market');
      const form = {
        enabled: true,
        integrated: false,
        api_host: tracker.origin,
        token: TRACKER_TOKEN,
        project: { slug: 'shop', organization_slug: 'acme', thirdparty_project_id: '11' },
      };
      const page = await app.ask('PATCH', `/${project.path}/-/settings/operations.json`, {
        token: maintainer.token,
        body: { project: { error_tracking_setting_attributes: form } },
      });
      assert.equal(page.status, 400, page.text);
      assert.equal(page.json().status, 'error');
      assert.match(page.json().message, /was renamed to acme\/market/);
      assert.equal(await app.store.settings(project.id), null);
      // What is not to be used yet is not asked about.
      assert.equal((await link({ active: false })).status, 200);
    });

    it('with its slugs taken by another one: it is not mixed up with that', async () => {
      assert.equal((await link()).status, 200);
      remove();
      tracker.world.addProject('acme', 'shop', '13');
      const answer = await get(`${rest}/errors`);
      assert.equal(answer.status, 502, answer.text);
      assert.match(answer.json().message, /has the id 13, so it is not the one that was chosen/);
    });
  });
}
