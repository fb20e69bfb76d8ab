import assert from 'node:assert/strict';
import { createFrameMapper } from '../../src/compose/frame-mapper.ts';
import { GROUPED_AS_SENT } from '../../src/domain/events/grouped-as-sent.ts';
import type { NormalisedEvent } from '../../src/domain/events/event.ts';
import { groupV2 } from '../../src/integrated/digest/group/v2/group.ts';
import { groupMapped } from '../../src/integrated/digest/keys-of-mapped.ts';
import { MemoryMaps } from '../support/map-source.ts';
import { normalise, NO_RULES } from '../unit/integrated/digest/digest-support.ts';
import { type BuiltScript, script, thrownThrough } from './built-events.ts';
import type { RawEvent } from './pair.ts';

const MAIN = script('index-BvYxf9r1', [['e', '../../src/main.js', 'start', 3]]);
const CART = script('cart-zUTjjcm1', [['t', '../../src/cart.js', 'readCost', 6]]);
const BOTH = thrownThrough([MAIN, CART]);

/** What builds uploaded. */
type Uploads = (maps: MemoryMaps) => void;

const uploads =
  (...scripts: readonly BuiltScript[]): Uploads =>
  (maps) => {
    for (const { upload } of scripts) upload(maps);
  };

const sentKey = (raw: RawEvent): string => groupV2(normalise(structuredClone(raw))).key;

/** Groups an event as the digest does. */
async function grouped(raw: RawEvent, upload: Uploads) {
  const maps = new MemoryMaps();
  upload(maps);
  const sent = normalise(structuredClone(raw));
  const { event, keys } = groupMapped(
    groupV2,
    sent,
    await createFrameMapper({ integrated: NO_RULES }, maps).map(42, sent),
  );
  return { event, keys, isAsSent: event.notes.includes(GROUPED_AS_SENT) };
}

/** Asserts that an event is grouped as it was sent, although some of its frames are shown at their original places. */
async function assertAsSent(raw: RawEvent, upload: Uploads): Promise<NormalisedEvent> {
  const { event, keys, isAsSent } = await grouped(raw, upload);
  assert.equal(keys.key, sentKey(raw));
  assert.equal(keys.sent, undefined);
  assert.ok(isAsSent);
  return event;
}

/** Asserts that an event is grouped by its frames as they are shown. */
async function assertAsShown(raw: RawEvent, upload: Uploads): Promise<NormalisedEvent> {
  const { event, keys, isAsSent } = await grouped(raw, upload);
  assert.equal(keys.key, groupV2(event).key);
  assert.notEqual(keys.key, sentKey(raw));
  assert.deepEqual(keys.sent?.[0]?.key, sentKey(raw));
  assert.ok(!isAsSent);
  return event;
}

const placesOf = ({ exceptions }: NormalisedEvent) =>
  exceptions.map(({ frames }) => frames?.map(({ function: name, filename }) => `${name ?? '?'} ${filename ?? '?'}`));

/** Event of a build without debug ids: maps are found by release and address. */
function ofRelease(scripts: readonly BuiltScript[], more: readonly object[] = []): RawEvent {
  const { debug_meta: _images, ...event } = thrownThrough(scripts, more);
  return { ...event, release: 'shop@1' };
}

/** Uploads the map of a script by its address. */
const byAddress =
  ({ address, map }: BuiltScript): Uploads =>
  (maps) => {
    maps.add({ release: 'shop@1', url: address.replace('https://shop.example', '~'), bytes: map });
  };

