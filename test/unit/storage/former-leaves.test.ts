import assert from 'node:assert/strict';
import type { DigestedEvent } from '../../../src/domain/digest.ts';
import { leavesInQuestion, underKnownLeaf } from '../../../src/storage/former-leaves.ts';
import { makeEvent } from '../../support/store-data.ts';

const project = { id: 7 } as Parameters<typeof makeEvent>[0];
const plain = makeEvent(project, 'a');
const changed: DigestedEvent = {
  ...plain,
  leaf: 'own',
  groupingVersion: 3,
  formerLeaves: [
    { leaf: 'second', groupingVersion: 2 },
    { leaf: 'first', groupingVersion: 1 },
  ],
};

describe('former leaves', () => {
  const rows: [known: string[], leaf: string, version: number][] = [
    [[], 'own', 3],
    [['own', 'second', 'first'], 'own', 3],
    [['second', 'first'], 'second', 2],
    [['first'], 'first', 1],
    [['elsewhere'], 'own', 3],
  ];
  for (const [known, leaf, version] of rows) {
    it(`counts under ${leaf} where ${known.join(', ') || 'nothing'} is known`, () => {
      const counted = underKnownLeaf(changed, (each) => known.includes(each));
      assert.deepEqual([counted.leaf, counted.groupingVersion], [leaf, version]);
      assert.equal(counted.eventId, changed.eventId);
    });
  }

  it('asks nothing for events without former leaves', () => {
    const fail = () => assert.fail('asked');
    assert.equal(underKnownLeaf(plain, fail), plain);
    assert.equal(underKnownLeaf({ ...plain, formerLeaves: [] }, fail).leaf, plain.leaf);
    assert.equal(leavesInQuestion([plain, { ...plain, formerLeaves: [] }]).size, 0);
  });

  it('lists every leaf that matters once, with its project', () => {
    assert.deepEqual(
      [...leavesInQuestion([plain, changed, changed])],
      [
        ['own', 7],
        ['second', 7],
        ['first', 7],
      ],
    );
  });
});
