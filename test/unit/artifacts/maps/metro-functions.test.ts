import assert from 'node:assert/strict';
import { createFrameMapper } from '../../../../src/compose/frame-mapper.ts';
import { indexSourceMap } from '../../../../src/artifacts/maps/index-source-map.ts';
import { MapIndex } from '../../../../src/artifacts/maps/map-index.ts';
import { mapFixture, MemoryMaps } from '../../../support/map-source.ts';
import { normalise } from '../../integrated/digest/digest-support.ts';

/** As metro-source-map 0.87 writes it, for five places of a bundle of Hermes, which has one line. */
const METRO = JSON.parse(mapFixture('metro.map').toString()) as { readonly x_facebook_sources: readonly unknown[] };
/** Places of the bundle, with those of the source and the functions around them. */
const PLACES = [
  [101, 4, 'new Basket'],
  [201, 7, 'items.map$argument_0'],
  [251, 7, 'items.map.reduce$argument_0'],
  [301, 10, 'total'],
  [401, 11, null],
] as const;

function opened(map: object, minified: string | null = null): MapIndex {
  const result = indexSourceMap(Buffer.from(JSON.stringify(map)), minified === null ? null : Buffer.from(minified));
  return 'problem' in result ? assert.fail(result.problem) : new MapIndex(result.index);
}

function placed(index: MapIndex, line: number, column: number) {
  const place = index.placeOf(line, column);
  return typeof place === 'string' ? assert.fail(place) : [index.sourceName(place.source), place.line];
}

describe('maps of React Native', () => {
  it('lead from bytes of a bundle of Hermes to lines and functions of the source', () => {
    const index = opened(METRO);
    assert.equal(index.knowsFunctions, true);
    for (const [column, line, name] of PLACES) {
      assert.deepEqual(placed(index, 1, column), ['src/basket.js', line]);
      assert.equal(index.functionAt(1, column), name, `column ${column}`);
      assert.equal(index.functionAt(1, column + 9), name, `behind column ${column}`);
    }
    assert.equal(index.functionAt(1, 1), null);
  });

  it('have functions in the sections of bundles that are loaded in parts', () => {
    const sections = [0, 7].map((line) => ({ offset: { line, column: 0 }, map: METRO }));
    const index = opened({ version: 3, sections, x_facebook_offsets: [0, null, 7] });
    for (const bundleLine of [1, 8]) {
      for (const [column, line, name] of PLACES) {
        assert.deepEqual(placed(index, bundleLine, column), ['src/basket.js', line]);
        assert.equal(index.functionAt(bundleLine, column), name);
      }
    }
  });

  it('give way to the functions of a bundle that is a script, and stand in for one that cannot be read', () => {
    assert.equal(opened(METRO, `${' '.repeat(90)}function a(){throw 1}`).functionAt(1, 101), '<anonymous>');
    assert.equal(opened(METRO, '\0hermes').functionAt(1, 101), 'new Basket');
  });

  it('are used without functions where these are missing or damaged', () => {
    const wrong = [
      null,
      7,
      [],
      [null],
      [[]],
      [[{ names: 7, mappings: '!!' }]],
      [[{ names: ['a'], mappings: 'AAAAAAAAA!' }]],
    ];
    for (const sources of [
      ...wrong,
      [[{ names: ['a'], mappings: 'A9+/////' }]],
      [[{ names: {}, mappings: 'ACCCCC,;;;A' }]],
    ]) {
      const index = opened({ ...METRO, x_facebook_sources: sources });
      assert.deepEqual(placed(index, 1, 201), ['src/basket.js', 7]);
      assert.equal(index.functionAt(1, 201), null, JSON.stringify(sources));
    }
  });

  it('show frames of the SDK at their original places', async () => {
    const maps = new MemoryMaps();
    const debugId = '0b7c9f5e-55d1-4b0c-9d3e-0c5fb7a6d001';
    const built = indexSourceMap(Buffer.from(JSON.stringify(METRO)), null);
    assert.ok('index' in built);
    maps.add({ debugId, bytes: built.index });
    const filename = 'app:///index.android.bundle';
    const frames = [
      { filename, function: 'global', lineno: 1, colno: 401, in_app: true },
      { filename, function: 'anonymous', lineno: 1, colno: 201, in_app: true },
    ];
    const event = normalise({
      platform: 'javascript',
      debug_meta: { images: [{ type: 'sourcemap', code_file: filename, debug_id: debugId }] },
      exception: { values: [{ type: 'TypeError', value: 'v', stacktrace: { frames } }] },
    });
    const mapper = createFrameMapper({ integrated: { inAppInclude: [], inAppExclude: [] } }, maps);
    const mapped = (await mapper.map(42, event)).event.exceptions[0]?.frames ?? [];
    assert.deepEqual(
      mapped.map((frame) => [frame.filename, frame.lineno, frame.function, frame.context_line?.trim()]),
      [
        ['src/basket.js', 11, null, 'total(new Basket([null]));'],
        [
          ...['src/basket.js', 7, 'items.map$argument_0'],
          'return this.items.map((item) => cost(item)).reduce((a, b) => a + b);',
        ],
      ],
    );
  });
});
