import assert from 'node:assert/strict';
import type { Frame } from '../../../src/domain/events/event.ts';
import type { Project } from '../../../src/domain/projects/project.ts';
import { type DigestMappedRecord, GrowingBatch } from '../../../src/integrated/digest/digested-record.ts';
import { partsOf } from '../../support/artifact-data.ts';
import { startApp, type RunningApp } from '../../support/app.ts';
import { givenBuildTool, makeBundle, sha1, type BuildTool, type BundleFile } from '../../support/build-tools.ts';
import { givenMember, givenTrackedProject } from '../../support/factories.ts';
import { mapFixture } from '../../support/map-source.ts';
import { mappingDigest } from '../../support/mapping-digest.ts';
import { eventually } from '../../support/service-process.ts';
import { describeOnStores } from '../../support/test-stores.ts';

const MAIN = 'ba8a4972-c35b-41a6-a12c-705aa1d5f43d';
const CART = 'd3e78fc3-9d1d-4655-8803-fa284dfd4d32';
const recorded = (JSON.parse(mapFixture('event.json').toString()) as { event: Record<string, unknown> }).event;

/** Files of the recorded build, as its plugin uploads them. */
const built = (name: string, debugId: string, change = (map: string) => map): BundleFile[] => [
  {
    ...{ path: `files/_/_/${name}`, type: 'minified_source', url: `~/${name}`, content: mapFixture(name) },
    headers: { 'debug-id': debugId, sourcemap: `${name}.map` },
  },
  {
    ...{ path: `files/_/_/${name}.map`, type: 'source_map', url: `~/${name}.map` },
    ...{ content: Buffer.from(change(mapFixture(`${name}.map`).toString())), headers: { 'debug-id': debugId } },
  },
];
const RELEASE = { release: 'shop@1.0.0' };
const BUNDLE = makeBundle([...built('index-BvYxf9r-.js', MAIN), ...built('cart-zUTjjcmR.js', CART)], RELEASE);
/** The same in two uploads. */
const MAIN_BUNDLE = makeBundle(built('index-BvYxf9r-.js', MAIN), RELEASE);
const CART_BUNDLE = makeBundle(built('cart-zUTjjcmR.js', CART), RELEASE);

/** The same, where a map says to ignore `main.js`. */
const IGNORING = makeBundle(
  [
    ...built('index-BvYxf9r-.js', MAIN, (map) => JSON.stringify({ ...(JSON.parse(map) as object), ignoreList: [1] })),
    ...built('cart-zUTjjcmR.js', CART),
  ],
  RELEASE,
);

/** The next build: its minifier gives other names, its bundler another chunk. */
const NEXT = 'e0000000-0000-4000-8000-000000000001';
const CHUNK = 'checkout-Qz71aTx0';
const asNext = (text: string): string =>
  text.replaceAll(CART, NEXT).replaceAll('cart-zUTjjcmR', CHUNK).replace('function e(e)', 'function q(e)');
const nextRecorded = JSON.parse(
  asNext(JSON.stringify(recorded)).replace('"function":"e"', '"function":"q"').replaceAll('shop@1.0.0', 'shop@1.0.1'),
) as Record<string, unknown>;
const NEXT_CART = built('cart-zUTjjcmR.js', NEXT).map((file) => ({
  ...(JSON.parse(asNext(JSON.stringify({ ...file, content: null }))) as BundleFile),
  content: Buffer.from(asNext(file.content.toString())),
}));
const NEXT_BUNDLE = makeBundle([...built('index-BvYxf9r-.js', MAIN), ...NEXT_CART], { release: 'shop@1.0.1' });

interface Shown {
  readonly exceptions: readonly { readonly frames: readonly Frame[] }[];
}

