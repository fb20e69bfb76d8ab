import assert from 'node:assert/strict';
import { openUpload } from '../../../src/artifacts/bundles/open-upload.ts';
import { readUpload } from '../../../src/artifacts/uploads/read-upload.ts';
import type { UploadDeps } from '../../../src/artifacts/uploads/upload-service.ts';
import type { Project } from '../../../src/domain/projects/project.ts';
import type { Metrics } from '../../../src/observability/metrics.ts';
import { startApp, type Answer, type RunningApp } from '../../support/app.ts';
import { formOf, givenBuildTool, makeBundle, minifiedPair, sha1, type BuildTool } from '../../support/build-tools.ts';
import { partsOf } from '../../support/artifact-data.ts';
import { fakeLogger } from '../../support/fake-logger.ts';
import { FrailStore } from '../../support/frail-store.ts';
import { describeOnStores } from '../../support/test-stores.ts';
import { openUploads } from '../../support/test-uploads.ts';

const ASSEMBLE = 'organizations/demo/artifactbundle/assemble/';
/** Later than any file was written. */
const LATEST = 8e15;
const debugId = (last: string) => `85350b67-0000-4000-8000-${last.padStart(12, '0')}`;

/** Opens an upload in this thread, which is faster to begin than a worker. */
const openHere: NonNullable<UploadDeps['read']> = (upload) => openUpload({ ...upload, tooLarge: [] }, () => undefined);

