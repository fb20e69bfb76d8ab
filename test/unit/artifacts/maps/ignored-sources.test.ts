import assert from 'node:assert/strict';
import { createContext, runInContext } from 'node:vm';
import { indexSourceMap } from '../../../../src/artifacts/maps/index-source-map.ts';
import { MapIndex } from '../../../../src/artifacts/maps/map-index.ts';
import { createFrameMapper } from '../../../../src/compose/frame-mapper.ts';
import { mapFixture, MemoryMaps } from '../../../support/map-source.ts';
import { normalise } from '../../integrated/digest/digest-support.ts';

/** Two lines: x.ts at 1:1, y.ts at 2:3. */
const SMALL = {
  version: 3,
  sources: ['x.ts', 'y.ts'],
  sourcesContent: ['one\ntwo\nthree\nfour', null],
  names: ['first'],
  mappings: 'AAEIA,I;ECFJ',
};

function formOf(map: object): Buffer {
  const result = indexSourceMap(Buffer.from(JSON.stringify(map)), null);
  return 'index' in result ? Buffer.from(result.index) : assert.fail(result.problem);
}

function sourceAt(index: MapIndex, line: number, column: number): number {
  const place = index.placeOf(line, column);
  return typeof place === 'string' ? assert.fail(place) : place.source;
}

/** Runs a script of the shop, which throws, and returns the frames of its stack as an SDK sends them. */
function framesOfThrown(script: string, address: string): object[] {
  const world = createContext({ stack: '' });
  runInContext(script, world, { filename: address });
  runInContext('try { showItem({}) } catch (error) { stack = error.stack }', world);
  const calls = String(world['stack']).matchAll(/^ +at (?:(.+) \()?(https:.+):(\d+):(\d+)\)?$/gm);
  const frames = [...calls].map(([, name, filename, line, column]) => {
    return { filename, function: name ?? '?', lineno: Number(line), colno: Number(column), in_app: true };
  });
  return frames.reverse();
}

describe('sources that a map says to ignore', () => {
  it('are known by either name of the list, also in sections', () => {
    const [x, y, z, w] = [0, 1, 2, 3] as const;
    const ignoredIn = (map: object) => {
      const index = new MapIndex(formOf(map));
      return [x, y, z, w].filter((source) => index.isIgnored(source));
    };
    assert.deepEqual(ignoredIn(SMALL), []);
    assert.deepEqual(ignoredIn({ ...SMALL, ignoreList: [1] }), [y]);
    assert.deepEqual(ignoredIn({ ...SMALL, x_google_ignoreList: [0] }), [x]);
    assert.deepEqual(ignoredIn({ ...SMALL, ignoreList: [1, 1], x_google_ignoreList: [0] }), [y]);
    const wrong = [-1, 0.5, 2, 1e15, 4_294_967_296, null, '0', [0], { 0: 0 }, true];
    assert.deepEqual(ignoredIn({ ...SMALL, ignoreList: wrong }), []);
    for (const ignoreList of ['01', { 0: 1 }, null, 1]) assert.deepEqual(ignoredIn({ ...SMALL, ignoreList }), []);
    const other = { ...SMALL, sources: ['z.ts', 'w.ts'], x_google_ignoreList: [1] };
    const nested = { version: 3, sections: [{ offset: { line: 0, column: 9 }, map: other }] };
    const sections = [
      { offset: { line: 0, column: 0 }, map: { ...SMALL, ignoreList: [0] } },
      { offset: { line: 4, column: 0 }, map: nested },
    ];
    assert.deepEqual(ignoredIn({ version: 3, sections, ignoreList: [1] }), [x, w], 'each part names its own');
    const index = new MapIndex(formOf({ version: 3, sections }));
    const isIgnoredAt = (line: number, column: number) => index.isIgnored(sourceAt(index, line, column));
    assert.deepEqual([isIgnoredAt(1, 1), isIgnoredAt(2, 3)], [true, false]);
    assert.deepEqual([isIgnoredAt(5, 10), isIgnoredAt(6, 3)], [false, true]);
  });

  it('are at the end of the compact form, which is read without it too', () => {
    const plain = formOf(SMALL);
    const marked = formOf({ ...SMALL, ignoreList: [1] });
    assert.deepEqual(marked, Buffer.concat([plain, Buffer.from([0, 1])]));
    for (const cut of [marked.subarray(0, -1), plain.subarray(0, -1)]) {
      assert.throws(() => new MapIndex(cut), /cut short/);
    }
    const shifted = Buffer.concat([Buffer.alloc(1), marked]).subarray(1);
    assert.equal(new MapIndex(shifted).isIgnored(1), true, 'memory at any address');
    const first = new MapIndex(mapFixture('index-version-1.bin'));
    assert.deepEqual([first.isIgnored(0), first.isIgnored(1)], [false, false]);
  });

  it('are not of the application, unless the rules name them, in a build of vite with its own list', async () => {
    const address = 'https://shop.example/ignoring.js';
    const frames = framesOfThrown(mapFixture('ignoring.js').toString(), address);
    const stacktrace = { frames };
    const sent = {
      platform: 'javascript',
      release: 'r',
      exception: { values: [{ type: 'E', value: 'v', stacktrace }] },
    };
    const mappedWith = async (inAppInclude: readonly string[], inAppExclude: readonly string[] = []) => {
      const maps = new MemoryMaps();
      maps.addScript('ignoring.js', 'an id', { release: 'r', url: '~/ignoring.js' });
      const mapper = createFrameMapper({ integrated: { inAppInclude, inAppExclude } }, maps);
      const { event } = await mapper.map(42, normalise(structuredClone(sent)));
      return event.exceptions[0]?.frames?.map(({ filename, in_app: own, raw }) => [filename, own, raw?.in_app]);
    };
    const [shop, trace] = ['src/shop.js', 'src/generated/trace.js'];
    const all = (own: boolean) => [shop, trace, shop, shop].map((file) => [file, own, true]);
    assert.deepEqual(await mappedWith([]), all(true).with(1, [trace, false, true]));
    assert.deepEqual(await mappedWith(['src/generated/']), all(true));
    assert.deepEqual(await mappedWith([], ['src/']), all(false));
  });
});