describeOnStores('events and the maps of their build', (kind) => {
  let app: RunningApp;
  let shop: Project;
  let tool: BuildTool;
  let token: string;
  let digest: DigestMappedRecord;
  let batches = 0;

  before(async () => {
    app = await startApp(kind);
    digest = mappingDigest(app.store);
  });
  beforeEach(useNewProject);
  after(() => app.close());

  async function useNewProject(): Promise<void> {
    shop = await givenTrackedProject(app.store, { path: `demo/shop${(batches += 1)}` });
    tool = await givenBuildTool(app, [shop]);
    ({ token } = await givenMember(app.store, shop, 'developer'));
  }

  async function upload(bundle = BUNDLE, version = 'shop@1.0.0'): Promise<void> {
    const answer = await tool.upload('demo', bundle, { projects: [String(shop.id)], version });
    assert.equal(answer.json().state, 'ok', answer.text);
    digest = mappingDigest(app.store);
  }

  /** Digests the recorded event and stores it, as the journal does. `stored`: 0: it is a repeat, or dropped. */
  async function send(id: string, sent = recorded, stored = 1): Promise<void> {
    const batch = new GrowingBatch();
    const [keyId, receivedAt] = [1, app.clock.at];
    const origin = { projectId: shop.id, keyId, receivedAt, eventId: id.repeat(32), sentAt: null, clientIp: null };
    const body = Buffer.from(JSON.stringify({ ...sent, timestamp: receivedAt / 1000 }));
    batch.add(await digest({ ...origin, client: null, outcomes: [], body }));
    const n = (batches += 1);
    const journal = n.toString(16).padStart(32, '0');
    const result = await app.store.applyBatch({ journalId: journal, n: 1, hash: journal }, batch.finish());
    assert.deepEqual(result.kind === 'applied' && result.stored, stored);
  }

  const get = async (path: string) => {
    const answer = await app.ask('GET', `/api/v4/projects/${shop.id}/error_tracking/${path}`, { token });
    assert.equal(answer.status, 200, answer.text);
    return answer;
  };
  const errors = async () => (await get('errors')).json() as { id: string; count: number; culprit: string }[];
  const places = ({ exceptions }: Shown) =>
    exceptions[0]?.frames.map(
      ({ filename, function: name, lineno }) => `${name ?? '?'} ${filename ?? '?'}:${lineno ?? '?'}`,
    );
  const MAPPED = ['start src/main.js:8', 'price src/cart.js:4', 'readCost src/cart.js:7'];

  // The first test: maps that were opened stay in memory, whatever becomes of their files.
  it('are shown mapped again when a map that was damaged is uploaded again', async () => {
    await upload();
    for (const { file } of await app.store.mapsOfBundle(shop.id, sha1(BUNDLE))) {
      assert.equal(await app.store.removeFile(file!, 8e15), true);
      await app.store.putFile(file!, partsOf('cut'));
    }
    await send('a');
    const [error] = await errors();
    const event = async () => (await get(`errors/${error?.id ?? ''}/events/latest`)).json() as Shown;
    assert.match((await event()).exceptions[0]?.frames[2]?.unmapped ?? '', /missing or damaged; upload it again$/);
    await upload();
    assert.deepEqual(places(await event()), MAPPED);
  });

  it('are shown at their original places, by which they are grouped', async () => {
    await upload();
    await send('a');
    const [error, another] = await errors();
    assert.equal(another, undefined);
    assert.equal(error?.culprit, 'readCost(src/cart.js)');
    const event = (await get(`errors/${error.id}/events/latest`)).json() as Shown;
    assert.deepEqual(places(event), MAPPED);
    const frame = event.exceptions[0]?.frames[2];
    assert.equal(frame?.context_line, '  return item.cost.toFixed(2);');
    assert.equal(frame.raw?.colno, 409);
    const trace = (await get(`errors/${error.id}/stack_trace`)).json();
    assert.equal(trace.stack_trace_entries[2].raw.function, 't');
    assert.equal(trace.stack_trace_entries[2].unmapped, null);
    assert.ok(!('raw' in trace) && !('raw' in (event.exceptions[0] ?? {})), 'the exception is as sent');
    const [bundle] = await app.store.listBundles(shop.id);
    assert.notEqual(bundle?.lastUsedAt, null, 'the upload was used');
  });

  it('that came before their maps are shown mapped, and the next one is of the same error', async () => {
    await send('a');
    const [before] = await errors();
    const event = async () => (await get(`errors/${before?.id ?? ''}/events/${'a'.repeat(32)}`)).json() as Shown;
    assert.deepEqual(places(await event())?.at(-1), 't /assets/cart-zUTjjcmR.js:1');
    await upload();
    // An answer that there are no bundles holds for some time.
    const shown = await eventually(event, (each) => places(each)?.[2] === MAPPED[2]);
    assert.deepEqual(places(shown), MAPPED);
    await send('b');
    const [error, another] = await errors();
    assert.equal(another, undefined, 'it is one error');
    assert.deepEqual([error?.id, error?.count, error?.culprit], [before?.id, 2, 'readCost(src/cart.js)']);
  });

  it('of the next build, whose stack is sent otherwise, are of the error that came before the map too', async () => {
    await send('a');
    const [before] = await errors();
    await upload();
    await eventually(
      async () => (await get(`errors/${before?.id ?? ''}/events/latest`)).json() as Shown,
      (each) => places(each)?.[2] === MAPPED[2],
    );
    await send('b');
    await upload(NEXT_BUNDLE, 'shop@1.0.1');
    await send('c', nextRecorded);
    const [error, another] = await errors();
    assert.equal(another, undefined, 'it is one error');
    assert.deepEqual([error?.id, error?.count, error?.culprit], [before?.id, 3, 'readCost(src/cart.js)']);
    const newest = (await get(`errors/${before?.id ?? ''}/events/latest`)).json() as Shown;
    assert.deepEqual(places(newest), MAPPED);
    assert.equal(newest.exceptions[0]?.frames[2]?.raw?.filename, `/assets/${CHUNK}.js`);
  });

  it('of two builds before their maps, which began two errors, are of one error afterwards', async () => {
    await send('a');
    await send('b', nextRecorded);
    const before = await errors();
    assert.deepEqual(before.map(({ count }) => count), [1, 1]); // prettier-ignore
    await upload();
    await upload(NEXT_BUNDLE, 'shop@1.0.1');
    await eventually(
      async () => (await get(`errors/${before[0]?.id ?? ''}/events/latest`)).json() as Shown,
      (each) => places(each)?.[2] === MAPPED[2],
    );
    await send('c', nextRecorded);
    const [joined] = (await errors()).filter(({ count }) => count === 2);
    await send('d');
    await send('e', nextRecorded);
    const counts = (await errors()).map(({ id, count }) => [id === joined?.id, count]);
    assert.deepEqual(counts.sort(), [[false, 1], [true, 4]]); // prettier-ignore
  });

  it('of which a part is mapped are of one error with those before and after, in whatever order maps come', async () => {
    for (const [first, second, culprit, isSentBefore] of [
      [MAIN_BUNDLE, CART_BUNDLE, 't(/assets/cart-zUTjjcmR.js)', true],
      [CART_BUNDLE, MAIN_BUNDLE, 'readCost(src/cart.js)', false],
    ] as const) {
      await useNewProject();
      if (isSentBefore) await send('a');
      await upload(first);
      await send('b');
      const [partly, ...more] = await errors();
      // The title and culprit are those that the page shows of the newest event.
      assert.deepEqual([partly?.culprit, more], [culprit, []]);
      const { notes } = (await get(`errors/${partly?.id ?? ''}/events/latest`)).json();
      assert.deepEqual(notes, ['frames: grouped as they were sent, because the maps of some are missing']);
      await upload(second);
      await send('c');
      await upload(NEXT_BUNDLE, 'shop@1.0.1');
      await send('d', nextRecorded);
      const [error, ...others] = await errors();
      assert.deepEqual([error?.id, error?.culprit, others], [partly?.id, 'readCost(src/cart.js)', []]);
      assert.equal(error?.count, isSentBefore ? 4 : 3);
    }
  });

  it('of which a part is mapped are counted once when they come again, and dropped as those before the map', async () => {
    await upload(MAIN_BUNDLE);
    await send('a');
    await upload(CART_BUNDLE);
    await send('a', recorded, 0);
    const [error, another] = await errors();
    assert.deepEqual([error?.count, another], [1, undefined]);
    const path = `/api/v4/projects/${shop.id}/error_tracking/errors/${error?.id ?? ''}?discard=true`;
    const { token: owner } = await givenMember(app.store, shop, 'maintainer');
    assert.equal((await app.ask('DELETE', path, { token: owner })).status, 204);
    await send('b', recorded, 0);
    assert.deepEqual(await errors(), []);
  });

  it('of the next build of which a part is mapped leave the error of mapped ones as it is', async () => {
    await upload();
    await send('a');
    await upload(makeBundle(built('index-BvYxf9r-.js', MAIN), { release: 'shop@1.0.1' }), 'shop@1.0.1');
    await send('b', nextRecorded);
    await send('c', nextRecorded);
    await upload(NEXT_BUNDLE, 'shop@1.0.1');
    await send('d', nextRecorded);
    // As events of a build before its maps do.
    assert.deepEqual((await errors()).map(({ count }) => count).sort(), [2, 2]); // prettier-ignore
  });

  it('are not of the application in sources that the map says to ignore, also of an error before the map', async () => {
    await send('a');
    const [before] = await errors();
    const latest = async () => (await get(`errors/${before?.id ?? ''}/events/latest`)).json() as Shown;
    await upload(IGNORING);
    const shown = await eventually(latest, (each) => places(each)?.[2] === MAPPED[2]);
    const ownIn = ({ exceptions }: Shown) => exceptions[0]?.frames.map((frame) => [frame.in_app, frame.raw?.in_app]);
    assert.deepEqual(ownIn(shown), [[false, true], [true, true], [true, true]]); // prettier-ignore
    await send('b');
    const [error, another] = await errors();
    assert.equal(another, undefined, 'it is one error');
    assert.deepEqual([error?.id, error?.count], [before?.id, 2]);
    assert.deepEqual(ownIn(await latest()), ownIn(shown));
  });

  it('name the commit of their release that changed an original file, and that of which the build was made', async () => {
    await upload();
    const [newest, older] = ['c0ffee0000000000000000000000000000000002', 'f00dbabe00000000000000000000000000000001'];
    const commit = (id: string, path: string) => ({ id, author_name: 'Eve', message: 'Cost', patch_set: [{ path }] });
    const commits = [commit(newest, 'assets/cart-zUTjjcmR.js'), commit(older, 'web/src/cart.js')];
    const body = { version: RELEASE.release, projects: [shop.id], commits };
    const announced = await tool.ask('POST', 'organizations/demo/releases/', body);
    assert.ok(announced.status < 300, announced.text);
    await send('a');
    const [error] = await errors();
    const hint = (await get(`errors/${error?.id ?? ''}/suspect_commits`)).json();
    assert.deepEqual([hint.release, hint.built_from], [RELEASE.release, newest]);
    const [{ id, author_name: name, files }, another] = hint.commits;
    assert.deepEqual([id, name, files], [older, 'Eve', ['web/src/cart.js']]);
    assert.equal(another, undefined, 'what the bundler made is no file of a frame');
  });

  it('of a program that R8 changed say what the SDK sent of the exception, beside its original type', async () => {
    const uuid = '6a1c0b3e-7f7d-4d2a-9d53-0d5bb8a5b6d1';
    const mapping = Buffer.from(
      'com.example.shop.Basket -> a.b:\n    4:4:int price(int):23 -> a\ncom.example.shop.EmptyBasket -> a.c:\n',
    );
    assert.equal((await tool.send('demo', [mapping])).status, 200);
    const hash = sha1(mapping);
    const files = { [hash]: { name: `proguard/${uuid}.txt`, chunks: [hash] } };
    const taken = await tool.ask('POST', `projects/demo/${shop.id}/files/difs/assemble/`, files);
    assert.equal(taken.json()[hash].state, 'ok', taken.text);
    const frames = [{ module: 'a.b', function: 'a', lineno: 4, filename: 'SourceFile', in_app: true }];
    const values = [{ type: 'c', module: 'a', value: 'no items', stacktrace: { frames } }];
    const images = [{ type: 'proguard', uuid }];
    await send('a', { platform: 'java', debug_meta: { images }, exception: { values } });
    const [error] = await errors();
    const sent = { type: 'c', module: 'a' };
    const event = (await get(`errors/${error?.id ?? ''}/events/latest`)).json();
    const [{ type, module, raw }] = event.exceptions;
    assert.deepEqual({ type, module, raw }, { type: 'EmptyBasket', module: 'com.example.shop', raw: sent });
    const trace = (await get(`errors/${error?.id ?? ''}/stack_trace`)).json();
    assert.deepEqual([trace.raw, trace.stack_trace_entries[0].function], [sent, 'price']);
  });

  it('say that the project has no uploads, where the build wrote debug ids', async () => {
    await send('a');
    const [error] = await errors();
    const reasons = [MAIN, CART, CART].map((id) => `no map for debug id ${id}; the project has no uploads`);
    const event = (await get(`errors/${error?.id ?? ''}/events/latest`)).json() as Shown;
    assert.deepEqual(event.exceptions[0]?.frames.map(({ unmapped }) => unmapped), reasons); // prettier-ignore
    const trace = (await get(`errors/${error?.id ?? ''}/stack_trace`)).json();
    const entries = trace.stack_trace_entries as readonly { readonly unmapped: string | null }[];
    assert.deepEqual(entries.map(({ unmapped }) => unmapped), reasons); // prettier-ignore
    assert.equal(error?.culprit, 't(/assets/cart-zUTjjcmR.js)', 'it was digested as it was sent');
  });

  it('say why a frame has no original place', async () => {
    await upload(MAIN_BUNDLE);
    await send('a');
    const [error] = await errors();
    const event = (await get(`errors/${error?.id ?? ''}/events/latest`)).json() as Shown;
    assert.deepEqual(
      event.exceptions[0]?.frames.map(({ unmapped }) => unmapped),
      [
        undefined,
        ...Array<string>(2).fill(`no map for debug id ${CART}; release shop@1.0.0 has 1 bundle, not with it`),
      ],
    );
  });
});
