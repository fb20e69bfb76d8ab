import assert from 'node:assert/strict';
import { indexSourceMap } from '../../../../src/artifacts/maps/index-source-map.ts';
import { createFrameMapper } from '../../../../src/compose/frame-mapper.ts';
import type { MappedCounts } from '../../../../src/artifacts/frames/event-mapper.ts';
import type { Frame, NormalisedEvent } from '../../../../src/domain/events/event.ts';
import { damagedMap, mapFixture, MemoryMaps } from '../../../support/map-source.ts';
import { normalise } from '../../integrated/digest/digest-support.ts';

const MAIN = 'ba8a4972-c35b-41a6-a12c-705aa1d5f43d';
const CART = 'd3e78fc3-9d1d-4655-8803-fa284dfd4d32';
const recorded = JSON.parse(mapFixture('event.json').toString()) as { readonly event: Record<string, unknown> };

interface World {
  readonly maps: MemoryMaps;
  readonly counts: MappedCounts[];
  readonly map: (event: NormalisedEvent) => Promise<NormalisedEvent>;
  readonly mayMap: (event: NormalisedEvent) => boolean;
}

function world(): World {
  const maps = new MemoryMaps();
  const counts: MappedCounts[] = [];
  const integrated = { inAppInclude: [], inAppExclude: [] };
  const mapper = createFrameMapper({ integrated }, maps, { onMapped: (each) => counts.push({ ...each }) });
  return {
    maps,
    counts,
    map: async (event) => (await mapper.map(42, event)).event,
    mayMap: (event) => mapper.mayMap(42, event),
  };
}

const recordedEvent = (more: object = {}) => normalise(structuredClone({ ...recorded.event, ...more }));
const framesOf = (event: NormalisedEvent) => event.exceptions.at(-1)?.frames ?? [];
const reasonsOf = (event: NormalisedEvent) => framesOf(event).map(({ unmapped }) => unmapped);
const placesOf = (event: NormalisedEvent) =>
  framesOf(event).map(({ filename, function: name, lineno, colno }: Frame) => [filename, name, lineno, colno]);

/** Event of a script, by frames of line and column. */
function scriptEvent(frames: readonly object[], more: object = {}) {
  const stacktrace = {
    frames: frames.map((frame) => ({ filename: 'https://shop.example/app.js', lineno: 1, ...frame })),
  };
  return normalise({ platform: 'javascript', exception: { values: [{ type: 'E', value: 'v', stacktrace }] }, ...more });
}

