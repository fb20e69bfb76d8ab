import assert from 'node:assert/strict';
import { startApp, type RunningApp } from '../../support/app.ts';
import { givenEvents, givenMember, givenTrackedProject } from '../../support/factories.ts';
import { describeOnStores } from '../../support/test-stores.ts';

describeOnStores('suggested values of a search over REST', (kind) => {
  let app: RunningApp;
  before(async () => {
    app = await startApp(kind);
  });
  after(() => app.close());

  it('suggests names of products before their versions, and no others', async () => {
    const project = await givenTrackedProject(app.store);
    const { token } = await givenMember(app.store, project, 'reporter');
    const tags = [
      ['browser', 'Firefox 140'],
      ['plan', 'Team 2'],
    ] as const;
    await givenEvents(app.store, project, [{ at: app.clock.at, group: 'a', title: 'a', tags }]);
    const get = async (path: string) =>
      (await app.get(`/api/v4/projects/${project.id}/error_tracking${path}`, token)).json();
    const values = async (query: string) => (await get(`/search_values?${query}`)).values as string[];
    assert.deepEqual(await values('key=browser'), ['Firefox', 'Firefox 140']);
    assert.deepEqual(await values('key=plan'), ['Team 2']);
    assert.deepEqual(await values('key=tag&prefix=browser='), ['browser=Firefox 140']);
    assert.equal(((await get('/errors?search=browser:Firefox')) as object[]).length, 1);
  });
});