describeOnStores('uploads of build tools when something fails', (kind) => {
  let app: RunningApp;
  let shop: Project;
  let tool: BuildTool;

  before(async () => {
    app = await startApp(kind);
    shop = await app.store.createProject({ path: 'demo/shop', name: 'shop', visibility: 'private' });
    tool = await givenBuildTool(app, [shop]);
  });
  after(() => app.close());

  /** Runs a test with uploads of its own, as a service that was started again has them. */
  async function withUploads(parts: Partial<UploadDeps>, work: (metrics: Metrics) => Promise<void>): Promise<void> {
    const former = app.deps.uploads;
    const other = await openUploads({ store: app.store, clock: app.clock, read: openHere, ...parts });
    app.deps.uploads = other.uploads;
    try {
      await work(other.metrics);
    } finally {
      app.deps.uploads = former;
      await other.remove();
    }
  }

  const upload = (content: Uint8Array) => tool.upload('demo', content, { projects: ['shop'] });
  const asked = (bundle: Uint8Array) =>
    tool.ask('POST', ASSEMBLE, { checksum: sha1(bundle), chunks: [sha1(bundle)], projects: ['shop'] });
  const assertLater = (answer: Answer) => {
    assert.equal(answer.status, 503, answer.text);
    assert.notEqual(answer.headers.get('Retry-After'), null);
  };

  it('go on after a restart between the chunks and the bundle', async () => {
    const bundle = makeBundle(minifiedPair(debugId('1')));
    await tool.send('demo', [bundle]);
    await withUploads({}, async () => {
      assert.equal((await asked(bundle)).json().state, 'ok');
    });
  });

  it('are asked to come later when the disk is nearly full', async () => {
    const bundle = makeBundle(minifiedPair(debugId('2')));
    await tool.send('demo', [bundle]);
    await withUploads({ minFreeBytes: 1e18 }, async () => {
      const answer = await tool.send('demo', [Buffer.from('no room')]);
      assertLater(answer);
      assert.match(answer.json().detail, /free some space/);
      assert.equal(answer.headers.get('Retry-After'), '60');
      assertLater(await asked(bundle));
    });
    await withUploads({}, async () => {
      assert.equal((await asked(bundle)).json().state, 'ok');
    });
  });

  it('are asked to come later when the disk is full while they are opened', async () => {
    const bundle = makeBundle(minifiedPair(debugId('3')));
    await tool.send('demo', [bundle]);
    let isFull = true;
    const read: typeof openHere = (given) => {
      if (!isFull) return openHere(given);
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    };
    await withUploads({ read }, async () => {
      assertLater(await asked(bundle));
      isFull = false;
      assert.equal((await asked(bundle)).json().state, 'ok');
    });
  });

  it('are asked to come later when the disk has no room for their maps or for what is stored', async () => {
    const bundle = makeBundle(minifiedPair(debugId('9')));
    await tool.send('demo', [bundle]);
    const minFreeBytes = 1e9;
    const files = async () => (await app.store.listFiles('', null, 1000)).map(({ name }) => name);
    const before = await files();
    // Room for the upload as it is opened, then for its maps and for all of it: events or another program took the rest.
    for (const free of [
      [1e12, minFreeBytes + bundle.length + 20, 1e12],
      [1e12, 1e12, minFreeBytes + bundle.length],
    ]) {
      const asks = [...free];
      const freeBytes = () => Promise.resolve(asks.shift() ?? assert.fail('the room is not asked for again'));
      await withUploads({ minFreeBytes, freeBytes, read: readUpload }, async () => {
        const answer = await asked(bundle);
        assertLater(answer);
        assert.match(answer.json().detail, /free some space/);
      });
      assert.deepEqual(await files(), before, 'nothing is stored');
    }
    await withUploads({ minFreeBytes, freeBytes: () => Promise.resolve(minFreeBytes + 64 * 1024 * 1024) }, async () => {
      assert.equal((await asked(bundle)).json().state, 'ok');
    });
  });

  it('are asked to come later when the store goes away, and are whole when it is back', async () => {
    const frail = new FrailStore(app.store);
    const bundle = makeBundle(minifiedPair(debugId('4')));
    let goesAway = true;
    const read: typeof openHere = (given) => {
      frail.isAway = goesAway;
      return openHere(given);
    };
    await withUploads({ store: frail.store, read }, async () => {
      frail.isAway = true;
      assertLater(await tool.send('demo', [bundle]));
      assertLater(await asked(bundle));
      frail.isAway = false;
      assert.equal((await asked(bundle)).json().state, 'not_found');
      assert.equal((await tool.send('demo', [bundle])).status, 200);
      assertLater(await asked(bundle));
      assert.deepEqual(await app.store.mapsByDebugId(shop.id, debugId('4')), []);
      frail.isAway = goesAway = false;
      assert.equal((await asked(bundle)).json().state, 'ok');
      assert.equal((await app.store.mapsByDebugId(shop.id, debugId('4')))[0]?.problem, null);
    });
  });

  it('are refused chunks beyond those that are kept for an organization, however they are made', async () => {
    const chunk = (text: string) => Buffer.from(text.repeat(100_000));
    const warnings: unknown[] = [];
    const logger = fakeLogger((level) => (fields) => {
      if (level === 'warn') warnings.push(fields);
    });
    const own = await app.store.createProject({ path: 'looping/shop', name: 'shop', visibility: 'private' });
    const builder = await givenBuildTool(app, [own]);
    const more = await app.store.createProject({ path: 'other/shop', name: 'shop', visibility: 'private' });
    const beside = await givenBuildTool(app, [more]);
    const parts = { maxChunkBytes: 1_000_000, logger };
    await withUploads(parts, async () => {
      for (const text of ['a', 'bb', 'ccc']) assert.equal((await builder.send('looping', [chunk(text)])).status, 200);
      const bytes = 262_144 + 262_144 + 300_000;
      // Small chunks count too.
      assert.equal((await builder.send('looping', [Buffer.from('d')])).status, 200);
      const answer = await builder.send('looping', [Buffer.from('e')]);
      assert.equal(answer.status, 429, answer.text);
      assert.equal(answer.headers.get('Retry-After'), '60');
      assert.match(answer.json().detail, /"looping" sent more than 1000000 bytes .* look for a build/);
      assert.equal((await builder.send('LOOPING', [Buffer.from('e')])).status, 429);
      assert.deepEqual(warnings, [{ organization: 'looping', bytes: bytes + 262_144 }]);
      assert.equal((await builder.send('looping', [chunk('a')])).status, 200, 'one that is there takes no room');
      assert.equal((await beside.send('other', [Buffer.from('e')])).status, 200);
    });
    await withUploads(parts, async () => {
      assert.equal((await builder.send('looping', [Buffer.from('e')])).status, 429, 'also after a restart');
      // As the hourly job does.
      for (const { name } of await app.store.listFiles('chunks/', null, 1000)) await app.store.removeFile(name, LATEST);
      assert.equal((await builder.send('looping', [Buffer.from('e')])).status, 429, 'counted once a minute');
      app.clock.at += 61_000;
      assert.equal((await builder.send('looping', [Buffer.from('e')])).status, 200);
    });
  });

  it('find the chunks that they were told are there: these count as sent now', async () => {
    const chunk = Buffer.from('a chunk of long ago');
    const body = { checksum: 'e'.repeat(40), chunks: [sha1(chunk), 'f'.repeat(40)], projects: ['shop'] };
    await tool.send('demo', [chunk]);
    const sent = async () =>
      (await app.store.listFiles('chunks/', null, 1000)).find(({ name }) => name.endsWith(sha1(chunk)));
    const first = (await sent())?.putAt ?? 0;
    // Another millisecond of the store's clock.
    for (let time = 0; time < 100 && (await sent())?.putAt === first; time += 1) {
      app.clock.at += 1000;
      const { missingChunks } = (await tool.ask('POST', ASSEMBLE, body)).json();
      assert.deepEqual(missingChunks, ['f'.repeat(40)]);
    }
    assert.ok(((await sent())?.putAt ?? 0) > first);
  });

  it('whose files are gone are taken again', async () => {
    const bundle = makeBundle(minifiedPair(debugId('5')));
    await withUploads({}, async () => {
      await upload(bundle);
      const [map] = await app.store.mapsOfBundle(shop.id, sha1(bundle));
      assert.equal(await app.store.removeFile(map!.file!, LATEST), true);
      assert.equal((await upload(bundle)).json().state, 'ok');
      assert.deepEqual(await app.store.knownFiles([map!.file!]), [{ name: map!.file, bytes: map!.bytes }]);
    });
  });

  /** Gives a file of the store other content. */
  async function damage(name: string): Promise<void> {
    assert.equal(await app.store.removeFile(name, LATEST), true);
    await app.store.putFile(name, partsOf('cut'));
  }

  it('whose files were cut are taken again', async () => {
    const bundle = makeBundle(minifiedPair(debugId('19')));
    await withUploads({}, async () => {
      await upload(bundle);
      const [map] = await app.store.mapsOfBundle(shop.id, sha1(bundle));
      const row = await app.store.bundle(shop.id, sha1(bundle));
      for (const [name, bytes] of [
        [map!.file!, map!.bytes],
        [row!.file, bundle.length],
      ] as const) {
        await damage(name);
        assert.equal((await upload(bundle)).json().state, 'ok');
        assert.deepEqual(await app.store.knownFiles([name]), [{ name, bytes }]);
      }
    });
  });

  it('whose chunks were damaged are asked for again', async () => {
    const bundle = makeBundle(minifiedPair(debugId('20')));
    await withUploads({}, async () => {
      await tool.send('demo', [bundle]);
      const chunk = (await app.store.listFiles('chunks/', null, 1000)).find(({ name }) => name.endsWith(sha1(bundle)));
      await damage(chunk!.name);
      assert.match((await asked(bundle)).json().detail, /was damaged in the store: upload it again/);
      assert.deepEqual((await asked(bundle)).json().missingChunks, [sha1(bundle)]);
      assert.equal((await upload(bundle)).json().state, 'ok');
    });
  });

  it('whose maps are not all there are taken again', async () => {
    const bundle = makeBundle(minifiedPair(debugId('18')));
    let isLost = false;
    const store = new Proxy(app.store, {
      get: (target, name) =>
        name === 'mapsOfBundle' && isLost ? () => Promise.resolve([]) : (Reflect.get(target, name) as unknown),
    });
    await withUploads({ store }, async ({ registry }) => {
      await upload(bundle);
      isLost = true;
      assert.equal((await upload(bundle)).json().state, 'ok');
      const lines = (await registry.metrics()).split('\n');
      assert.ok(lines.includes('errgate_uploads_total{result="stored"} 2'), lines.join('\n'));
    });
  });

  it('are counted by their result, as their chunks are', async () => {
    await withUploads({}, async ({ registry }) => {
      const bundle = makeBundle(minifiedPair(debugId('6')));
      await upload(bundle);
      await upload(bundle);
      await upload(Buffer.from('no zip'));
      const { body, contentType } = formOf([
        { name: 'file', filename: 'e'.repeat(40), content: Buffer.from('another checksum') },
      ]);
      const headers = { authorization: `Bearer ${tool.token}`, 'content-type': contentType };
      await app.ask('POST', '/api/0/organizations/demo/chunk-upload/', { headers, body });
      const lines = (await registry.metrics()).split('\n');
      for (const line of [
        'errgate_uploads_total{result="stored"} 1',
        'errgate_uploads_total{result="known"} 1',
        'errgate_uploads_total{result="refused"} 1',
        'errgate_upload_chunks_total{result="stored"} 2',
        'errgate_upload_chunks_total{result="refused"} 1',
      ]) {
        assert.ok(lines.includes(line), line);
      }
    });
  });

  it('whose names are too long for the rows of its maps are refused with a reason', async () => {
    const bundle = makeBundle(minifiedPair(debugId('8')), { release: 'r'.repeat(300) });
    await withUploads({}, async () => {
      const { state, detail } = (await upload(bundle)).json();
      assert.equal(state, 'error');
      assert.match(detail, /^The release in the manifest.json has 300 characters, at most 250/);
    });
    assert.deepEqual(await app.store.mapsByDebugId(shop.id, debugId('8')), []);
    const path = `organizations/demo/releases/${'r'.repeat(300)}/assemble/`;
    const named = await tool.ask('POST', path, { checksum: sha1(bundle), chunks: [sha1(bundle)], projects: ['shop'] });
    assert.equal(named.status, 400, named.text);
    assert.match(named.json().detail, /at most 250 characters/);
  });

  it('larger than the bytes of a project are refused', async () => {
    await withUploads({ limits: { unusedDays: 90, projectMaxBytes: 100 } }, async () => {
      const { state, detail } = (await upload(makeBundle(minifiedPair(debugId('7'))))).json();
      assert.equal(state, 'error');
      assert.match(detail, /a project has 100 for all uploads/);
    });
  });
});
