import assert from 'node:assert/strict';
import type { Project } from '../../../../../src/domain/projects/project.ts';
import { MongoBatches } from '../../../../../src/storage/mongo/batch/mongo-batches.ts';
import type { ErrorDocument } from '../../../../../src/storage/mongo/documents/error-documents.ts';
import { MongoMerges } from '../../../../../src/storage/mongo/merging/mongo-merges.ts';
import { SimDatabase } from '../../../../support/mongo-sim.ts';
import { SimulatedDisk } from '../../../../support/simulated-disk.ts';
import { hexId, makeEvent, NOON } from '../../../../support/store-data.ts';

describe('what is shown of merged errors, on MongoDB', () => {
  it('has the people of the members that a merge left when it was cut short, even if they are as many', async () => {
    const db = new SimDatabase();
    db.of('projects').set('1', { _id: 1 });
    const options = {
      drawResult: () => 'ok' as const,
      turn: async () => undefined,
      random: () => 0.5,
      poison: new Set<string>(),
    };
    const collections = db.connect(options, () => undefined);
    const store = new MongoBatches({
      collections,
      planFiles: new SimulatedDisk(),
      planDir: '/plans',
      owner: 'own',
      now: () => NOON,
    });
    const project = { id: 1 } as Project;
    const events = [
      makeEvent(project, 'first', { group: 'one', user: 'ada' }),
      makeEvent(project, 'second', { group: 'two', user: 'ada' }),
      makeEvent(project, 'third', { group: 'three', user: 'bob' }),
    ];
    await store.applyBatch({ journalId: hexId('journal'), n: 1, hash: hexId('batch') }, { events, outcomes: [] });
    const errors = () => [...db.of('errors').entries()] as unknown as [string, ErrorDocument][];
    const named = (message: string) => errors().find(([, { last }]) => last.title.endsWith(message))!;
    const [, one] = named('one');
    const shown = () => named('one')[1].g;
    const merges = new MongoMerges(collections, () => NOON);
    const all = errors().map(([, { id }]) => id);
    // The least number stands for the others.
    assert.equal(one.id, Math.min(...all));
    await merges.merge(1, [String(one.id), String(named('two')[1].id)]);
    assert.deepEqual([shown()?.u, shown()?.mu], [1, 2]);

    const [two, three] = [named('two'), named('three')];
    db.of('errors').set(two[0], { ...two[1], into: null });
    db.of('errors').set(three[0], { ...three[1], into: one.id });
    await merges.rollUpAll();
    assert.deepEqual([shown()?.u, shown()?.mu], [2, 2]);
  });
});
