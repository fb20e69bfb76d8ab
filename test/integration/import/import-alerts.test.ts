import assert from 'node:assert/strict';
import type { Store } from '../../../src/domain/ports/stores/store.ts';
import type { Project } from '../../../src/domain/projects/project.ts';
import { factsOf } from '../../support/facts.ts';
import { type FakeSource, startFakeSource } from '../../support/fake-source/fake-source.ts';
import type { SdkBody, SourceProject } from '../../support/fake-source/source-records.ts';
import { IMPORT_TOKEN, importInto, liveEvent } from '../../support/import-world.ts';
import { listAll } from '../../support/store-data.ts';
import { describeOnStores, type OpenedStore } from '../../support/test-stores.ts';

const hex = (text: string): string => Buffer.from(text.padEnd(16, '.')).toString('hex').slice(0, 32);

/** Body of an SDK whose stack names its error. */
function bodyOf(name: string): SdkBody {
  const frame = { filename: `app/${name}.py`, module: `app.${name}`, function: `run_${name}`, in_app: true, lineno: 3 };
  return {
    platform: 'python',
    level: 'error',
    exception: { values: [{ type: 'ValueError', value: `broken ${name}`, stacktrace: { frames: [frame] } }] },
  };
}

describeOnStores('alerts of imported projects', (kind) => {
  let source: FakeSource;
  let opened: OpenedStore;
  let store: Store;
  let shop: SourceProject;

  beforeEach(async () => {
    source = await startFakeSource('sentry');
    source.world.addToken(IMPORT_TOKEN);
    shop = source.world.addProject('shop', { id: '4711' });
    opened = await kind.open();
    ({ store } = opened);
  });
  afterEach(async () => {
    await opened.dispose();
    await source.close();
  });

  const imported = async (): Promise<Project> => {
    await importInto(store, source);
    return (await store.projectByPath('acme/shop'))?.project ?? assert.fail('there is no acme/shop');
  };
  const kinds = async ({ id }: Project) => (await factsOf(store, id)).map((fact) => [fact.kind, fact.title]);

  it('are not made by the import, however often it runs', async () => {
    source.world.addIssue(shop, { bodies: [{ body: bodyOf('old') }] });
    source.world.addIssue(shop, { status: 'resolved', bodies: [{ body: bodyOf('fixed') }] });
    source.world.addIssues(shop, 5, () => ({ users: 1000, count: 5000 }));
    const project = await imported();
    assert.equal((await listAll(store, project)).length, 7);
    assert.deepEqual(await kinds(project), []);
    // Reopened in the former tracker.
    for (const issue of shop.issues.values()) issue.status = 'unresolved';
    shop.revision += 1;
    await imported();
    assert.deepEqual(await kinds(project), []);
  });

  it('are not made by the first own event of an imported error, but by errors that are new here', async () => {
    source.world.addIssue(shop, { bodies: [{ body: bodyOf('old') }] });
    const project = await imported();
    await liveEvent(store, project, bodyOf('old'), hex('own of old'));
    assert.deepEqual(await kinds(project), []);
    assert.equal((await listAll(store, project)).length, 1);
    await liveEvent(store, project, bodyOf('fresh'), hex('fresh'));
    assert.deepEqual(await kinds(project), [['new', 'ValueError: broken fresh']]);
    await imported();
    await liveEvent(store, project, bodyOf('fresh'), hex('fresh again'));
    assert.equal((await kinds(project)).length, 1);
  });

  it('report an imported resolved error that comes back, once', async () => {
    source.world.addIssue(shop, { status: 'resolved', bodies: [{ body: bodyOf('fixed') }] });
    const project = await imported();
    assert.equal((await listAll(store, project))[0]?.status, 'resolved');
    await liveEvent(store, project, bodyOf('fixed'), hex('back'));
    assert.deepEqual(await kinds(project), [['regressed', 'ValueError: broken fixed']]);
    await liveEvent(store, project, bodyOf('fixed'), hex('back'));
    await liveEvent(store, project, bodyOf('fixed'), hex('once more'));
    assert.equal((await kinds(project)).length, 1);
  });

  it('are not made by an event that is sent again', async () => {
    source.world.addIssue(shop, { bodies: [{ body: bodyOf('old') }] });
    const project = await imported();
    await liveEvent(store, project, bodyOf('fresh'), hex('fresh'));
    const [error] = (await listAll(store, project)).filter(({ title }) => title.includes('fresh'));
    const id = error?.id ?? assert.fail('there is no such error');
    await store.setErrorStatus(project.id, id, 'resolved', Date.now());
    await liveEvent(store, project, bodyOf('fresh'), hex('fresh'));
    assert.equal((await store.errorById(project.id, id, Date.now()))?.status, 'resolved');
    assert.deepEqual(await kinds(project), [['new', 'ValueError: broken fresh']]);
    // An event that the import has stored.
    const [event] = [...shop.issues.values()][0]?.events ?? [];
    await liveEvent(store, project, bodyOf('old'), event?.id ?? '');
    assert.equal((await kinds(project)).length, 1);
  });
});
