import assert from 'node:assert/strict';
import { LikenessIndex } from '../../../src/import/join/likeness-index.ts';

/** States in memory, with the bytes that were written. */
class States {
  readonly rows = new Map<string, string>();
  written = 0;
  largest = 0;

  async saveImportState(key: string, state: string): Promise<void> {
    this.rows.set(key, state);
    this.written += state.length;
    this.largest = Math.max(this.largest, state.length);
  }

  async listImportStates(prefix: string): Promise<(readonly [string, string])[]> {
    return [...this.rows].filter(([key]) => key.startsWith(prefix)).sort(([a], [b]) => (a < b ? -1 : 1));
  }
}

const feature = (n: number): string => n.toString(16).padStart(24, '0');
const opened = (states: States) => new LikenessIndex(states, '1/run/shop').open();

describe('index of likeness', () => {
  it('finds the only error with a feature, also after it was saved and read', async () => {
    const states = new States();
    const index = await opened(states);
    for (const [of, error] of [
      [1, '11'],
      [2, '12'],
      [2, '12'],
      [3, '13'],
      [3, '14'],
      [3, '13'],
    ] as const) {
      index.add(feature(of), error);
    }
    const found = (one: LikenessIndex) => [1, 2, 3, 4].map((n) => one.find([feature(n)]));
    assert.deepEqual(found(index), ['11', '12', null, null]);
    await index.save();
    const again = await opened(states);
    assert.deepEqual(found(again), ['11', '12', null, null]);
    // Any of several features, as long as one error alone has them.
    const either = (...numbers: number[]) => again.find(numbers.map(feature));
    assert.deepEqual(
      [either(1, 4), either(1, 1), either(1, 2), either(1, 3), either()],
      ['11', '11', null, null, null],
    );
    // An entry of an earlier save is replaced.
    again.add(feature(1), '15');
    await again.save();
    assert.deepEqual(found(await opened(states)), [null, '12', null, null]);
    assert.deepEqual(found(await new LikenessIndex(states, '2/run/shop').open()), [null, null, null, null]);
  });

  it('writes each entry a few times at most, in parts of bounded size', async () => {
    const states = new States();
    let index = await opened(states);
    const entry = JSON.stringify({ [feature(1)]: '100000' }).length;
    const count = 10_000;
    for (let n = 0; n < count; n += 1) {
      index.add(feature(n), String(100_000 + n));
      // The steps of an import, some of which are continued by another process.
      if (n % 50 === 49) await index.save();
      if (n % 1999 === 0) {
        await index.save();
        index = await opened(states);
      }
    }
    await index.save();
    assert.ok(states.written < 8 * count * entry, `${states.written} bytes`);
    assert.ok(states.largest < 30_000, `${states.largest} bytes`);
    index = await opened(states);
    for (let n = 0; n < count; n += 1) assert.equal(index.find([feature(n)]), String(100_000 + n));
    const before = states.written;
    await index.save();
    assert.equal(states.written, before, 'nothing is new');
  });

  it('reads what earlier versions saved in sixteen parts', async () => {
    const states = new States();
    const [own, other] = [`a${feature(1).slice(1)}`, feature(2)];
    await states.saveImportState('1/run/shop/likeness/a', JSON.stringify({ [own]: '7' }));
    await states.saveImportState('1/run/shop/likeness/0', JSON.stringify({ [other]: '8' }));
    const index = await opened(states);
    assert.deepEqual([index.find([own]), index.find([other])], ['7', '8']);
    index.add(own, '9');
    await index.save();
    const again = await opened(states);
    assert.deepEqual([again.find([own]), again.find([other])], [null, '8']);
  });
});
