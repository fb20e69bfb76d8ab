import assert from 'node:assert/strict';
import type { MongoContext } from '../../../../../src/storage/mongo/engine/context.ts';
import { errorKey } from '../../../../../src/storage/mongo/documents/document-keys.ts';
import { errorById } from '../../../../../src/storage/mongo/lists/error-detail.ts';

const NOW = Date.UTC(2026, 10, 23, 12);
const DAY = 86_400_000;
const RECENT = 300;
const OLD = 700;

function row(id: number, at: number) {
  const last = { at, title: `error ${id}`, level: 'error', release: null };
  const first = { at, release: null };
  return { _id: errorKey(1, id.toString(16).padStart(32, '0')), p: 1, id, into: 1, st: 0, c: 1, u: 0, first, last };
}

describe('details of a merged error with a thousand members on MongoDB', () => {
  it('read the hours of those seen lately, a bounded number at a time', async () => {
    const members = Array.from({ length: RECENT + OLD }, (_, at) => row(at + 1, at < RECENT ? NOW : NOW - 40 * DAY));
    const [root] = members;
    assert.ok(root !== undefined);
    const g = { c: 1000, u: 0, m: [], first: root.first, last: root.last };
    let [queries, open, most] = [0, 0, 0];
    const collections = {
      errors: {
        findOne: () => Promise.resolve({ ...root, g }),
        find: () => ({ hint: () => ({ toArray: () => Promise.resolve(members) }) }),
      },
      errorTags: { find: () => ({ toArray: () => Promise.resolve([]) }) },
      errorHours: {
        find: () => ({
          async toArray() {
            queries += 1;
            most = Math.max(most, (open += 1));
            await new Promise(setImmediate);
            open -= 1;
            return [];
          },
        }),
      },
    };
    const detail = await errorById({ collections } as unknown as MongoContext, 1, '1', NOW);
    assert.deepEqual([detail?.merged?.length, queries], [RECENT + OLD - 1, RECENT]);
    assert.ok(most <= 50, `${most} queries at once`);
  });
});
