import assert from 'node:assert/strict';
import { MAX_UNRESOLVED } from '../../src/domain/projects/project-news.ts';
import { errorKey } from '../../src/storage/mongo/documents/document-keys.ts';
import { describeOnMongo } from '../support/mongo-engine.ts';
import { openEmptyMongo, type OpenedMongo } from '../support/mongo-harness.ts';
import { hexId, makeEvent, makeProject, NOON, TestJournal } from '../support/store-data.ts';

/** More errors than one query counts for several projects. */
const MANY = 20_001;
const SLICE = 5_000;

describeOnMongo('MongoDB store: many projects at once', function (uri) {
  this.timeout(180_000);
  let opened: OpenedMongo;

  before(async () => {
    opened = await openEmptyMongo(uri);
  });
  after(() => opened.close());

  it('counts each on its own where they have too many errors for one query', async () => {
    const { store, context } = opened;
    const [large, small] = [await makeProject(store), await makeProject(store)];
    await new TestJournal(store).apply([makeEvent(large, 'a'), makeEvent(small, 'a')]);
    const { errors } = context.collections;
    const [one] = await errors.find({ p: large.id }).toArray();
    assert.ok(one !== undefined);
    for (let from = 0; from < MANY; from += SLICE) {
      const rows = Array.from({ length: SLICE }, (_, index) => from + index);
      await errors.insertMany(
        rows.map((n) => ({ ...one, _id: errorKey(large.id, hexId(`many ${n}`)), id: 1_000_000 + n })),
      );
    }
    const news = await store.projectNews([large.id, small.id], NOON);
    assert.deepEqual(
      [large, small].map(({ id }) => news.get(id)?.unresolved),
      [MAX_UNRESOLVED, 1],
    );
  });
});
