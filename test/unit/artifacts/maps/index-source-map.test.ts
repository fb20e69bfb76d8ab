import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { AnyMap, originalPositionFor, type SectionedSourceMap, type EncodedSourceMap } from '@jridgewell/trace-mapping';
import fc from 'fast-check';
import { indexSourceMap } from '../../../../src/artifacts/maps/index-source-map.ts';
import { MapIndex } from '../../../../src/artifacts/maps/map-index.ts';

const FIXTURES = new URL('../../../fixtures/source-maps/', import.meta.url);
const fixture = (name: string) => readFileSync(new URL(name, FIXTURES));

interface ExpectedFrame {
  readonly frame: { readonly filename: string; readonly lineno: number; readonly colno: number };
  readonly original: {
    readonly source: string;
    readonly line: number;
    readonly column: number;
    readonly name: string | null;
  };
  readonly enclosing_function_by_reading_the_source: string;
}
const recorded = JSON.parse(fixture('event.json').toString()) as { readonly expected: readonly ExpectedFrame[] };

function opened(map: string | Uint8Array | object, minified: string | Uint8Array | null = null): MapIndex {
  const bytes = map instanceof Uint8Array ? map : Buffer.from(typeof map === 'string' ? map : JSON.stringify(map));
  const result = indexSourceMap(bytes, typeof minified === 'string' ? Buffer.from(minified) : minified);
  if ('problem' in result) assert.fail(result.problem);
  return new MapIndex(result.index);
}

function problemOf(map: string | object): string {
  const result = indexSourceMap(Buffer.from(typeof map === 'string' ? map : JSON.stringify(map)), null);
  return 'problem' in result ? result.problem : assert.fail('the map was taken');
}

function placed(index: MapIndex, line: number, column: number) {
  const place = index.placeOf(line, column);
  return typeof place === 'string' ? assert.fail(place) : place;
}

/** Two lines: `a` at 1:1 from x.ts 3:5, code of the build at 1:5, `b` at 2:3 from y.ts 1:1. */
const SMALL = {
  version: 3,
  sources: ['x.ts', 'y.ts'],
  sourcesContent: ['one\ntwo\nthree\nfour', null],
  names: ['first'],
  mappings: 'AAEIA,I;ECFJ',
};

/** Segments by line: column, source, line and column there, name, and how many of them are written. */
const LINES = fc.array(
  fc.array(fc.tuple(fc.nat(200), fc.nat(4), fc.nat(50), fc.nat(80), fc.nat(3), fc.nat(2)), { maxLength: 12 }),
  { minLength: 1, maxLength: 8 },
);
type Lines = typeof LINES extends fc.Arbitrary<infer T> ? T : never;

function mapOf(lines: Lines, folder = '') {
  const mappings = lines.map((line) =>
    line
      .toSorted(([a], [b]) => a - b)
      .map(([column, source, at, originalColumn, name, fields]) =>
        fields === 0
          ? [column]
          : fields === 1
            ? [column, source, at, originalColumn]
            : [column, source, at, originalColumn, name],
      ),
  );
  return {
    version: 3 as const,
    names: ['n0', 'n1', 'n2', 'n3'].map((name) => `${folder}${name}`),
    sources: ['s0', 's1', 's2', 's3', 's4'].map((name) => `${folder}${name}`),
    mappings: encodeMappings(mappings),
  };
}

/** Compares what is found at places, by line and column from 1, with what the library finds. */
function assertAsTraced(
  map: EncodedSourceMap | SectionedSourceMap,
  places: readonly (readonly [number, number])[],
): void {
  const traced = new AnyMap(map);
  const index = opened(map);
  for (const [line, column] of places) {
    const expected = originalPositionFor(traced, { line, column: column - 1 });
    const found = index.placeOf(line, column);
    const comparable =
      typeof found === 'string'
        ? { source: null, line: null, column: null, name: null }
        : {
            ...{ source: index.sourceName(found.source), line: found.line },
            ...{ column: found.column - 1, name: found.callee },
          };
    assert.deepEqual(comparable, { ...expected }, `${line}:${column}`);
  }
}

