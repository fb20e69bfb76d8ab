import assert from 'node:assert/strict';
import type { DigestedEvent } from '../../../src/domain/digest.ts';
import { groupHashesToCheck, underKnownGroupHash } from '../../../src/storage/former-group-hashes.ts';
import { makeEvent } from '../../support/store-data.ts';

const project = { id: 7 } as Parameters<typeof makeEvent>[0];
const plain = makeEvent(project, 'a');
const changed: DigestedEvent = {
  ...plain,
  groupHash: 'own',
  groupingVersion: 3,
  formerGroupHashes: [
    { groupHash: 'second', groupingVersion: 2 },
    { groupHash: 'first', groupingVersion: 1 },
  ],
};

describe('former group hashes', () => {
  const rows: [known: string[], groupHash: string, version: number][] = [
    [[], 'own', 3],
    [['own', 'second', 'first'], 'own', 3],
    [['second', 'first'], 'second', 2],
    [['first'], 'first', 1],
    [['elsewhere'], 'own', 3],
  ];
  for (const [known, groupHash, version] of rows) {
    it(`counts under ${groupHash} where ${known.join(', ') || 'nothing'} is known`, () => {
      const counted = underKnownGroupHash(changed, (each) => known.includes(each));
      assert.deepEqual([counted.groupHash, counted.groupingVersion], [groupHash, version]);
      assert.equal(counted.eventId, changed.eventId);
    });
  }

  it('reads nothing for events without former group hashes', () => {
    const fail = () => assert.fail('asked');
    assert.equal(underKnownGroupHash(plain, fail), plain);
    assert.equal(underKnownGroupHash({ ...plain, formerGroupHashes: [] }, fail).groupHash, plain.groupHash);
    assert.equal(groupHashesToCheck([plain, { ...plain, formerGroupHashes: [] }]).size, 0);
  });

  it('lists every group hash that matters once, with its project', () => {
    assert.deepEqual(
      [...groupHashesToCheck([plain, changed, changed])],
      [
        ['own', 7],
        ['second', 7],
        ['first', 7],
      ],
    );
  });
});
