import assert from 'node:assert/strict';
import type { DigestedEvent } from '../../../src/domain/ingest/digest.ts';
import { dropOf } from '../../../src/storage/errors/dropped-event.ts';
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
        continuedBy: () => undefined,
      });
      assert.deepEqual([counted.groupHash, counted.groupingVersion], [groupHash, version]);
      assert.equal(counted.eventId, changed.eventId);
    });
  }

  it('leaves former group hashes only to an event of no known error, for the look-up of dropped ones', () => {
    const counted = (known: readonly string[]) =>
      underKnownGroupHash(changed, {
        numberOf: (each) => (known.includes(each) ? 1 : undefined),
        continuedBy: () => undefined,
      }).event;
    assert.equal(counted([]).formerGroupHashes?.length, 2);
    assert.equal(counted(['first']).formerGroupHashes, undefined);
    assert.equal(counted(['own']).formerGroupHashes, undefined);
  });

  it('reads nothing for events without former group hashes', () => {
    const asked = () => assert.fail('asked');
    const lookup = { numberOf: asked, continuedBy: asked };
    assert.equal(underKnownGroupHash(plain, lookup).event, plain);
    const { event } = underKnownGroupHash({ ...plain, formerGroupHashes: [] }, lookup);
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
    /**
     * Known group hashes with the numbers of their errors; a text leads to the error of that group hash. `continues`:
     * the group hash as sent with which the event goes on; null: with none.
     */
    const rows: [known: Record<string, number | string>, groupHash: string, continues: string | null][] = [
      [{}, 'own', null],
      [{ sent: 3 }, 'sent', 'sent'],
      [{ sent: 3, 'sent first': 2 }, 'sent first', 'sent first'],
      // What mapped events began, or were led to, goes before what was sent, also before an older error.
      [{ own: 9, sent: 3 }, 'own', null],
      [{ first: 9, sent: 3 }, 'first', null],
      [{ own: 'elsewhere', elsewhere: 9, sent: 3 }, 'elsewhere', null],
      [{ own: 9, first: 5, sent: 3 }, 'first', null],
      [{ sent: 'elsewhere', elsewhere: 4 }, 'elsewhere', 'sent'],
    ];
    for (const [known, groupHash, continues] of rows) {
      it(`count under ${groupHash} where ${JSON.stringify(known)} is known`, () => {
        const numberOf = (each: string) => (typeof known[each] === 'number' ? known[each] : undefined);
        const { event, alias } = underKnownGroupHash(mapped, {
          numberOf,
          aliasOf: (each) => {
            const target = known[each];
            if (typeof target !== 'string') return undefined;
            return { groupHash: target, groupingVersion: 7, number: numberOf(target) ?? 0 };
          },
          continuedBy: () => undefined,
        });
        assert.equal(event.groupHash, groupHash);
        assert.equal(event.groupingVersion, groupHash === 'elsewhere' ? 7 : groupHash.endsWith('first') ? 1 : 2);
        assert.deepEqual(alias, continues === null ? null : { groupHash: 'own', groupingVersion: 2, continues });
        assert.equal(event.sentGroupHashes === undefined, Object.keys(known).length > 0);
      });
    }

    it('go on with what was sent only where no other mapped events do', () => {
      const counted = (continued: Record<string, string>, known: Record<string, number>) => {
        const lookup = { numberOf: (each: string) => known[each], continuedBy: (sent: string) => continued[sent] };
        const { event, alias } = underKnownGroupHash(mapped, lookup);
        return [event.groupHash, alias?.continues];
      };
      assert.deepEqual(counted({ sent: 'own' }, { sent: 3 }), ['sent', 'sent']);
      assert.deepEqual(counted({ sent: 'another' }, { sent: 3 }), ['own', undefined]);
      assert.deepEqual(counted({ sent: 'another' }, { sent: 2, 'sent first': 3 }), ['sent first', 'sent first']);
      assert.deepEqual(counted({ 'sent first': 'another' }, { sent: 3, 'sent first': 2 }), ['sent', 'sent']);
      // With an error of its own it needs no other one.
      assert.deepEqual(counted({}, { own: 9, sent: 3 }), ['own', undefined]);
    });

    it('are dropped with what was sent only where no other mapped events go on with it', () => {
      const drop = (dropped: readonly string[], continuedBy: string | undefined) =>
        dropOf(mapped, { isDropped: (each) => dropped.includes(each), continuedBy: () => continuedBy });
      assert.deepEqual(drop(['sent'], undefined), { continues: 'sent' });
      assert.deepEqual(drop(['sent'], 'own'), { continues: 'sent' });
      assert.equal(drop(['sent', 'sent first'], 'another'), null);
      assert.deepEqual(drop(['own', 'sent'], 'another'), { continues: null });
      assert.deepEqual(drop(['first', 'sent'], undefined), { continues: null });
      assert.equal(drop([], undefined), null);
    });
  });
});
