import assert from 'node:assert/strict';
import type { StatusDetails } from '../../src/domain/error-state.ts';
import { withLateReleases } from '../../src/integrated/triage/late-releases.ts';
import { packEvents } from '../support/pack-events.ts';
import { errorOf, HOUR, makeEvent, makeProject, NOON, TestJournal } from '../support/store-data.ts';
import type { StoreHarness } from '../support/store-harness.ts';

const COMMIT = 'f00dbabe0123456789abcdef0123456789abcdef';

/** Releases that come after an error was resolved in one of their commits. */
export function lateReleasesContract(harness: () => StoreHarness): void {
  it('a release that names a commit resolves what waits for it, and counts as given at once', async () => {
    const { store } = harness();
    const project = await makeProject(store);
    const journal = new TestJournal(store, 'late');
    const failed: unknown[] = [];
    const clock = { now: () => NOON + HOUR };
    const late = withLateReleases(store, clock, { warn: (...message: unknown[]) => failed.push(message) });
    let serial = 0;
    const happen = async (release: string, at: number, ...groups: string[]) => {
      serial += 1;
      const events = groups.map((group) => makeEvent(project, `${group} ${serial}`, { group, release, at }));
      await late.applyBatch(journal.batchId(serial), { ...packEvents(events), outcomes: [] });
    };
    const idOf = async (group: string) => (await errorOf(store, project, group)).id;
    await happen('app@1.0.0', NOON, 'whole', 'short', 'upper', 'other', 'given', 'plain', 'root', 'member');
    const ids = { whole: await idOf('whole'), short: await idOf('short'), upper: await idOf('upper') };
    const others = { other: await idOf('other'), given: await idOf('given'), plain: await idOf('plain') };
    const merged = await idOf('root');
    await store.mergeErrors(project.id, [merged, await idOf('member')]);
    const detailsOf = async (id: string) => {
      const { status, statusDetails } = (await store.errorById(project.id, id, NOON)) ?? assert.fail();
      return status === 'resolved' ? statusDetails : status;
    };
    const inCommit = (commit: string): StatusDetails => ({ inCommit: { commit, repository: 'shop' } });
    const resolve = (id: string, details: StatusDetails) =>
      store.setErrorStatus(project.id, id, 'resolved', NOON + 1, { details });
    await resolve(ids.whole, inCommit(COMMIT));
    await resolve(ids.short, inCommit('f00dbab'));
    await resolve(ids.upper, inCommit(COMMIT.toUpperCase()));
    await resolve(merged, inCommit(COMMIT));
    await resolve(others.other, inCommit('f00dbab9'));
    await resolve(others.given, { ...inCommit(COMMIT), inRelease: 'app@9.0.0' });
    await resolve(others.plain, {});

    const release = 'app@2.0.0+f00dbabe';
    await happen(release, NOON + 2, 'another');
    for (const [id, commit] of [
      [ids.whole, COMMIT],
      [ids.short, 'f00dbab'],
      [ids.upper, COMMIT.toUpperCase()],
      [merged, COMMIT],
    ] as const) {
      assert.deepEqual(await detailsOf(id), { inRelease: release, ...inCommit(commit) });
    }
    assert.deepEqual(await detailsOf(others.other), inCommit('f00dbab9'));
    assert.deepEqual(await detailsOf(others.given), { ...inCommit(COMMIT), inRelease: 'app@9.0.0' });
    const [entry] = (await store.listActivity(project.id, ids.whole)) ?? [];
    assert.deepEqual([entry?.kind, entry?.user ?? null], ['resolved', null]);

    // Now as resolved in that release: an older one changes nothing, a newer one reopens.
    await happen('app@1.0.0', NOON + 2 * HOUR, 'whole', 'short');
    assert.deepEqual(await detailsOf(ids.whole), { inRelease: release, ...inCommit(COMMIT) });
    await happen('app@2.1.0', NOON + 3 * HOUR, 'whole');
    assert.equal(await detailsOf(ids.whole), 'unresolved');
    assert.deepEqual(failed, []);
  });

  it('a failed look-up for a release is repeated, and holds up no batch', async () => {
    const { store } = harness();
    const project = await makeProject(store);
    const journal = new TestJournal(store, 'late');
    const failed: unknown[] = [];
    let broken = true;
    const frail = {
      ...{ lastBatch: store.lastBatch.bind(store), completeBatch: store.completeBatch.bind(store) },
      ...{ applyBatch: store.applyBatch.bind(store), setErrorStatuses: store.setErrorStatuses.bind(store) },
      resolvedInCommit: (...asked: Parameters<typeof store.resolvedInCommit>) =>
        broken ? Promise.reject(new Error('away')) : store.resolvedInCommit(...asked),
    };
    const logger = { warn: (...message: unknown[]) => failed.push(message) };
    const late = withLateReleases(frail, { now: () => NOON + HOUR }, logger);
    const happen = (n: number, release: string, group: string) =>
      late.applyBatch(journal.batchId(n), {
        ...packEvents([makeEvent(project, `${group} ${n}`, { group, release, at: NOON })]),
        outcomes: [],
      });
    await happen(1, 'app@1.0.0', 'whole');
    const { id } = await errorOf(store, project, 'whole');
    const inCommit = { commit: COMMIT, repository: null };
    await store.setErrorStatus(project.id, id, 'resolved', NOON + 1, { details: { inCommit } });
    const status = async () => (await errorOf(store, project, 'whole')).statusDetails;
    assert.equal((await happen(2, 'app@2.0.0+f00dbabe', 'another')).kind, 'applied');
    assert.deepEqual([await status(), failed.length], [{ inCommit }, 1]);
    broken = false;
    await happen(3, 'app@2.0.0+f00dbabe', 'another');
    assert.deepEqual(await status(), { inRelease: 'app@2.0.0+f00dbabe', inCommit });
  });
}
