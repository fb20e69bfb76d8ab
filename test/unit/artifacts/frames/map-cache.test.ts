import assert from 'node:assert/strict';
import { performance } from 'node:perf_hooks';
import { MapCache, type FoundMap } from '../../../../src/artifacts/frames/map-cache.ts';
import { MapIndex } from '../../../../src/artifacts/maps/map-index.ts';
import { MemoryMaps } from '../../../support/map-source.ts';

const MIB = 1024 * 1024;
const HOUR = 3_600_000;

/** Waits until what was begun without being awaited has ended. */
const settled = () => new Promise(setImmediate);

describe('cache of maps', () => {
  const now = performance.now.bind(performance);
  let at = 0;

  beforeEach(() => {
    at = 1_000_000;
    performance.now = () => at;
  });
  afterEach(() => {
    performance.now = now;
  });

  const open = () => {
    const maps = new MemoryMaps();
    return {
      maps,
      cache: new MapCache(maps, { now: () => at }, MIB),
      asked: (method: string) => maps.asked.get(method),
    };
  };

  it('asks for the projects with bundles ten times a second at most', async () => {
    const { cache, asked } = open();
    for (const [later, times] of [
      [0, 1],
      [99, 1],
      [1, 2],
      [50, 2],
    ] as const) {
      at += later;
      await cache.hasBundles(42);
      assert.equal(asked('projectsWithBundles'), times);
    }
  });

  it('keeps answers for a short time, as many as fit into its bytes', async () => {
    const { maps, cache, asked } = open();
    for (const debugId of ['one', 'two', 'three']) {
      maps.add({ debugId, bytes: null, problem: debugId.padEnd(MIB, '.') });
    }
    await cache.byDebugId(42, 'one');
    await cache.byDebugId(42, 'one');
    assert.equal(asked('mapsByDebugId'), 1);
    await cache.byDebugId(42, 'two');
    await cache.byDebugId(42, 'three');
    assert.equal(asked('mapsByDebugId'), 3);
    await cache.byDebugId(42, 'one');
    assert.equal(asked('mapsByDebugId'), 4, 'it left with the third, which had no room beside it');
    await cache.byDebugId(42, 'one');
    assert.equal(asked('mapsByDebugId'), 4);
    at += 2000;
    await cache.byDebugId(42, 'one');
    assert.equal(asked('mapsByDebugId'), 5);
  });

  it('marks a bundle as used once an hour', () => {
    const { maps, cache } = open();
    const used: number[] = [];
    for (const later of [HOUR, HOUR - 1, 1, HOUR]) {
      at += later;
      cache.markUsed(42, 'bundle-0');
      cache.markUsed(42, 'bundle-0');
      used.push(maps.used.length);
    }
    assert.deepEqual(used, [1, 1, 2, 3]);
  });

  it('removes a damaged file that was not written just now, and no other one that it cannot open', async () => {
    const { maps, cache } = open();
    maps.add({ debugId: 'later', bytes: Buffer.from('of a later version') });
    const [later] = await cache.byDebugId(42, 'later');
    const file = later!.file!;
    assert.equal(await cache.open({ ...later!, file }), null);
    cache.forget(file);
    await settled();
    assert.deepEqual(maps.removed, []);
    const other = open();
    other.maps.add({ debugId: 'damaged', bytes: Buffer.from('whole') });
    other.maps.damageFiles(Buffer.from('cut'));
    const [damaged] = await other.cache.byDebugId(42, 'damaged');
    assert.equal(await other.cache.open({ ...damaged!, file: damaged!.file! }), null);
    assert.deepEqual(other.maps.removed, [[damaged!.file, at - 60_000]]);
    other.maps.add({ debugId: 'read', bytes: Buffer.from('read') });
    const [read] = await other.cache.byDebugId(42, 'read');
    other.maps.damageFiles(Buffer.from('cut'));
    other.cache.forget(read!.file!);
    await settled();
    assert.deepEqual(other.maps.removed.at(-1), [read!.file, at - 60_000]);
  });

  it('keeps of maps what look-ups need', async () => {
    const { maps, cache } = open();
    maps.add({ debugId: 'a', url: '~/a.js', release: 'r', bytes: null });
    const kept: FoundMap[] = [...(await cache.byDebugId(42, 'a')), ...(await cache.byUrl(42, 'r', null, '~/a.js'))];
    const map: FoundMap = { bundleId: 'bundle-0', kind: 'source_map', file: null, problem: null };
    assert.deepEqual(kept, [map, map]);
    assert.equal(await cache.bundlesOf(42, 'r'), 1);
  });

  it('counts the bundles of a release that are complete', async () => {
    const bundles = [true, false, true].map((complete) => ({ complete }));
    const source = Object.assign(new MemoryMaps(), { bundlesOfRelease: () => Promise.resolve(bundles) });
    assert.equal(await new MapCache(source, { now: () => at }, MIB).bundlesOf(42, 'r'), 2);
  });

  it('keeps a map that is larger than its bytes, alone', async () => {
    const maps = new MemoryMaps();
    maps.addScript('index-BvYxf9r-.js', 'a');
    maps.addScript('cart-zUTjjcmR.js', 'b');
    const cache = new MapCache(maps, { now: () => at }, 1);
    const openMap = async (debugId: string) => {
      const [map] = await cache.byDebugId(42, debugId);
      assert.ok((await cache.open({ ...map!, file: map!.file! })) instanceof MapIndex);
      return maps.asked.get('readFile');
    };
    assert.equal(await openMap('a'), 1);
    assert.equal(await openMap('a'), 1, 'it is not read for each event');
    assert.equal(await openMap('b'), 2);
    assert.equal(await openMap('a'), 3, 'the other one took its place');
  });
});
