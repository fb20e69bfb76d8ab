import assert from 'node:assert/strict';
import mongoose from 'mongoose';
import { defineModels } from '../../../src/storage/mongo/models/define-models.ts';
import { QUERY_NAMES } from '../../../src/storage/mongo/query-names.ts';
import { queriesByReach, shardedCollections, unshardedCollections } from '../../support/scaling-doc.ts';

describe('docs/scaling.md', () => {
  const models = Object.values(defineModels(mongoose.createConnection()));
  const namesWhere = (hasProject: boolean): string[] =>
    models
      .filter(({ schema }) => 'p' in schema.paths === hasProject)
      .map(({ collection }) => collection.collectionName)
      .sort();

  it('shards every collection whose documents carry the shard key, and no other', () => {
    assert.deepEqual(shardedCollections().sort(), namesWhere(true));
  });

  it('names every other collection among those that stay unsharded', () => {
    assert.deepEqual([...new Set(unshardedCollections())].sort(), namesWhere(false));
  });

  it('says of every query which shards it reaches, and names none that is not there', () => {
    const listed = [...queriesByReach().values()].flat();
    const means = (entry: string, name: string): boolean =>
      entry.endsWith('.*') ? name.startsWith(entry.slice(0, -1)) : entry === name;
    assert.deepEqual(
      QUERY_NAMES.filter((name) => listed.filter((entry) => means(entry, name)).length !== 1),
      [],
      'listed once each',
    );
    assert.deepEqual(
      listed.filter((entry) => !QUERY_NAMES.some((name) => means(entry, name))),
      [],
      'all of them asked somewhere',
    );
  });
});
