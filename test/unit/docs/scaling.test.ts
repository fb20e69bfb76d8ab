import assert from 'node:assert/strict';
import { COLLECTIONS } from '../../../src/storage/mongo/engine/collections.ts';
import { queryNames, recordQueryNames } from '../../support/query-names.ts';
import { queriesByReach, shardedCollections, unshardedCollections } from '../../support/scaling-doc.ts';

describe('docs/scaling.md', () => {
  // The type of the table says that exactly the documents with the member `p` have keys that begin with a project.
  const namesWhere = (hasProject: boolean): string[] =>
    Object.values(COLLECTIONS)
      .filter(({ keyBytes }) => (keyBytes !== null) === hasProject)
      .map(({ name }) => name)
      .sort();

  it('shards every collection whose documents carry the shard key, and no other', () => {
    assert.deepEqual(shardedCollections().sort(), namesWhere(true));
  });

  it('names every other collection among those that stay unsharded', () => {
    assert.deepEqual([...new Set(unshardedCollections())].sort(), namesWhere(false));
  });

  it('says of every query which shards it reaches, and names none that is not there', () => {
    const names = [...new Set([...queryNames(), ...[...recordQueryNames().values()].flat()])];
    assert.ok(names.length > 300, 'finds the names');
    const listed = [...queriesByReach().values()].flat();
    const means = (entry: string, name: string): boolean =>
      entry.endsWith('.*') ? name.startsWith(entry.slice(0, -1)) : entry === name;
    assert.deepEqual(
      names.filter((name) => listed.filter((entry) => means(entry, name)).length !== 1),
      [],
      'listed once each',
    );
    assert.deepEqual(
      listed.filter((entry) => !names.some((name) => means(entry, name))),
      [],
      'all of them asked somewhere',
    );
  });
});
