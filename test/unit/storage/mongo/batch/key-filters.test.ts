import assert from 'node:assert/strict';
import { keyFilters, type Keyed } from '../../../../../src/storage/mongo/batch/known/key-filters.ts';
import { errorKey } from '../../../../../src/storage/mongo/documents/document-keys.ts';
import { hexId } from '../../../../support/store-data.ts';

/** As many documents of each project, mixed as a batch mixes them. */
function documents(projects: number, each: number): Keyed[] {
  return Array.from({ length: projects * each }, (_, index) => {
    const p = 1 + (index % projects);
    return { _id: errorKey(p, hexId(`group hash ${index}`)), p };
  });
}

const combinations = (given: readonly Keyed[], max?: number): number[] =>
  keyFilters(given, max).map(({ _id, p }) => _id.$in.length * p.$in.length);

/** What the filters match, if the documents are all there are. */
function matched(given: readonly Keyed[], max?: number): string[] {
  return keyFilters(given, max)
    .flatMap(({ _id, p }) => given.filter((each) => p.$in.includes(each.p) && _id.$in.includes(each._id)))
    .map(({ _id }) => _id.toString('hex'));
}

describe('keyFilters', () => {
  it('makes one filter of the keys of few projects, in their order', () => {
    const given = documents(1, 2000);
    const [filter, ...more] = keyFilters(given);
    assert.deepEqual(more, []);
    assert.deepEqual(
      filter?._id.$in,
      given.map(({ _id }) => _id),
    );
    assert.deepEqual(filter.p.$in, [1]);
    assert.equal(keyFilters(documents(9, 200)).length, 1);
  });

  it('makes none for nothing', () => {
    assert.deepEqual(keyFilters([]), []);
  });

  it('never lets many keys multiply with many projects', () => {
    // The largest batch with an event of another project each would be four million.
    for (const [projects, each] of [
      [2000, 1],
      [100, 20],
      [3, 700],
    ] as const) {
      const all = combinations(documents(projects, each));
      assert.ok(Math.max(...all) <= 20_000, `${projects} projects: ${all.join()}`);
      assert.ok(all.length <= 20, `${projects} projects take ${all.length} filters`);
    }
  });

  it('leaves a project whole that has more keys than the bound', () => {
    assert.deepEqual(combinations(documents(2, 50), 10), [50, 50]);
  });

  it('matches each document once', () => {
    const given = documents(7, 5);
    for (const max of [1, 10, 40, 1000]) {
      assert.deepEqual(matched(given, max).sort(), given.map(({ _id }) => _id.toString('hex')).sort());
    }
  });
});
