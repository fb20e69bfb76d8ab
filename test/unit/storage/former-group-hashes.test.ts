import assert from 'node:assert/strict';
import type { DigestedEvent } from '../../../src/domain/ingest/digest.ts';
import { underKnownGroupHash } from '../../../src/storage/errors/former-group-hashes.ts';
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
  /** Known group hashes with the numbers of their errors; those with a minus are aliases of imported errors. */
  const rows: [known: Record<string, number>, groupHash: string, version: number][] = [
    [{}, 'own', 3],
    [{ own: 1, second: 2, first: 3 }, 'own', 3],
    [{ second: 1, first: 2 }, 'second', 2],
    [{ first: 1 }, 'first', 1],
    [{ elsewhere: 1 }, 'own', 3],
    // An older error keeps what it collects; one begun later takes nothing away.
    [{ first: 1, own: 2 }, 'first', 1],
    [{ first: 1, own: 2, second: 3 }, 'first', 1],
    // Imported history is older than errors of the store.
    [{ own: 2, first: -1 }, 'imported first', 0],
    [{ own: 2, first: -3 }, 'imported first', 0],
    [{ own: -9, first: 1 }, 'imported own', 0],
    [{ own: -9, first: -8 }, 'imported first', 0],
    [{ own: -8, first: -9 }, 'imported own', 0],
  ];
  for (const [known, groupHash, version] of rows) {
    it(`counts under ${groupHash} where ${JSON.stringify(known)} is known`, () => {
      const { event: counted } = underKnownGroupHash(changed, {
        numberOf: (each) => ((known[each] ?? 0) > 0 ? known[each] : undefined),
        aliasOf: (each) =>
          (known[each] ?? 0) < 0
            ? { groupHash: `imported ${each}`, groupingVersion: 0, number: -(known[each] ?? 0) }
            : undefined,
      });
      assert.deepEqual([counted.groupHash, counted.groupingVersion], [groupHash, version]);
      assert.equal(counted.eventId, changed.eventId);
    });
  }

  it('leaves former group hashes only to an event of no known error, for the look-up of dropped ones', () => {
    const counted = (known: readonly string[]) =>
      underKnownGroupHash(changed, { numberOf: (each) => (known.includes(each) ? 1 : undefined) }).event;
    assert.equal(counted([]).formerGroupHashes?.length, 2);
    assert.equal(counted(['first']).formerGroupHashes, undefined);
    assert.equal(counted(['own']).formerGroupHashes, undefined);
  });

  it('reads nothing for events without former group hashes', () => {
    const numberOf = () => assert.fail('asked');
    assert.equal(underKnownGroupHash(plain, { numberOf }).event, plain);
    const { event } = underKnownGroupHash({ ...plain, formerGroupHashes: [] }, { numberOf });
    assert.equal(event.groupHash, plain.groupHash);
  });

  describe('of mapped events', () => {
    const mapped: DigestedEvent = {
      ...plain,
      groupHash: 'own',
      groupingVersion: 2,
      formerGroupHashes: [{ groupHash: 'first', groupingVersion: 1 }],
      sentGroupHashes: [
        { groupHash: 'sent', groupingVersion: 2 },
        { groupHash: 'sent first', groupingVersion: 1 },
      ],
    };
    /** Known group hashes with the numbers of their errors; a text leads to the error of that group hash. */
    const rows: [known: Record<string, number | string>, groupHash: string, leavesAlias: boolean][] = [
      [{}, 'own', false],
      [{ sent: 3 }, 'sent', true],
      [{ sent: 3, 'sent first': 2 }, 'sent first', true],
      // What mapped events began, or were led to, goes before what was sent, also before an older error.
      [{ own: 9, sent: 3 }, 'own', false],
      [{ first: 9, sent: 3 }, 'first', false],
      [{ own: 'elsewhere', elsewhere: 9, sent: 3 }, 'elsewhere', false],
      [{ own: 9, first: 5, sent: 3 }, 'first', false],
      [{ sent: 'elsewhere', elsewhere: 4 }, 'elsewhere', true],
    ];
    for (const [known, groupHash, leavesAlias] of rows) {
      it(`count under ${groupHash} where ${JSON.stringify(known)} is known`, () => {
        const numberOf = (each: string) => (typeof known[each] === 'number' ? known[each] : undefined);
        const { event, alias } = underKnownGroupHash(mapped, {
          numberOf,
          aliasOf: (each) => {
            const target = known[each];
            if (typeof target !== 'string') return undefined;
            return { groupHash: target, groupingVersion: 7, number: numberOf(target) ?? 0 };
          },
        });
        assert.equal(event.groupHash, groupHash);
        assert.equal(event.groupingVersion, groupHash === 'elsewhere' ? 7 : groupHash.endsWith('first') ? 1 : 2);
        assert.deepEqual(alias, leavesAlias ? { groupHash: 'own', groupingVersion: 2 } : null);
        assert.equal(event.sentGroupHashes === undefined, Object.keys(known).length > 0);
      });
    }
  });
});