describe('compact form of a source map', () => {
  for (const { frame, original, ...expected } of recorded.expected) {
    const file = frame.filename.slice(frame.filename.lastIndexOf('/') + 1);
    it(`finds the recorded place in ${file}, column ${frame.colno}`, () => {
      const index = opened(fixture(`${file}.map`), fixture(file));
      const place = placed(index, frame.lineno, frame.colno);
      const { line, column, callee } = place;
      assert.deepEqual({ source: index.sourceName(place.source), line, column: column - 1, name: callee }, original);
      assert.equal(
        index.functionAt(frame.lineno, frame.colno),
        expected.enclosing_function_by_reading_the_source,
        'the function around the place, not the one that is called there',
      );
    });
  }

  it('gives the lines around a place from the content of its source', () => {
    const index = opened(fixture('cart-zUTjjcmR.js.map'));
    assert.deepEqual(index.linesAround(placed(index, 1, 409).source, 7, 2), {
      before: ['}', 'function readCost(item) {'],
      line: '  return item.cost.toFixed(2);',
      after: ['}'],
    });
    assert.equal(index.linesAround(0, 100, 5), null, 'a line that the source does not have');
  });

  it('answers as the library does, for any map', () => {
    const place = fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 210 }));
    fc.assert(
      fc.property(LINES, fc.array(place, { minLength: 20, maxLength: 20 }), (generated, places) => {
        assertAsTraced(mapOf(generated), places);
      }),
      { numRuns: 150, seed: 30 },
    );
  });

  it('answers as the library does, where lines have many segments, also at one column, and large numbers', () => {
    const large = fc.oneof(fc.nat(70), fc.nat(2 ** 30 - 1));
    const column = fc.oneof({ weight: 20, arbitrary: fc.nat(60) }, { weight: 1, arbitrary: fc.nat(2 ** 30 - 1) });
    const segment = fc.tuple(column, fc.nat(4), large, large, fc.nat(3), fc.nat(2));
    const lines = fc.array(fc.array(segment, { maxLength: 150 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(lines, (generated) => {
        const columns = generated.flatMap((line) => line.map(([each]) => each));
        const wanted = [...new Set([1, ...columns.flatMap((each) => [each + 1, each + 2])])];
        assertAsTraced(
          mapOf(generated),
          generated.flatMap((_, line) => wanted.map((each) => [line + 1, each] as const)),
        );
      }),
      { numRuns: 100, seed: 32 },
    );
  });

  it('answers as the library does, for any map in sections, also in one another', () => {
    // Sections follow one another on the same line, or lines later; each has sources of its own.
    const step = fc.tuple(fc.nat(2), fc.nat(60), LINES, fc.boolean());
    const place = fc.tuple(fc.integer({ min: 1, max: 24 }), fc.integer({ min: 1, max: 320 }));
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 1, maxLength: 6 }),
        fc.array(place, { minLength: 40, maxLength: 40 }),
        (steps, places) => {
          const at = { line: 0, column: 0 };
          const sections = steps.map(([lines, columns, generated, isNested], n) => {
            // The section before may have one in it that begins 3 columns later.
            at.column = lines === 0 ? at.column + 3 + columns : columns;
            at.line += lines;
            const map = mapOf(generated, `${n}/`);
            const inner = { version: 3 as const, sections: [{ offset: { line: 0, column: 3 }, map }] };
            return { offset: { ...at }, map: isNested ? inner : map };
          });
          assertAsTraced({ version: 3, sections }, places);
        },
      ),
      { numRuns: 150, seed: 31 },
    );
  });

  it('says why a place has no original', () => {
    const index = opened(SMALL);
    assert.equal(index.placeOf(9, 1), 'the map has 2 lines, the frame is in line 9');
    assert.equal(index.placeOf(1, 6), 'line 1, column 6 is code that the build added');
    assert.equal(index.placeOf(2, 1), 'the map has no place for line 2, column 1');
    assert.equal(placed(index, 1, 0).line, 3, 'column 0, as some engines count, is the first one');
    assert.equal(placed(index, 2, 1000).line, 1, 'a column behind the last mapping belongs to it');
    assert.equal(index.linesAround(1, 1, 5), null, 'a source without content');
  });

  it('reads a byte order mark, the line against inclusion, CRLF, names and contents that are not there', () => {
    const { names, sourcesContent, ...bare } = SMALL;
    assert.equal(placed(opened(`\u{feff})]}'garbage\n${JSON.stringify(SMALL)}`), 1, 1).callee, 'first');
    assert.equal(placed(opened(`)]}'\r\n${JSON.stringify(SMALL)}`), 1, 1).callee, 'first');
    assert.equal(placed(opened({ ...bare, sourcesContent }), 1, 1).callee, null);
    assert.equal(opened({ ...bare, names }).linesAround(0, 1, 5), null);
    const windows = opened({ ...SMALL, sourcesContent: ['one\r\ntwo\r\nthree\r\nfour', null] });
    assert.deepEqual(windows.linesAround(0, 3, 1), { before: ['two'], line: 'three', after: ['four'] });
    const ended = opened({ ...bare, sourcesContent: ['one\n\n'] });
    const end = { before: ['one'], line: '', after: [] };
    assert.deepEqual(ended.linesAround(0, 2, 5), end, 'the end of the last line begins no other');
  });

  it('reads maps in sections, also in one another and on one line', () => {
    const nested = { version: 3, sections: [{ offset: { line: 0, column: 10 }, map: SMALL }] };
    const index = opened({
      version: 3,
      sections: [
        { offset: { line: 0, column: 0 }, map: SMALL },
        { offset: { line: 0, column: 100 }, map: { ...SMALL, sources: ['z.ts', 'w.ts'] } },
        { offset: { line: 4, column: 0 }, map: nested },
      ],
    });
    const sourceAt = (line: number, column: number) => index.sourceName(placed(index, line, column).source);
    assert.equal(sourceAt(1, 1), 'x.ts');
    assert.equal(sourceAt(1, 101), 'z.ts', 'the column counts from the offset');
    assert.equal(sourceAt(2, 3), 'w.ts', 'the column of the offset is that of its first line alone');
    assert.equal(sourceAt(5, 11), 'x.ts');
    assert.equal(placed(index, 1, 101).callee, 'first');
    assert.match(JSON.stringify(index.placeOf(3, 1)), /no place for line 3/);
  });

  it('keeps names of sources as text, below their root', () => {
    const hostile = ['/etc/passwd', '<img src=x onerror=alert(1)>', '../../../../root/.ssh/id_rsa', null, 'a.ts'];
    const mappings = 'AAAA,CCAA,CCAA,CCAA,CCAA';
    const index = opened({ version: 3, sourceRoot: 'web', sources: hostile, names: [], mappings });
    const shown = [1, 2, 3, 4, 5].map((column) => index.sourceName(placed(index, 1, column).source));
    assert.deepEqual(shown, ['/etc/passwd', `web/${hostile[1]}`, `web/${hostile[2]}`, '', 'web/a.ts']);
  });

  it('takes references to nothing as places without an original', () => {
    const index = opened({ version: 3, sources: ['a.ts'], names: ['n'], mappings: 'AAAA,CCAAA,CFAA,CADA' });
    assert.equal(placed(index, 1, 1).line, 1);
    for (const column of [2, 3]) assert.equal(typeof index.placeOf(1, column), 'string', `column ${column}`);
  });

  it('refuses what is no map, with the reason', () => {
    assert.equal(problemOf('{"version":3,"mapp'), 'the source map is no JSON');
    assert.equal(problemOf('[]'), 'the source map is no JSON object');
    assert.equal(problemOf({ version: 2, mappings: '' }), 'the source map is not of version 3');
    assert.equal(problemOf({ version: 3 }), 'the source map has no mappings');
    assert.equal(problemOf({ version: 3, mappings: 'A!' }), 'the mappings of the source map are no segments');
    assert.equal(problemOf({ version: 3, mappings: 'AAA' }), 'the mappings of the source map are no segments');
    assert.equal(
      problemOf({ version: 3, mappings: 'ggggggggggggggE' }),
      'the mappings of the source map are no segments',
    );
    assert.equal(problemOf({ version: 3, sections: {} }), 'the sections of the source map are no list');
    assert.equal(problemOf({ version: 3, sections: [{ map: SMALL }] }), 'a section of the source map has no offset');
    assert.equal(
      problemOf({ version: 3, sections: [{ offset: { line: 0, column: 0 }, url: 'https://example.com/a.map' }] }),
      'a section of the source map has no map',
      'nothing is fetched',
    );
    const backwards = [5, 2].map((line) => ({ offset: { line, column: 0 }, map: SMALL }));
    assert.equal(problemOf({ version: 3, sections: backwards }), 'the sections of the source map are not in order');
    const large = indexSourceMap(new Uint8Array(100 * 1024 * 1024), null);
    assert.deepEqual(large, { problem: 'the source map has 100 MB; at most 48 MB are read' });
  });

  it('is read as it was stored by earlier versions', () => {
    const stored = new MapIndex(fixture('index-version-1.bin'));
    const name = 'index-BvYxf9r-.js';
    const current = opened(fixture(`${name}.map`), fixture(name));
    const found = (index: MapIndex) =>
      Array.from({ length: 4000 }, (_, at) => {
        const place = index.placeOf(1, at + 1);
        if (typeof place === 'string') return place;
        const around = index.linesAround(place.source, place.line, 5);
        return { ...place, name: index.sourceName(place.source), around, inside: index.functionAt(1, at + 1) };
      });
    assert.deepEqual(found(stored), found(current));
    assert.equal(stored.knowsFunctions, true);
    assert.equal(stored.placeOf(2, 1), current.placeOf(2, 1));
  });

  it('refuses bytes that are no compact form', () => {
    assert.throws(() => new MapIndex(Buffer.from('PK')), /cut short/);
    assert.throws(() => new MapIndex(Buffer.alloc(4096)), /no compact form/);
    const result = indexSourceMap(Buffer.from(JSON.stringify(SMALL)), null);
    assert.ok('index' in result);
    assert.throws(() => new MapIndex(result.index.subarray(0, -8)), /cut short/);
    const shifted = Buffer.concat([Buffer.alloc(1), result.index]).subarray(1);
    assert.equal(placed(new MapIndex(shifted), 1, 1).line, 3, 'memory at any address');
  });
});

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

function encodeMappings(lines: readonly (readonly (readonly number[])[])[]): string {
  const sums = [0, 0, 0, 0, 0];
  return lines
    .map((line) => {
      sums[0] = 0;
      return line
        .map((segment) =>
          segment
            .map((value, field) => {
              const difference = value - (sums[field] ?? 0);
              sums[field] = value;
              return encodeNumber(difference);
            })
            .join(''),
        )
        .join(',');
    })
    .join(';');
}

function encodeNumber(value: number): string {
  let rest = value < 0 ? (-value << 1) | 1 : value << 1;
  let text = '';
  do {
    const digit = rest & 31;
    rest >>>= 5;
    text += DIGITS[rest > 0 ? digit | 32 : digit] ?? '';
  } while (rest > 0);
  return text;
}
