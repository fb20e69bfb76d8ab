import assert from 'node:assert/strict';
import type { UploadDeps } from '../../../src/artifacts/uploads/upload-service.ts';
import type { Project } from '../../../src/domain/projects/project.ts';
import { startApp, type Answer, type RunningApp } from '../../support/app.ts';
import { givenBuildTool, sha1, type BuildTool } from '../../support/build-tools.ts';
import { closedGate } from '../../support/gate.ts';
import { eventually } from '../../support/service-process.ts';
import { describeOnStores } from '../../support/test-stores.ts';
import { openUploads } from '../../support/test-uploads.ts';

const HOUR = 3_600_000;

const debugId = (last: string) => `85350b67-0000-4000-8000-${last.padStart(12, '0')}`;

describeOnStores('debug files of build tools', (kind) => {
  let app: RunningApp;
  let shop: Project;
  let tool: BuildTool;

  before(async () => {
    app = await startApp(kind);
    shop = await app.store.createProject({ path: 'demo/shop', name: 'shop', visibility: 'private' });
    tool = await givenBuildTool(app, [shop]);
  });
  after(() => app.close());

  it('of R8 with equal content keep the ids of all builds', async () => {
    const mapping = Buffer.from('shop.Cart -> a.a:\n    1:1:void price():7:7 -> a\n');
    const ask = async (uuid: string) => {
      const file = { name: `/proguard/${uuid}.txt`, debug_id: uuid, chunks: [sha1(mapping)] };
      const path = 'projects/demo/shop/files/difs/assemble/';
      const answer = await tool.ask('POST', path, { [sha1(mapping)]: file });
      return answer.json()[sha1(mapping)];
    };
    const filesOf = async () =>
      Promise.all(ids.map(async (id) => (await app.store.mapsByDebugId(shop.id, id)).map(({ file }) => file)));
    const ids = ['20', '21', '22'].map(debugId);
    await tool.send('demo', [mapping]);
    for (const id of ids) {
      const { state, dif } = await ask(id);
      assert.deepEqual([state, dif.uuid], ['ok', id]);
    }
    const files = await filesOf();
    assert.deepEqual(
      files.map((each) => each.length),
      [1, 1, 1],
    );
    assert.deepEqual((await app.store.bundle(shop.id, sha1(mapping)))?.debugIds, [...ids].reverse());
    app.clock.at += 86_400_001;
    await tool.send('demo', [mapping]);
    assert.equal((await ask(ids[1]!)).state, 'ok');
    assert.deepEqual(await filesOf(), files);
    assert.equal((await app.store.mapsOfBundle(shop.id, sha1(mapping))).length, 3);
  });

  it('of one request are answered within the time of one', async () => {
    const files = [1, 2, 3].map((at) => Buffer.from(`shop.Cart${at} -> a.a:\n    1:1:void price():7:7 -> a\n`));
    await tool.send('demo', files);
    const former = app.deps.uploads;
    const gate = closedGate();
    let [at, opened] = [0, 0];
    const read: NonNullable<UploadDeps['read']> = async ({ debugId: id }) => {
      opened += 1;
      if (opened > 1) await gate.passed;
      // The first one takes the whole time.
      else at += HOUR;
      const map = { place: 0, kind: 'proguard', url: null, problem: null, bytes: 0, content: null } as const;
      return { kind: 'proguard', release: null, dist: null, files: 1, maps: [{ ...map, debugId: id }] };
    };
    const { store, clock } = app;
    const other = await openUploads({ store, clock, read, answerAfterMs: HOUR, steady: () => at });
    app.deps.uploads = other.uploads;
    try {
      const body = files.map((file, index) => {
        const uuid = debugId(`3${index}`);
        return [sha1(file), { name: `/proguard/${uuid}.txt`, debug_id: uuid, chunks: [sha1(file)] }] as const;
      });
      const ask = () => tool.ask('POST', 'projects/demo/shop/files/difs/assemble/', Object.fromEntries(body));
      const statesOf = (answer: Answer) => files.map((file) => answer.json()[sha1(file)].state as string);
      assert.deepEqual(statesOf(await ask()), ['ok', 'created', 'created']);
      gate.open();
      await eventually(
        () => store.pendingUploads(),
        (rows) => rows.length === 0,
      );
      assert.deepEqual(statesOf(await ask()), ['ok', 'ok', 'ok']);
    } finally {
      app.deps.uploads = former;
      await other.remove();
    }
  });
});
