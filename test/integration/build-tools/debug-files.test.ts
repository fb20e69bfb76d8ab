import assert from 'node:assert/strict';
import { openUpload } from '../../../src/artifacts/bundles/open-upload.ts';
import type { UploadDeps } from '../../../src/artifacts/uploads/upload-service.ts';
import type { Project } from '../../../src/domain/projects/project.ts';
import { startApp, type Answer, type RunningApp } from '../../support/app.ts';
import { formOf, givenBuildTool, sha1, type BuildTool } from '../../support/build-tools.ts';
import { FrailStore } from '../../support/frail-store.ts';
import { closedGate } from '../../support/gate.ts';
import { eventually } from '../../support/service-process.ts';
import { describeOnStores } from '../../support/test-stores.ts';
import { openUploads } from '../../support/test-uploads.ts';
import { makeZip } from '../../support/zip.ts';

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

  describe('in a zip that is sent as a whole', () => {
    const zipOf = (id: string) =>
      makeZip([
        { name: `proguard/${id}.txt`, content: Buffer.from(`shop.C${id} -> a.a:\n    1:1:void price():7:7 -> a\n`) },
      ]);
    const sendTo = (slug: string, zip: Uint8Array, by = tool) => {
      const { body, contentType } = formOf([{ name: 'file', filename: 'mappings.zip', content: zip }]);
      const headers = { authorization: `Bearer ${by.token}`, 'content-type': contentType };
      return app.ask('POST', `/api/0/projects/demo/${slug}/files/dsyms/`, { headers, body });
    };
    const idsOf = (answer: Answer) => (answer.json() as { readonly uuid: string }[]).map(({ uuid }) => uuid);

    /** Runs a test with uploads that open nothing before their gate is open; `opened`: debug ids, in their order. */
    async function withGate(
      parts: Partial<UploadDeps>,
      work: (given: { readonly open: () => void; readonly opened: readonly string[] }) => Promise<void>,
    ): Promise<void> {
      const former = app.deps.uploads;
      const gate = closedGate();
      const opened: string[] = [];
      const read: NonNullable<UploadDeps['read']> = async (upload) => {
        await gate.passed;
        const found = await openUpload({ ...upload, tooLarge: [] }, () => undefined);
        opened.push(found.maps[0]?.debugId ?? '');
        return found;
      };
      const other = await openUploads({ store: app.store, clock: app.clock, read, ...parts });
      app.deps.uploads = other.uploads;
      try {
        await work({ open: gate.open, opened });
      } finally {
        gate.open();
        app.deps.uploads = former;
        await other.remove();
      }
    }

    it('are answered in time, and with their end when they are sent again', async () => {
      const zip = zipOf(debugId('40'));
      await withGate({ answerAfterMs: 0 }, async ({ open, opened }) => {
        for (const _ of Array.from({ length: 7 })) {
          const answer = await sendTo('shop', zip);
          assert.equal(answer.status, 503, answer.text);
          assert.equal(answer.headers.get('Retry-After'), '60');
        }
        open();
        await eventually(
          () => app.store.mapsByDebugId(shop.id, debugId('40')),
          (maps) => maps.length === 1,
        );
        assert.equal(opened.length, 1);
      });
      const read = () => assert.fail('it is known');
      await withGate({ read }, async () => {
        assert.deepEqual(idsOf(await sendTo('shop', zip)), [debugId('40')]);
      });
    });

    it('are refused where many of the project wait, which those of others do not notice', async () => {
      const cart = await app.store.createProject({ path: 'demo/cart', name: 'cart', visibility: 'private' });
      const other = await givenBuildTool(app, [cart]);
      const frail = new FrailStore(app.store);
      let looked = 0;
      frail.delay = async (method) => {
        if (method === 'bundle') looked += 1;
      };
      await withGate({ store: frail.store, answerAfterMs: 0 }, async ({ open, opened }) => {
        const own = ['50', '51', '52', '53', '54'].map(debugId);
        for (const id of own) assert.equal((await sendTo('shop', zipOf(id))).status, 503);
        const refused = await sendTo('shop', zipOf(debugId('55')));
        assert.equal(refused.status, 429, refused.text);
        assert.equal((await sendTo('cart', zipOf(debugId('60')), other)).status, 503);
        // All of them wait for their turn then.
        await eventually(
          async () => looked,
          (count) => count === 6,
        );
        open();
        await eventually(
          async () => opened.length,
          (count) => count === 6,
        );
        assert.deepEqual([...opened].sort(), [...own, debugId('60')].sort());
        assert.ok(opened.indexOf(debugId('60')) <= 1, opened.join(' '));
      });
    });
  });
});