describe('mapped events', () => {
  it('shows the recorded event at the places of its source', async () => {
    const { maps, map, counts } = world();
    maps.addScript('index-BvYxf9r-.js', MAIN);
    maps.addScript('cart-zUTjjcmR.js', CART);
    const sent = recordedEvent();
    const event = await map(sent);
    assert.deepEqual(placesOf(event), [
      ['src/main.js', 'start', 8, 10],
      ['src/cart.js', 'price', 4, 10],
      ['src/cart.js', 'readCost', 7, 15],
    ]);
    const innermost = framesOf(event).at(-1);
    assert.equal(innermost?.context_line, '  return item.cost.toFixed(2);');
    assert.deepEqual(innermost.pre_context.slice(-2), ['}', 'function readCost(item) {']);
    assert.deepEqual(innermost.post_context, ['}']);
    assert.equal(innermost.in_app, true);
    assert.deepEqual(innermost.raw, {
      ...{ filename: '/assets/cart-zUTjjcmR.js', abs_path: 'https://shop.example/assets/cart-zUTjjcmR.js' },
      ...{ module: null, function: 't', lineno: 1, colno: 409, in_app: true },
      ...{ context_line: null, pre_context: [], post_context: [] },
    });
    assert.deepEqual(counts, [{ mapped: 3, unmapped: 0, skipped: 0 }]);
    assert.deepEqual([...new Set(maps.used)].sort(), ['bundle-0', 'bundle-1']);
    assert.deepEqual(placesOf(sent)[2], ['/assets/cart-zUTjjcmR.js', 't', 1, 409], 'the event given is as it was');
  });

  it('looks nothing up for projects without bundles, and for events without ids and release', async () => {
    const { maps, map, mayMap } = world();
    const event = recordedEvent();
    assert.equal(await map(event), event);
    assert.equal(mayMap(event), false, 'known for some time');
    assert.deepEqual([...maps.asked], [['projectsWithBundles', 1]]);
    assert.equal(mayMap(scriptEvent([{ colno: 5 }])), false);
    assert.equal(mayMap(normalise({ platform: 'python', release: '1' })), false);
  });

  it('finds maps by release, dist and address where the event has no ids', async () => {
    const { maps, map } = world();
    maps.addScript('cart-zUTjjcmR.js', CART, { release: 'shop@1', dist: 'web', url: '~/app.js' });
    maps.addScript('index-BvYxf9r-.js', MAIN, { release: 'shop@1', url: '~/app.js' });
    const frame = { filename: 'https://shop.example/app.js?v=3#top', colno: 409 };
    const inDist = await map(scriptEvent([frame], { release: 'shop@1', dist: 'web' }));
    assert.deepEqual(placesOf(inDist), [['src/cart.js', 'readCost', 7, 15]]);
    const plain = await map(scriptEvent([{ ...frame, colno: 2979 }], { release: 'shop@1' }));
    assert.deepEqual(placesOf(plain)[0]?.[0], 'src/main.js', 'without a dist only what has none');
    const other = await map(scriptEvent([frame], { release: 'shop@2' }));
    assert.deepEqual(reasonsOf(other), [
      'no map for https://shop.example/app.js?v=3#top; release shop@2 has no bundles',
    ]);
  });

  it('says why a frame is not mapped', async () => {
    const release = 'shop@1.0.0';
    const reasonsWith = async (...added: readonly ((maps: MemoryMaps) => void)[]) => {
      const { maps, map } = world();
      maps.addScript('index-BvYxf9r-.js', MAIN, { release });
      for (const add of added) add(maps);
      return reasonsOf(await map(recordedEvent()));
    };
    const none = `no map for debug id ${CART}; release shop@1.0.0 has`;
    const [main, cart, sameCart] = await reasonsWith();
    assert.deepEqual(
      [main, cart, sameCart],
      [undefined, `${none} 1 bundle, not with it`, `${none} 1 bundle, not with it`],
    );
    const another = (maps: MemoryMaps) => maps.addScript('index-BvYxf9r-.js', 'other', { release });
    assert.equal((await reasonsWith(another))[2], `${none} 2 bundles, none with it`);
    const unusable = { debugId: CART, bytes: null, problem: 'the source map is no JSON' };
    assert.equal(
      (await reasonsWith((maps) => maps.add(unusable)))[2],
      `the map of debug id ${CART} cannot be used: the source map is no JSON`,
    );
    assert.match(
      String(
        (
          await reasonsWith(
            (maps) => maps.addScript('cart-zUTjjcmR.js', CART),
            (maps) => maps.dropFiles(),
          )
        )[2],
      ),
      /missing or damaged; upload it again$/,
    );
    const { maps, map } = world();
    maps.addScript('cart-zUTjjcmR.js', CART, { release: 'r', url: '~/app.js' });
    const other = 'https://shop.example/other.js';
    const noId = await map(scriptEvent([{ colno: 5, filename: other }, { lineno: 7, colno: 1 }, {}], { release: 'r' }));
    assert.deepEqual(reasonsOf(noId), [
      `no map for ${other}; release r has 1 bundle, not with it`,
      'the map has 1 lines, the frame is in line 7',
      'the SDK sent no line and column',
    ]);
    assert.deepEqual(reasonsOf(await map(scriptEvent([{ colno: 5 }]))), [
      'the event has neither a debug id for this file nor a release',
    ]);
  });

  it('looks up a bounded number of frames and maps, those next to where it happened first', async () => {
    const { maps, map, counts } = world();
    maps.addScript('cart-zUTjjcmR.js', CART, { release: 'r', url: '~/app.js' });
    const frames = Array.from({ length: 250 }, () => ({
      filename: 'https://shop.example/app.js',
      lineno: 1,
      colno: 409,
    }));
    const causes = ['Outer', 'Middle', 'Cause'].map((type) => ({ type, value: 'v', stacktrace: { frames } }));
    const deep = await map(normalise({ platform: 'javascript', release: 'r', exception: { values: causes } }));
    assert.deepEqual(counts, [{ mapped: 500, unmapped: 0, skipped: 250 }]);
    assert.match(deep.exceptions[0]?.frames?.at(-1)?.unmapped ?? '', /^at most 500 frames/);
    assert.equal(reasonsOf(deep)[0], undefined);
    const files = Array.from({ length: 60 }, (_, n) => ({ colno: 1, filename: `https://shop.example/${n}.js` }));
    const missing = await map(scriptEvent([{ colno: 409 }, ...files], { release: 'r' }));
    assert.deepEqual(counts[1], { mapped: 0, unmapped: 50, skipped: 11 });
    assert.match(reasonsOf(missing)[0] ?? '', /^maps of at most 50 files without one are looked for/);
  });

  it('counts no frame that no map knows, so that the cause of an error is mapped whatever is around it', async () => {
    const { maps, map, counts } = world();
    const uuid = '6a1c0b3e-7f7d-4d2a-9d53-0d5bb8a5b6d1';
    maps.addClasses(uuid, 'com.example.shop.Basket -> a.b:\n    4:4:int price(int):23 -> a\n');
    const library = Array.from({ length: 200 }, (_, n) => ({
      module: 'android.app.Activity',
      function: 'a',
      lineno: n,
    }));
    const own = { module: 'a.b', function: 'a', lineno: 4, in_app: true };
    const values = ['First', 'Second', 'Third'].map((type) => {
      return { type, value: 'v', stacktrace: { frames: [own, ...library] } };
    });
    const debugMeta = { images: [{ type: 'proguard', uuid }] };
    const event = await map(normalise({ platform: 'java', debug_meta: debugMeta, exception: { values } }));
    assert.deepEqual(
      event.exceptions.map(({ frames }) => frames?.[0]?.function),
      ['price', 'price', 'price'],
    );
    assert.deepEqual(counts, [{ mapped: 3, unmapped: 0, skipped: 0 }]);
  });

  it('shows an event whose map is damaged as it was sent, and removes the file of the map', async () => {
    const { maps, map } = world();
    maps.addScript('cart-zUTjjcmR.js', CART);
    maps.damageFiles(damagedMap('cart-zUTjjcmR.js'));
    // It is read for the event, and again to compare it with its name; the next event finds none.
    for (const reads of [2, 3]) {
      const event = await map(recordedEvent());
      assert.equal(framesOf(event)[2]?.function, 't');
      assert.match(reasonsOf(event)[2] ?? '', /missing or damaged; upload it again$/);
      assert.equal(maps.asked.get('readFile'), reads);
    }
    assert.equal(maps.removed.length, 1);
  });

  it('keeps code of engines and of bundlers out of the application', async () => {
    const { maps, map } = world();
    const mappings = 'AAAA,CCAA,CCAA,CCAA';
    const sources = [
      'webpack://shop/./src/a.ts',
      'webpack://shop/webpack/runtime/ensure chunk',
      'webpack/./node_modules/vue/index.js',
      '../../src/<b>.vue?8f3a',
    ];
    const built = indexSourceMap(Buffer.from(JSON.stringify({ version: 3, sources, names: [], mappings })), null);
    assert.ok('index' in built);
    maps.add({ release: 'r', url: '~/app.js', bytes: built.index });
    const event = await map(
      scriptEvent(
        [1, 2, 3, 4].map((colno) => ({ colno })),
        { release: 'r' },
      ),
    );
    assert.deepEqual(
      framesOf(event).map(({ filename, in_app: own }) => [filename, own]),
      [
        ['src/a.ts', true],
        ['webpack/runtime/ensure chunk', false],
        ['node_modules/vue/index.js', false],
        ['src/<b>.vue', true],
      ],
    );
    const native = await map(scriptEvent([{ filename: '[native code]', colno: 1 }], { release: 'r' }));
    assert.deepEqual(reasonsOf(native), [undefined]);
  });

  it('names a function by what the call around it calls, where the script was not uploaded', async () => {
    const { maps, map } = world();
    const built = indexSourceMap(mapFixture('cart-zUTjjcmR.js.map'), null);
    assert.ok('index' in built);
    maps.add({ debugId: CART, bytes: built.index });
    const names = framesOf(await map(recordedEvent())).map(({ function: name }) => name);
    assert.deepEqual(names, ['c', null, 'readCost'], 'never the name at the place itself, which is one call too far');
  });

  it('shows calls of a program that R8 changed, with those it moved into one another', async () => {
    const { maps, map } = world();
    const uuid = '6a1c0b3e-7f7d-4d2a-9d53-0d5bb8a5b6d1';
    maps.addClasses(
      uuid,
      [
        'com.example.shop.Basket -> a.b:',
        '    4:4:double com.example.shop.Tax.rate(java.lang.String):8:8 -> a',
        '    4:4:int price(int):23 -> a',
        'com.example.shop.EmptyBasket -> a.c:',
      ].join('\n'),
    );
    const frames = [
      { module: 'android.app.Activity', function: 'performCreate', lineno: 7, in_app: false },
      { module: 'a.b', function: 'a', lineno: 4, filename: 'SourceFile', in_app: true },
    ];
    const event = await map(
      normalise({
        platform: 'java',
        debug_meta: { images: [{ type: 'proguard', uuid }] },
        exception: { values: [{ type: 'c', module: 'a', value: 'v', stacktrace: { frames } }] },
      }),
    );
    const [exception] = event.exceptions;
    assert.deepEqual([exception?.type, exception?.module], ['EmptyBasket', 'com.example.shop']);
    assert.deepEqual(exception?.raw, { type: 'c', module: 'a' });
    assert.deepEqual(
      exception.frames?.map(({ module, function: name, lineno, filename, raw }) => [
        module,
        name,
        lineno,
        filename,
        raw?.function,
      ]),
      [
        ['android.app.Activity', 'performCreate', 7, null, undefined],
        ['com.example.shop.Basket', 'price', 23, 'Basket.java', 'a'],
        ['com.example.shop.Tax', 'rate', 8, 'Tax.java', 'a'],
      ],
    );
    const other = normalise({
      platform: 'java',
      debug_meta: { images: [{ type: 'proguard', uuid: uuid.replace('6a', '7b') }] },
      exception: { values: [{ type: 'c', value: 'v', stacktrace: { frames } }] },
    });
    assert.equal(reasonsOf(await map(other))[1], `no mapping for id ${uuid.replace('6a', '7b')}`);
  });
});
