import assert from 'node:assert/strict';
import type { AlertFact } from '../../src/domain/alerts/alert-fact.ts';
import { factSetUp } from '../support/fact-set-up.ts';
import { HOUR, NOON } from '../support/store-data.ts';
import type { StoreHarness } from '../support/store-harness.ts';

/** Facts of merged errors: those of the root only. */
export function mergedFactsContract(harness: () => StoreHarness): void {
  describe('facts of merged errors', () => {
    async function merged() {
      const made = await factSetUp(harness().store);
      await made.happen('a', NOON - HOUR);
      await made.happen('b', NOON - HOUR);
      const [a, b] = [await made.idOf('a'), await made.idOf('b')];
      const { store, project } = made;
      await store.mergeErrors(project.id, [a, b]);
      await store.rollUpMerged();
      return { ...made, a, b };
    }

    it('are those of the root, from the events of all members', async () => {
      const { store, project, happen, set, a, facts, ids } = await merged();
      await set(a, 'resolved');
      await happen('b', NOON + 5, { release: '2.0' });
      await store.rollUpMerged();
      assert.deepEqual(await ids(), ['new:a', 'new:b', `regressed:a:${NOON}`]);
      await store.rollUpMerged();
      const fact = (await facts()).at(-1);
      assert.deepEqual([fact?.errorId, fact?.at, fact?.release], [a, NOON + 5, '2.0']);
      assert.equal(fact?.message, 'bad value in b');
      assert.deepEqual((await store.factsOfError(project.id, a)).length, 3);
    });

    it('end an ignored root once, by the sum of the members or by time', async () => {
      const { store, happen, set, a, ids } = await merged();
      await set(a, 'ignored', { details: { ignoreCount: 2 } });
      await happen('a', NOON + 1);
      await happen('b', NOON + 2);
      await store.rollUpMerged();
      assert.deepEqual((await ids()).slice(2), [`unmuted:a:${NOON + 2}`]);
      await set(a, 'ignored', { details: { ignoreUntil: NOON + HOUR } });
      await store.endMutes(NOON + HOUR);
      await store.rollUpMerged();
      assert.deepEqual((await ids()).slice(2), [`unmuted:a:${NOON + 2}`, `unmuted:a:${NOON + HOUR}`]);
    });

    it('count distinct users of all members; merging and separating repeats nothing', async () => {
      const { store, project, affect, a, b, ids } = await merged();
      await affect('a', 0, 60);
      await affect('b', 30, 80);
      await store.rollUpMerged();
      assert.deepEqual((await ids()).slice(2), []);
      await affect('b', 80, 101);
      await store.rollUpMerged();
      assert.deepEqual((await ids()).slice(2), ['users:a:100']);
      for (let turn = 0; turn < 2; turn += 1) {
        await store.unmergeErrors(project.id, a, null);
        await store.rollUpMerged();
        await store.mergeErrors(project.id, [a, b]);
        await store.rollUpMerged();
      }
      assert.deepEqual((await ids()).slice(2), ['users:a:100']);
    });

    it('do not repeat the step that a member had reached alone', async () => {
      const { store, project, affect, happen, idOf, a, ids } = await merged();
      await happen('c', NOON - HOUR);
      await affect('c', 0, 100);
      await store.mergeErrors(project.id, [a, await idOf('c')]);
      await store.rollUpMerged();
      await affect('a', 100, 120);
      await store.rollUpMerged();
      assert.deepEqual((await ids()).slice(2), ['new:c', 'users:c:100']);
    });

    it('are raised silently in members', async () => {
      const { store, project, affect, a, ids } = await merged();
      await affect('b', 0, 100);
      await store.rollUpMerged();
      assert.deepEqual((await ids()).slice(2), ['users:a:100']);
      await store.unmergeErrors(project.id, a, null);
      await store.rollUpMerged();
      await affect('b', 100, 120);
      assert.deepEqual((await ids()).slice(2), ['users:a:100']);
    });
  });
}

/** The log that facts are read from. */
export function factLogContract(harness: () => StoreHarness): void {
  describe('the log of facts', () => {
    it('is read in order, from any place', async () => {
      const { store, happen, facts } = await factSetUp(harness().store);
      await facts();
      const before = await store.lastFact();
      for (const group of ['a', 'b', 'c']) await happen(group, NOON);
      const all = await facts();
      const places = all.map(({ seq }) => seq);
      assert.deepEqual(
        places,
        [...places].sort((one, other) => one - other),
      );
      assert.ok((places[0] ?? 0) > before);
      assert.equal(await store.lastFact(), places.at(-1));
      assert.deepEqual(await store.listFacts(before, 2), all.slice(0, 2));
      assert.deepEqual(await store.listFacts(places[1] ?? 0, 1000), all.slice(2));
    });

    it('takes facts of jobs, each id once, of projects that exist', async () => {
      const { store, project, happen, facts } = await factSetUp(harness().store);
      await happen('a', NOON);
      const [known] = await facts();
      assert.ok(known !== undefined);
      const { seq: _seq, silence: _silence, ...again } = known;
      const spike = {
        ...again,
        id: 'spike:x',
        kind: 'escalated',
        cause: { spike: { events: 500, mean: 2.5 } },
      } as const;
      const external = { ...again, id: 'new:issue', errorId: 'ABC-17', level: null, environment: null };
      const gone = { ...again, id: 'new:gone', projectId: 999_999 };
      assert.equal(await store.addFacts([again, spike, external, gone, spike]), 2);
      assert.equal(await store.addFacts([spike, external]), 0);
      const added = (await facts()).slice(1);
      assert.deepEqual(
        added.map(withoutPlace),
        [spike, external].map((fact) => ({ ...fact, silence: null })),
      );
      assert.deepEqual(await store.factsOfError(project.id, 'ABC-17'), added.slice(1));
    });

    it('says why a fact was reported to no destination', async () => {
      const { store, happen, facts } = await factSetUp(harness().store);
      await happen('a', NOON);
      await happen('b', NOON);
      const [a, b] = await facts();
      await store.silenceFacts([{ seq: b?.seq ?? 0, reason: 'No rule reports it.' }]);
      assert.deepEqual((await facts()).map(({ silence }) => silence), [null, 'No rule reports it.']); // prettier-ignore
      assert.equal(a?.silence, null);
    });

    it('has no facts of a removed project', async () => {
      const { store, project, happen, facts } = await factSetUp(harness().store);
      await happen('a', NOON);
      assert.equal((await facts()).length, 1);
      await store.deleteProject(project.id);
      assert.deepEqual(await facts(), []);
    });
  });
}

function withoutPlace({ seq: _, ...fact }: AlertFact): Omit<AlertFact, 'seq'> {
  return fact;
}
