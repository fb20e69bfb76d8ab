import assert from 'node:assert/strict';
import { createFrameMapper } from '../../src/compose/frame-mapper.ts';
import { indexSourceMap } from '../../src/artifacts/maps/index-source-map.ts';
import { groupV2 } from '../../src/integrated/digest/group/v2/group.ts';
import { MemoryMaps } from '../support/map-source.ts';
import { normalise } from '../unit/integrated/digest/digest-support.ts';
import type { RawEvent } from './pair.ts';

/** Function of a build: its name in the bundle, its source file and original name, and its line there. */
type Built = readonly [minified: string, source: string, original: string, line: number];

/** Event of a build, with what the build uploads. */
interface Sent {
  readonly event: RawEvent;
  readonly upload: (maps: MemoryMaps) => void;
}

interface MappedPair {
  readonly name: string;
  readonly same: boolean;
  readonly first: Sent;
  readonly second: Sent;
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Encodes a number from 0 to 511 as source maps do. */
function vlq(value: number): string {
  const bits = value << 1;
  return bits < 32 ? (DIGITS[bits] ?? '') : `${DIGITS[(bits & 31) | 32] ?? ''}${DIGITS[bits >> 5] ?? ''}`;
}

let builds = 0;

/** Event thrown through all functions of a bundle, the last of them innermost. `before`: code in front of them. */
function script(bundle: string, functions: readonly Built[], before = ''): Sent {
  builds += 1;
  const debugId = `00000000-0000-4000-8000-${String(builds).padStart(12, '0')}`;
  const address = `https://shop.example/assets/${bundle}.js`;
  let code = before;
  const sections: object[] = [];
  const frames: object[] = [];
  const section = (column: number, source: string, line: number, names: readonly string[]) => {
    const mappings = `AA${vlq(line - 1)}A${names.length === 0 ? '' : 'A'}`;
    sections.push({ offset: { line: 0, column }, map: { version: 3, sources: [source], names, mappings } });
  };
  for (const [minified, source, original, line] of functions) {
    section(code.length + 'function '.length, source, line, [original]);
    const head = `function ${minified}(x){`;
    section(code.length + head.length, source, line + 1, []);
    frames.push({
      filename: address,
      function: minified,
      lineno: 1,
      colno: code.length + head.length + 1,
      in_app: true,
    });
    code += `${head}throw x}`;
  }
  const event = {
    platform: 'javascript',
    debug_meta: { images: [{ type: 'sourcemap', code_file: address, debug_id: debugId }] },
    exception: { values: [{ type: 'TypeError', value: 'no items', stacktrace: { frames } }] },
  };
  const upload = (maps: MemoryMaps) => {
    const built = indexSourceMap(Buffer.from(JSON.stringify({ version: 3, sections })), Buffer.from(code));
    assert.ok('index' in built);
    maps.add({ debugId, bytes: built.index });
  };
  return { event, upload };
}

/** Event of a program that R8 changed. */
function java(mapping: string, type: string, calls: readonly (readonly [string, string, number])[]): Sent {
  builds += 1;
  const uuid = `00000000-0000-4000-9000-${String(builds).padStart(12, '0')}`;
  const frames = calls.map(([module, name, lineno]) => {
    return { module, function: name, lineno, filename: 'SourceFile', in_app: true };
  });
  const event = {
    platform: 'java',
    debug_meta: { images: [{ type: 'proguard', uuid }] },
    exception: { values: [{ type, module: 'x', value: 'no items', stacktrace: { frames } }] },
  };
  return { event, upload: (maps) => maps.addClasses(uuid, mapping) };
}

const START: Built = ['e', '../../src/main.js', 'start', 3];
const CART: Built = ['t', '../../src/cart.js', 'readCost', 6];
const FIRST = script('index-BvYxf9r1', [START, CART]);

const pair = (same: boolean, name: string, first: Sent, second: Sent): MappedPair => ({ name, same, first, second });

const BASKET = 'com.example.shop.Basket -> a.b:\n    4:4:int price(int):23 -> a\n';
const EMPTY = 'com.example.shop.EmptyBasket -> x.c:\n';
const THROWN = java(BASKET + EMPTY, 'c', [['a.b', 'a', 4]]);

/** What a person says who reads the sources: one error, or two. */
const PAIRS: readonly MappedPair[] = [
  pair(
    true,
    'the next build gives other names and columns',
    FIRST,
    script(
      'index-Qz71aTx0',
      [
        ['init', '../../src/main.js', 'start', 3],
        ['compute', '../../src/cart.js', 'readCost', 6],
      ],
      ' '.repeat(900),
    ),
  ),
  pair(true, 'the code is in another chunk', FIRST, script('vendor-and-cart-Ab12Cd34', [START, CART])),
  pair(
    true,
    'lines were added above the functions',
    FIRST,
    script('index-BvYxf9r2', [
      ['e', '../../src/main.js', 'start', 40],
      ['t', '../../src/cart.js', 'readCost', 160],
    ]),
  ),
  pair(
    true,
    'another bundler writes other paths',
    FIRST,
    script('index-BvYxf9r3', [
      ['Be', 'webpack://shop/./src/main.js', 'start', 3],
      ['Oe', 'webpack://shop/./src/cart.js?4f1e', 'readCost', 6],
    ]),
  ),
  pair(
    false,
    'two functions have one name in two builds',
    FIRST,
    script('index-BvYxf9r4', [START, ['t', '../../src/cart.js', 'applyDiscount', 30]]),
  ),
  pair(
    false,
    'two files have a function of one name',
    FIRST,
    script('index-BvYxf9r5', [START, ['t', '../../src/order.js', 'readCost', 6]]),
  ),
  pair(
    false,
    'one function is called by two',
    FIRST,
    script('index-BvYxf9r6', [['e', '../../src/admin.js', 'refund', 9], CART]),
  ),
  pair(
    true,
    'R8 names classes and methods otherwise',
    THROWN,
    java(
      'com.example.shop.Basket -> q.z:\n    9:9:int price(int):31 -> h\ncom.example.shop.EmptyBasket -> x.d:\n',
      'd',
      [['q.z', 'h', 9]],
    ),
  ),
  pair(
    false,
    'R8 gives one name to two classes in two builds',
    THROWN,
    java(`com.example.shop.Order -> a.b:\n    4:4:void send(int):70 -> a\n${EMPTY}`, 'c', [['a.b', 'a', 4]]),
  ),
];

/** As the digest does it: normalised, mapped by what the build uploaded, grouped. */
async function mappedKey({ event, upload }: Sent): Promise<string> {
  const maps = new MemoryMaps();
  upload(maps);
  const mapper = createFrameMapper({ integrated: { inAppInclude: [], inAppExclude: [] } }, maps);
  const mapped = await mapper.map(42, normalise(event));
  for (const frame of mapped.exceptions[0]?.frames ?? []) assert.ok(frame.raw !== undefined, frame.unmapped);
  return groupV2(mapped).key;
}

const sentKey = ({ event }: Sent): string => groupV2(normalise(event)).key;

describe('grouping: pairs of mapped events', () => {
  for (const { name, same, first, second } of PAIRS) {
    it(`${same ? 'joins' : 'separates'}: ${name}`, async () => {
      assert.equal((await mappedKey(first)) === (await mappedKey(second)), same);
    });
  }

  it('needs the maps for most of them', () => {
    const right = PAIRS.filter(({ same, first, second }) => (sentKey(first) === sentKey(second)) === same);
    assert.ok(right.length < PAIRS.length / 2, right.map(({ name }) => name).join('; '));
  });
});
