import assert from 'node:assert/strict';
import { createFrameMapper } from '../../src/compose/frame-mapper.ts';
import { groupV2 } from '../../src/integrated/digest/group/v2/group.ts';
import { MemoryMaps } from '../support/map-source.ts';
import { normalise } from '../unit/integrated/digest/digest-support.ts';
import { type Built, java, type Sent, script } from './built-events.ts';

interface MappedPair {
  readonly name: string;
  readonly same: boolean;
  readonly first: Sent;
  readonly second: Sent;
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
    true,
    'it is called through code that the map says to ignore',
    FIRST,
    script('index-BvYxf9r7', [START, ['g', '../../src/generated/client.js', 'call', 4], CART]),
  ),
  pair(
    false,
    'it fails in code of the application beside it',
    FIRST,
    script('index-BvYxf9r8', [START, ['g', '../../src/client.js', 'call', 4], CART]),
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
  const { event: mapped } = await mapper.map(42, normalise(event));
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
