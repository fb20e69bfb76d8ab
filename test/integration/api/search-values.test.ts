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

  it('suggests hosts and paths of addresses, and finds them', async () => {
    const project = await givenTrackedProject(app.store);
    const { token } = await givenMember(app.store, project, 'reporter');
    const tags = [
      ['url', 'https://shop.site-b.example/checkout/pay'],
      ['url.host', 'shop.site-b.example'],
    ] as const;
    await givenEvents(app.store, project, [
      { at: app.clock.at, group: 'a', title: 'a', tags },
      { at: app.clock.at, group: 'b', title: 'b' },
    ]);
    const get = async (path: string) =>
      (await app.get(`/api/v4/projects/${project.id}/error_tracking${path}`, token)).json();
    const values = async (query: string) => (await get(`/search_values?${query}`)).values as string[];
    const titles = async (search: string) =>
      ((await get(`/errors?search=${encodeURIComponent(search)}`)) as { readonly title: string }[]).map(
        ({ title }) => title,
      );
    assert.deepEqual(await values('key=url.host&prefix=SHOP'), ['shop.site-b.example']);
    assert.deepEqual(await values('key=url.path&prefix=/check'), ['/checkout/pay']);
    assert.deepEqual(await titles('url.host:site-b.example'), ['a']);
    assert.deepEqual(await titles('!url.host:site-b.example'), ['b']);
    assert.deepEqual(await titles('url.path:/checkout*'), ['a']);
    assert.deepEqual(await titles('has:url.host'), ['a']);
    assert.deepEqual(await titles('!has:url.host'), ['b']);
    assert.deepEqual(await titles('site-b.example'), ['a']);
    assert.match((await get('/errors?search=has:url.path')).message, /Write has:url/);
  });

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
