import assert from 'node:assert/strict';
import { AppError } from '../../src/domain/app-error.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import { makeIssue, makeSource } from '../support/import-data.ts';
import { COMMIT, inCommit, inRelease, LateWorld, RELEASE } from '../support/late-world.ts';
import { packEvents } from '../support/pack-events.ts';
import { errorOf, EVERYTHING, HOUR, makeEvent, NOON } from '../support/store-data.ts';
import type { StoreHarness } from '../support/store-harness.ts';

const MINUTE = 60_000;
const MIXED = COMMIT.replace('f00dbabe', 'F00dBabe');

/** Releases that come after an error was resolved in one of their commits. */
export function lateReleasesContract(harness: () => StoreHarness): void {
  it('a release that names a commit resolves what waits for it, and counts as given at once', async () => {
    const world = await LateWorld.open(harness().store);
    const { store, project } = world;
    await world.happen('app@1.0.0', NOON, 'given', 'plain');
    const whole = await world.waiting('whole');
    const short = await world.waiting('short', 'f00dbab');
    // As stored by earlier versions.
    const upper = await world.waiting('upper', COMMIT.toUpperCase());
    const mixed = await world.waiting('mixed', MIXED);
    const other = await world.waiting('other', 'f00dbab9');
    const given = (await errorOf(store, project, 'given')).id;
    const both = { ...inCommit(), inRelease: 'app@9.0.0' };
    await world.set(given, 'resolved', both);
    const plain = (await errorOf(store, project, 'plain')).id;
    await world.set(plain, 'resolved');

    // Events of the named release, in the batch that brings it, reopen nothing.
    await world.happen(RELEASE, NOON + 2, 'whole', 'short', 'another');
    assert.deepEqual(await world.stateOf(whole), inRelease());
    assert.deepEqual(await world.stateOf(short), inRelease('f00dbab'));
    assert.deepEqual(await world.stateOf(upper), inRelease(COMMIT.toUpperCase()));
    assert.deepEqual(await world.stateOf(mixed), inRelease(MIXED));
    assert.deepEqual(await world.stateOf(other), inCommit('f00dbab9'));
    assert.deepEqual(await world.stateOf(given), both);
    const [entry] = (await store.listActivity(project.id, whole)) ?? [];
    assert.deepEqual([entry?.kind, entry?.at, entry?.user ?? null], ['resolved', NOON + HOUR, null]);
    assert.deepEqual(entry?.details, { status: inRelease() });
    const resolved = await store.resolvedInRelease(project.id, RELEASE, null, 10);
    assert.deepEqual(resolved.errors.map(({ id }) => id).sort(), [whole, short, upper, mixed].sort());

    // Now as resolved in that release, at the time at which the person did it.
    await world.happen('app@1.0.0', NOON + 2 * MINUTE, 'whole', 'short');
    assert.deepEqual(await world.stateOf(whole), inRelease());
    await world.happen('app@2.1.0', NOON + 3 * MINUTE, 'whole');
    assert.equal(await world.stateOf(whole), 'unresolved');
    assert.deepEqual(await world.stateOf(short), inRelease('f00dbab'));
    assert.deepEqual(world.failures, []);
  });

  it('members of a merged error wait for the release too, together and separated', async () => {
    const world = await LateWorld.open(harness().store);
    const { store, project } = world;
    await world.happen('app@1.0.0', NOON, 'root', 'member', 'second', 'joined');
    const idOf = async (group: string) => (await errorOf(store, project, group)).id;
    const [root, member] = [await idOf('root'), await idOf('member')];
    const [second, joined] = [await idOf('second'), await idOf('joined')];
    await store.mergeErrors(project.id, [root, member]);
    await store.mergeErrors(project.id, [second, joined]);
    for (const id of [root, second]) await world.set(id, 'resolved', inCommit());
    await world.happen(RELEASE, NOON + 2, 'member', 'another');
    await world.happen('app@1.0.0', NOON + MINUTE, 'member', 'root');
    await world.happen('app@2.1.0', NOON + 2 * MINUTE, 'joined');
    await store.rollUpMerged();
    assert.deepEqual(await world.stateOf(root), inRelease());
    assert.equal(await world.stateOf(second), 'unresolved');
    await store.unmergeErrors(project.id, root, null);
    assert.deepEqual(await world.stateOf(member), inRelease());
  });

  it('a merged error with a commit of its own has the release when it is separated', async () => {
    for (const rootWaits of ['another commit', 'the same commit', 'nothing'] as const) {
      const world = await LateWorld.open(harness().store);
      const { store, project } = world;
      const root = await world.waiting('root', rootWaits === 'the same commit' ? 'f00dbab' : 'cafe123');
      if (rootWaits === 'nothing') await world.set(root, 'unresolved');
      const member = await world.waiting('member');
      await store.mergeErrors(project.id, [root, member]);
      await world.happen(RELEASE, NOON + 2, 'another');
      const waited = { 'another commit': inCommit('cafe123'), 'the same commit': inRelease('f00dbab') };
      const expected = rootWaits === 'nothing' ? 'unresolved' : waited[rootWaits];
      assert.deepEqual(await world.stateOf(root), expected, rootWaits);
      await store.rollUpMerged();
      await store.unmergeErrors(project.id, root, null);
      assert.deepEqual([await world.stateOf(member), await world.stateOf(root)], [inRelease(), expected], rootWaits);
      // As resolved in that release, at the time at which the person did it.
      await world.happen('app@1.0.0', NOON + MINUTE, 'member');
      assert.deepEqual(await world.stateOf(member), inRelease(), rootWaits);
      await world.happen('app@2.1.0', NOON + 2 * MINUTE, 'member');
      assert.equal(await world.stateOf(member), 'unresolved', rootWaits);
    }
  });

  it('a merged error that is separated while its release comes has the release', async () => {
    const { store } = harness();
    const unmerged = (world: LateWorld, root: string) => store.unmergeErrors(world.project.id, root, null);
    const moments = {
      'after the look-up': (world, root) => ({
        resolvedInCommit: async (...asked) => {
          const found = await store.resolvedInCommit(...asked);
          await unmerged(world, root);
          return found;
        },
      }),
      'at the same time': (world, root) => ({
        resolveInRelease: async (...given) => {
          const [changed] = await Promise.all([store.resolveInRelease(...given), unmerged(world, root)]);
          return changed;
        },
      }),
      'before a batch that is killed': (world, root) => ({
        applyBatch: async () => {
          await unmerged(world, root);
          throw new Error('killed');
        },
      }),
      'after a batch that is killed': (world, root) => ({
        applyBatch: async (...given) => {
          await store.applyBatch(...given);
          await unmerged(world, root);
          throw new Error('killed');
        },
      }),
    } satisfies Record<string, (world: LateWorld, root: string) => Partial<Store>>;
    for (const [moment, over] of Object.entries(moments)) {
      for (const commit of [COMMIT, 'cafe123']) {
        const world = await LateWorld.open(store);
        const root = await world.waiting('root', commit);
        const member = await world.waiting('member');
        await store.mergeErrors(world.project.id, [root, member]);
        world.restart(over(world, root));
        const given = [RELEASE, NOON + 2, 'another'] as const;
        await world.happen(...given).catch((error: unknown) => assert.match(String(error), /killed/));
        world.restart();
        await world.again(...given);
        const expected = commit === COMMIT ? inRelease() : inCommit(commit);
        assert.deepEqual([await world.stateOf(member), await world.stateOf(root)], [inRelease(), expected], moment);
      }
    }
  });

  it('the change is none of a person, so that what the tracker changed before is taken over', async () => {
    const world = await LateWorld.open(harness().store);
    const { store, project } = world;
    const source = await makeSource(store, project);
    const details = JSON.stringify({ inCommit: COMMIT });
    const issue = (status: 'resolved' | 'ignored', changedAt: number) =>
      makeIssue(source, '1', { status: { status, changedAt, details: status === 'resolved' ? details : null } });
    const put = await store.putImportedError(project.id, issue('resolved', NOON - HOUR), NOON);
    const id = put?.errorId ?? assert.fail();
    await world.happen(RELEASE, NOON + 2, 'another');
    assert.deepEqual(await world.stateOf(id), { inRelease: RELEASE, inCommit: { commit: COMMIT, repository: null } });
    await store.putImportedError(project.id, issue('ignored', NOON + MINUTE), NOON + 2 * HOUR);
    assert.equal(await world.stateOf(id), 'ignored');
  });

  it('errors that are not as they were read are left as they are', async () => {
    const world = await LateWorld.open(harness().store);
    const { store, project } = world;
    const id = await world.waiting('whole');
    const { inCommit: waited } = inCommit();
    assert.ok(waited !== undefined);
    const add = (commit: string) =>
      store.resolveInRelease(
        project.id,
        [
          { errorId: id, inCommit: { ...waited, commit } },
          { errorId: '4000000000', inCommit: waited },
        ],
        RELEASE,
        NOON + HOUR,
      );
    assert.equal(await add('f00dbab'), 0);
    assert.deepEqual(await world.activity(id), ['resolved']);
    // A person is faster than the write of the digest.
    world.restart({
      resolvedInCommit: async (...asked) => {
        const found = await store.resolvedInCommit(...asked);
        await world.set(id, 'ignored');
        return found;
      },
    });
    await world.happen(RELEASE, NOON + 2, 'another');
    assert.equal(await world.stateOf(id), 'ignored');
    assert.deepEqual(await world.activity(id), ['ignored', 'resolved']);
    await world.set(id, 'resolved', inCommit());
    // Of two digests at once one changes it.
    assert.deepEqual((await Promise.all([add(COMMIT), add(COMMIT)])).sort(), [0, 1]);
    assert.equal(await add(COMMIT), 0);
    assert.deepEqual(await world.stateOf(id), inRelease());
    assert.deepEqual(await world.activity(id), ['resolved', 'resolved', 'ignored', 'resolved']);
  });

  it('a process that dies behind the batch has looked, and a replay changes nothing', async () => {
    const world = await LateWorld.open(harness().store);
    const { store } = world;
    const id = await world.waiting('whole');
    world.restart({
      applyBatch: async (...given) => {
        await store.applyBatch(...given);
        throw new Error('killed');
      },
    });
    await assert.rejects(world.happen(RELEASE, NOON + 2, 'whole'), /killed/);
    assert.deepEqual(await world.stateOf(id), inRelease());
    world.restart();
    assert.equal((await world.again(RELEASE, NOON + 2, 'whole')).kind, 'already_applied');
    assert.deepEqual(await world.stateOf(id), inRelease());
    assert.deepEqual(await world.activity(id), ['resolved', 'resolved']);
  });

  it('a process that dies before the batch repeats the look-up with it', async () => {
    const world = await LateWorld.open(harness().store);
    const id = await world.waiting('whole');
    world.restart({ resolveInRelease: () => Promise.reject(new AppError('store_unavailable', 'away')) });
    await assert.rejects(world.happen(RELEASE, NOON + 2, 'whole'), /away/);
    assert.deepEqual(await world.stateOf(id), inCommit());
    world.restart();
    assert.equal((await world.again(RELEASE, NOON + 2, 'whole')).kind, 'applied');
    assert.deepEqual(await world.stateOf(id), inRelease());
  });

  it('a session may be the first sign of the release', async () => {
    const world = await LateWorld.open(harness().store);
    const id = await world.waiting('whole');
    await world.session(RELEASE, NOON + 2);
    assert.deepEqual(await world.stateOf(id), inRelease());
  });

  it('a release of a batch that another journal has is looked up again', async () => {
    const world = await LateWorld.open(harness().store);
    const { store, project, journal } = world;
    await world.happen('app@1.0.0', NOON, 'whole');
    const { id } = await errorOf(store, project, 'whole');
    const digest = world.digestOf({});
    const apply = (n: number, content: string) => {
      const events = [makeEvent(project, content, { group: 'another', release: RELEASE })];
      return digest.applyBatch(journal.batchId(n, content), { ...packEvents(events), outcomes: [] });
    };
    assert.equal((await apply(1, 'a copy')).kind, 'foreign');
    await world.set(id, 'resolved', inCommit());
    assert.equal((await apply(2, 'its own')).kind, 'applied');
    assert.deepEqual(await world.stateOf(id), inRelease());
  });

  it('more errors than one step takes are all resolved', async () => {
    const world = await LateWorld.open(harness().store);
    const { store, project } = world;
    const groups = Array.from({ length: 201 }, (_, n) => `group ${n}`);
    await world.happen('app@1.0.0', NOON, ...groups);
    const ids = (await store.matchingErrors(project.id, EVERYTHING, 0, 1000, NOON)).map(({ errorId }) => errorId);
    assert.equal(ids.length, groups.length);
    for (const step of [ids.slice(0, 100), ids.slice(100, 200), ids.slice(200)]) {
      await store.setErrorStatuses(project.id, step, 'resolved', NOON + 1, { details: inCommit() });
    }
    await world.happen(RELEASE, NOON + 2, 'another');
    assert.deepEqual(await store.resolvedInCommit(project.id, 'f00dbab', 1), []);
    assert.equal((await store.resolvedInRelease(project.id, RELEASE, null, 300)).errors.length, groups.length);
  });

  it('a failed look-up for a release is repeated, and holds up no batch', async () => {
    const world = await LateWorld.open(harness().store);
    const { store } = world;
    const id = await world.waiting('whole');
    let broken = true;
    world.restart({
      resolvedInCommit: (...asked) => (broken ? Promise.reject(new Error('wrong')) : store.resolvedInCommit(...asked)),
    });
    assert.equal((await world.happen(RELEASE, NOON + 2, 'another')).kind, 'applied');
    assert.deepEqual([await world.stateOf(id), world.failures.length], [inCommit(), 1]);
    broken = false;
    await world.happen(RELEASE, NOON + 2, 'another');
    assert.deepEqual(await world.stateOf(id), inRelease());
  });

  it('a release that comes while a person resolves by the commit is found, also by bulk actions and undo', async () => {
    const { store } = harness();
    for (const act of ['one', 'many', 'undo'] as const) {
      for (const comes of ['after the person read', 'before the person read'] as const) {
        const world = await LateWorld.open(store);
        const { project } = world;
        await world.happen('app@1.0.0', NOON, 'whole');
        const { id } = await errorOf(store, project, 'whole');
        const change = { details: inCommit() };
        const undone = { ...change, from: { status: 'unresolved' as const, details: null } };
        const write = (person: ReturnType<LateWorld['person']>) =>
          act === 'one'
            ? person.setStatus(project, id, 'resolved', change)
            : person.setStatuses(project, [id], 'resolved', act === 'undo' ? undone : change);
        if (comes === 'after the person read') {
          // The whole batch is applied just before the person's write.
          const late = () => world.happen(RELEASE, NOON + 2, 'another');
          await write(
            world.person({
              setErrorStatus: async (...given) => late().then(() => store.setErrorStatus(...given)),
              setErrorStatuses: async (...given) => late().then(() => store.setErrorStatuses(...given)),
            }),
          );
        } else {
          // The person is done between the digest's look-up and its batch.
          world.restart({
            applyBatch: async (...given) => {
              await write(world.person());
              return store.applyBatch(...given);
            },
          });
          await world.happen(RELEASE, NOON + 2, 'another');
        }
        assert.deepEqual(await world.stateOf(id), inRelease(), `${act}, the release comes ${comes}`);
      }
    }
  });
}