describe('grouping: events of which a part is mapped', () => {
  it('are grouped as they were sent, until the maps of all their files are there', async () => {
    const event = await assertAsSent(BOTH, uploads(MAIN));
    assert.deepEqual(placesOf(event), [['start src/main.js', 't /assets/cart-zUTjjcm1.js']], 'and shown mapped');
    await assertAsSent(BOTH, uploads(CART));
    const none = await grouped(BOTH, uploads(script('another', [['e', '../../src/a.js', 'a', 1]])));
    assert.deepEqual([none.keys.key, none.isAsSent], [sentKey(BOTH), false], 'nothing of it is mapped');
    const whole = await assertAsShown(BOTH, uploads(MAIN, CART));
    assert.deepEqual(placesOf(whole), [['start src/main.js', 'readCost src/cart.js']]);
  });

  it('are those of which a map is damaged', async () => {
    const event = await assertAsSent(BOTH, (maps) => {
      MAIN.upload(maps);
      maps.add({ debugId: CART.debugId, bytes: new Uint8Array(3) });
    });
    assert.match(event.exceptions[0]?.frames?.[1]?.unmapped ?? '', /missing or damaged; upload it again$/);
  });

  it('are those whose maps the store reads too slowly', async () => {
    const now = performance.now.bind(performance);
    let passed = 0;
    performance.now = () => now() + passed;
    try {
      const event = await assertAsSent(BOTH, (maps) => {
        uploads(MAIN, CART)(maps);
        const read = maps.readFile.bind(maps);
        maps.readFile = (name) => {
          passed += 600;
          return read(name);
        };
      });
      assert.deepEqual(placesOf(event), [['e /assets/index-BvYxf9r1.js', 'readCost src/cart.js']]);
    } finally {
      performance.now = now;
    }
  });

  it('are those with more files than an event may look up', async () => {
    const many = Array.from({ length: 51 }, (_, n) => script(`chunk${n}`, [['a', `../../src/${n}.js`, `call${n}`, 2]]));
    const event = await assertAsSent(thrownThrough(many), uploads(...many));
    assert.match(event.exceptions[0]?.frames?.[0]?.unmapped ?? '', /^at most 50 maps/);
  });

  it('are those of whose exceptions one alone is mapped', async () => {
    const chain = [MAIN, CART].map(({ frames }, at) => ({ type: 'E', value: `${at}`, stacktrace: { frames } }));
    const event = { ...BOTH, exception: { values: chain } };
    await assertAsSent(event, uploads(MAIN));
    await assertAsSent(event, uploads(CART));
    await assertAsShown(event, uploads(MAIN, CART));
  });

  it('are not those whose other frames are of no build that uploads its maps', async () => {
    const others = [
      // A script in the page itself, and scripts of other hosts and of the browser.
      { filename: 'https://shop.example/checkout', function: 'onload', lineno: 30, colno: 5 },
      { filename: 'https://widget.example/loader.js', function: 'run', lineno: 1, colno: 900 },
      { filename: 'https://cdn.jsdelivr.net/npm/lib@1/lib.js', function: 'wrap', lineno: 1, colno: 2 },
      { filename: 'chrome-extension://abcdef/content.js', function: 'hook', lineno: 1, colno: 2 },
      { filename: '[native code]', function: 'forEach' },
      // Files of the same folder have no id either, where the build writes ids.
      { filename: 'https://shop.example/assets/legacy.js', function: 'submit', lineno: 4, colno: 2 },
    ];
    for (const frame of others) {
      await assertAsShown(thrownThrough([MAIN, CART], [frame]), uploads(MAIN, CART));
      await assertAsShown({ ...thrownThrough([MAIN, CART], [frame]), release: 'shop@1' }, uploads(MAIN, CART));
    }
  });

  it('are not those of which a map says that it does not have the place, or cannot be used', async () => {
    const unusable = { debugId: CART.debugId, bytes: null, problem: 'its source map is not in the upload' };
    await assertAsShown(BOTH, (maps) => {
      MAIN.upload(maps);
      maps.add(unusable);
    });
    const beyond = { filename: CART.address, function: 't', lineno: 7, colno: 1 };
    await assertAsShown(thrownThrough([MAIN, CART], [beyond]), uploads(MAIN, CART));
  });

  it('are not those where frames of libraries wait, unless the stack has no others', async () => {
    const library = script('vendor-Ab12Cd34', [['n', '../../node_modules/lib/index.js', 'dispatch', 2]]);
    await assertAsShown(thrownThrough([library, MAIN]), uploads(MAIN));
    const second = script('vendors~Ef56Gh78', [['r', '../../node_modules/other/index.js', 'render', 2]]);
    await assertAsSent(thrownThrough([library, second]), uploads(library));
    await assertAsShown(thrownThrough([library, second]), uploads(library, second));
  });

  it('are not those whose group is decided by something else', async () => {
    for (const event of [
      { ...BOTH, fingerprint: ['checkout'] },
      // The stack shows where a message was logged, and of several threads none counts.
      {
        ...{ platform: 'javascript', message: 'm', debug_meta: BOTH['debug_meta'] },
        threads: { values: [MAIN, CART].map(({ frames }, id) => ({ id: `${id}`, stacktrace: { frames } })) },
      },
    ]) {
      const { keys, isAsSent } = await grouped(event, uploads(MAIN));
      assert.deepEqual([keys.key, keys.sent, isAsSent], [sentKey(event), undefined, false]);
    }
  });

  it('of a build without debug ids wait for files beside those that have a map', async () => {
    const event = ofRelease([MAIN, CART]);
    await assertAsSent(event, byAddress(MAIN));
    await assertAsShown(event, (maps) => {
      byAddress(MAIN)(maps);
      byAddress(CART)(maps);
    });
    for (const filename of ['https://shop.example/assets/', 'https://shop.example/js/legacy.js']) {
      const own = { filename, function: 'submit', lineno: 4, colno: 2 };
      await assertAsShown(ofRelease([MAIN], [own]), byAddress(MAIN));
    }
  });

  it('of a program with several mappings of classes wait for all of them', async () => {
    const ids = ['00000000-0000-4000-9000-0000000000aa', '00000000-0000-4000-9000-0000000000bb'];
    const mappings = [
      'com.example.shop.Basket -> a.b:\n    4:4:int price(int):23 -> a\n',
      'com.example.pay.Card -> c.d:\n    7:7:void charge(int):70 -> a\n',
    ];
    const added = (...at: readonly number[]): Uploads => {
      return (maps) => {
        for (const each of at) maps.addClasses(ids[each] ?? '', mappings[each] ?? '');
      };
    };
    const frame = (module: string, lineno: number, own: boolean) => ({ module, function: 'a', lineno, in_app: own });
    const event = (own: boolean): RawEvent => ({
      platform: 'java',
      debug_meta: { images: ids.map((uuid) => ({ type: 'proguard', uuid })) },
      exception: {
        values: [
          {
            ...{ type: 'c', module: 'x', value: 'v' },
            stacktrace: {
              frames: [frame('android.app.Activity', 1, false), frame('a.b', 4, true), frame('c.d', 7, own)],
            },
          },
        ],
      },
    });
    // SDKs that mark classes by their package do not know those that were renamed.
    for (const own of [true, false]) {
      await assertAsSent(event(own), added(0));
      await assertAsShown(event(own), added(0, 1));
    }
    await assertAsSent(event(true), (maps) => {
      added(0)(maps);
      maps.add({ debugId: ids[1] ?? '', kind: 'proguard', bytes: new Uint8Array(3) });
    });
    await assertAsShown(event(true), (maps) => {
      added(0)(maps);
      maps.add({ debugId: ids[1] ?? '', kind: 'proguard', bytes: null, problem: 'the mapping is larger than 64 MB' });
    });
  });
});
