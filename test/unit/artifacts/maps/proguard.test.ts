import assert from 'node:assert/strict';
import { ProguardIndex } from '../../../../src/artifacts/maps/proguard-index.ts';
import { readProguard } from '../../../../src/artifacts/maps/read-proguard.ts';
import { mapFixture } from '../../../support/map-source.ts';

function opened(mapping: string): ProguardIndex {
  const result = readProguard(Buffer.from(mapping));
  return 'problem' in result ? assert.fail(result.problem) : new ProguardIndex(result.index);
}

/** As R8 writes it, with an inlined call, overloads, a moved method and a class that keeps its name. */
const R8 = `# compiler: R8
# compiler_version: 8.5.35
# pg_map_id: 4f1c2d0
com.example.shop.Basket -> a.b:
# {"id":"sourceFile","fileName":"Basket.kt"}
    java.util.List items -> a
    1:1:void <init>():12:12 -> <init>
    1:3:int price(int):20:22 -> a
    4:4:double com.example.shop.Tax.rate(java.lang.String):8:8 -> a
    4:4:int price(int):23 -> a
    5:9:void clear():40 -> a
    void add(com.example.shop.Item) -> c
    void add(com.example.shop.Item,int) -> c
    void open() -> d
    void shut() -> d
com.example.shop.Basket$Listener -> a.c:
    void onChange() -> onChange
com.example.shop.MainActivity -> com.example.shop.MainActivity:
    10:20:void onCreate(android.os.Bundle):110:120 -> onCreate
`;

describe('mapping of ProGuard and R8', () => {
  const index = opened(R8);

  it('finds methods by the line of the build', () => {
    const file = 'Basket.kt';
    const isSynthesized = false;
    const className = 'com.example.shop.Basket';
    assert.deepEqual(index.callsOf('a.b', 'a', 2), [{ className, method: 'price', line: 21, file, isSynthesized }]);
    assert.deepEqual(index.callsOf('a.b', '<init>', 1), [
      { className, method: '<init>', line: 12, file, isSynthesized },
    ]);
    assert.deepEqual(
      index.callsOf('a.b', 'a', 7),
      [{ className, method: 'clear', line: 40, file, isSynthesized }],
      'one line for all',
    );
    assert.deepEqual(index.callsOf('com.example.shop.MainActivity', 'onCreate', 15), [
      { className: 'com.example.shop.MainActivity', method: 'onCreate', line: 115, file: null, isSynthesized },
    ]);
  });

  it('gives calls that were moved into one another, the innermost first', () => {
    assert.deepEqual(index.callsOf('a.b', 'a', 4), [
      { className: 'com.example.shop.Tax', method: 'rate', line: 8, file: null, isSynthesized: false },
      { className: 'com.example.shop.Basket', method: 'price', line: 23, file: 'Basket.kt', isSynthesized: false },
    ]);
  });

  it('names overloads without lines, and keeps a name that several methods have', () => {
    const method = (name: string, line: number | null) => index.callsOf('a.b', name, line)?.map((call) => call.method);
    assert.deepEqual(method('c', null), ['add']);
    assert.deepEqual(method('c', 33), ['add']);
    assert.deepEqual(method('d', 1), ['d'], 'open and shut');
    assert.deepEqual(method('a', null), ['a'], 'price, rate and clear');
    assert.deepEqual(method('z', 1), ['z'], 'a method that the mapping does not have');
    assert.equal(index.callsOf('a.b', 'z', 1)?.[0]?.className, 'com.example.shop.Basket');
  });

  it('names classes, also those of exceptions, and leaves others alone', () => {
    assert.equal(index.classOf('a.b'), 'com.example.shop.Basket');
    assert.equal(index.classOf('a.c'), 'com.example.shop.Basket$Listener');
    assert.equal(index.classOf('java.lang.String'), null);
    assert.equal(index.callsOf('java.lang.String', 'length', 3), null);
  });

  it('reads lines that end in CRLF, and thousands of classes', () => {
    assert.equal(opened(R8.replaceAll('\n', '\r\n')).classOf('a.c'), 'com.example.shop.Basket$Listener');
    const many = Array.from(
      { length: 5000 },
      (_, n) => `org.Class${n} -> x${n.toString(36)}:\n    void run${n}() -> a`,
    );
    const large = opened(many.join('\n'));
    for (const n of [0, 1, 36, 777, 4999]) {
      const call = large.callsOf(`x${n.toString(36)}`, 'a', null)?.[0];
      assert.deepEqual([call?.className, call?.method], [`org.Class${n}`, `run${n}`]);
    }
  });

  it('refuses a file that is no mapping', () => {
    const none = { problem: 'the file is no mapping of ProGuard or R8: it has no classes' };
    for (const text of ['', 'hello', '    void a() -> b', '{"version":3}']) {
      assert.deepEqual(readProguard(Buffer.from(text)), none, text);
    }
    assert.deepEqual(readProguard(new Uint8Array(70 * 1024 * 1024)), {
      problem: 'the mapping has 70 MB; at most 64 MB are read',
    });
  });

  it('is read as it was stored by earlier versions', () => {
    const stored = new ProguardIndex(mapFixture('classes-version-1.bin'));
    for (const className of ['a.b', 'a.c', 'com.example.shop.MainActivity', 'a.d']) {
      assert.equal(stored.classOf(className), index.classOf(className));
      for (const method of ['a', '<init>', 'c', 'd', 'onCreate']) {
        for (const line of [null, 1, 2, 4, 9, 12, 40]) {
          assert.deepEqual(stored.callsOf(className, method, line), index.callsOf(className, method, line));
        }
      }
    }
  });
});
