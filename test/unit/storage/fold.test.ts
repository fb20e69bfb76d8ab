import assert from 'node:assert/strict';
import type { DigestedEvent } from '../../../src/domain/ingest/digest.ts';
import type { Project } from '../../../src/domain/projects/project.ts';
import { foldBatch, hourOf, isBefore, OutcomeSums } from '../../../src/storage/fold.ts';
import { HOUR, makeEvent, NOON } from '../../support/store-data.ts';

const project = { id: 3 } as Project;

describe('foldBatch', () => {
  it('adds up one delta per group hash', () => {
    const events: DigestedEvent[] = [
      makeEvent(project, 'a', { at: NOON, receivedAt: NOON + 9, release: 'r2', tags: [['os', 'Linux']] }),
      makeEvent(project, 'b', { at: NOON - HOUR, receivedAt: NOON + 1, release: 'r1', title: 'older' }),
      makeEvent(project, 'c', {
        at: NOON,
        eventId: 'f'.repeat(32),
        title: 'newest',
        tags: [
          ['os', 'Linux'],
          ['os2', 'x'],
        ],
      }),
      makeEvent(project, 'd', { group: 'other' }),
    ];
    const groupHash = events[0]?.groupHash ?? '';
    const deltas = foldBatch(events, new Map([[groupHash, 2]]));
    assert.equal(deltas.size, 2);
    const delta = deltas.get(groupHash);
    assert.ok(delta !== undefined);
    assert.deepEqual([delta.projectId, delta.count, delta.newUsers, delta.groupingVersion], [3, 3, 2, 1]);
    assert.deepEqual(delta.first, { at: NOON - HOUR, eventId: events[1]?.eventId, release: 'r1' });
    assert.deepEqual([delta.last.eventId, delta.last.title], ['f'.repeat(32), 'newest']);
    assert.equal('payload' in delta.last, false);
    assert.equal(delta.newestReceived, NOON + 9);
    assert.deepEqual(
      [...delta.hours],
      [
        [hourOf(NOON), 2],
        [hourOf(NOON) - 1, 1],
      ],
    );
    assert.deepEqual(
      [...delta.tags].map(([key, values]) => [key, [...values]]),
      [
        ['os', [['Linux', 2]]],
        ['os2', [['x', 1]]],
      ],
    );
    assert.equal(deltas.get(events[3]?.groupHash ?? '')?.newUsers, 0);
  });

  it('orders occurrences by time, then by event id', () => {
    assert.equal(isBefore({ at: 1, eventId: 'b' }, { at: 2, eventId: 'a' }), true);
    assert.equal(isBefore({ at: 1, eventId: 'a' }, { at: 1, eventId: 'b' }), true);
    assert.equal(isBefore({ at: 1, eventId: 'b' }, { at: 1, eventId: 'a' }), false);
    assert.equal(isBefore({ at: 1, eventId: 'a' }, { at: 1, eventId: 'a' }), false);
  });
});

describe('OutcomeSums', () => {
  it('adds up what agrees in everything but the minute', () => {
    const sums = new OutcomeSums();
    const base = { projectId: 1, keyId: 2, category: 'error', outcome: 'accepted', reason: '', quantity: 2 } as const;
    sums.add({ ...base, at: HOUR + 1 });
    sums.add({ ...base, at: 2 * HOUR - 1 });
    sums.add({ ...base, at: 2 * HOUR });
    sums.add({ ...base, at: HOUR, keyId: 3 });
    assert.deepEqual(
      [...sums.values()],
      [
        { ...base, at: HOUR, quantity: 4 },
        { ...base, at: 2 * HOUR },
        { ...base, at: HOUR, keyId: 3 },
      ],
    );
  });
});
