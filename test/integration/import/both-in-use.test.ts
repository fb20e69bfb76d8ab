import assert from 'node:assert/strict';
import { type ForwardPause, forwardPauseKey } from '../../../src/domain/ingest/forward.ts';
import type { Store } from '../../../src/domain/ports/stores/store.ts';
import { compareCounts } from '../../../src/import/compare.ts';
import { counted } from '../../../src/lib/counted.ts';
import type { FakeSource } from '../../support/fake-source/fake-source.ts';
import type { SourceProject } from '../../support/fake-source/source-records.ts';
import { bodyOf, eventIdFor, useImportShop } from '../../support/import-shop.ts';
import { importInto, liveEvent, pictureOf, withReader } from '../../support/import-world.ts';
import { listAll, makeForward } from '../../support/store-data.ts';
import { describeOnStores } from '../../support/test-stores.ts';

const LETTERS = 'a b c d e f g h i j'.split(' ');

describeOnStores('imports while both trackers are in use', (kind) => {
  let source: FakeSource;
  let store: Store;
  let shop: SourceProject;

  const { projectAt } = useImportShop(kind, (made) => {
    ({ source, shop, store } = made);
  });

  it('gives no error the number of an issue, whatever the order and whenever the issue begins', async () => {
    // The oldest issue has the greatest id: its first event came late.
    for (const [index, name] of LETTERS.entries()) {
      source.world.addIssue(shop, { id: String(500 + index), bodies: [{ body: bodyOf(name) }] });
    }
    await importInto(store, source, { options: { only: ['keys', 'projects'] } });
    const project = await projectAt('acme/shop');
    await liveEvent(store, project, bodyOf('early'), eventIdFor('early'));
    await importInto(store, source);
    // Begins while both are in use.
    source.world.addIssue(shop, { id: '1700', bodies: [{ body: bodyOf('later') }] });
    for (let n = 0; n < 3; n += 1) await liveEvent(store, project, bodyOf(`new ${n}`), eventIdFor(`new ${n}`));
    const former = new Set([...shop.issues.keys()]);
    const numbers = (await listAll(store, project)).map(({ id }) => id);
    assert.deepEqual(
      numbers.filter((number) => former.has(number) || Number(number) < 1700),
      [],
    );
  });

  it('counts events once that applications send to both, and asks for the time until which they do', async () => {
    const issue = source.world.addIssue(shop, { bodies: [{ body: bodyOf('a') }], count: 40 });
    await importInto(store, source);
    const project = await projectAt('acme/shop');
    for (let event = 0; event < 4; event += 1) {
      const id = eventIdFor(`both ${event}`);
      source.world.receive(shop, { ...bodyOf('a'), event_id: id });
      await liveEvent(store, project, bodyOf('a'), id);
    }
    await liveEvent(store, project, bodyOf('a'), eventIdFor('only here'));
    const summary = await importInto(store, source);
    assert.equal(issue.count, 44);
    assert.deepEqual(
      (await pictureOf(store, project)).map(({ count }) => count),
      [45],
    );
    assert.match(JSON.stringify(summary.left_outs), /"1 live event came here .* --both-receive/);
    // Every run warns until a rule accounts for the events.
    const again = await importInto(store, source);
    assert.match(JSON.stringify(again.left_outs), /"1 live event came here .*--both-receive.*"open":"mend"/);
    const compared = await withReader(source, (from) =>
      compareCounts(store, from, { projects: null }, Date.now(), new AbortController().signal),
    );
    assert.match(compared[0]?.problems.join() ?? '', /^1 live event came here/);
    const ruled = await importInto(store, source, { options: { bothReceiveUntil: Date.now() } });
    assert.deepEqual(ruled.left_outs, []);
  });

  it('warns in every run of live events that no rule accounts for, and is complete nevertheless', async () => {
    source.world.addIssue(shop, { bodies: [{ body: bodyOf('a') }], count: 40 });
    assert.deepEqual((await importInto(store, source)).left_outs, []);
    const project = await projectAt('acme/shop');
    for (const run of [1, 2]) {
      await liveEvent(store, project, bodyOf('a'), eventIdFor(`here ${run}`));
      const { complete, left_outs: leftOuts } = await importInto(store, source);
      assert.equal(complete, true);
      assert.deepEqual(
        leftOuts.map(({ what, reason }) => [what, reason.split(' came')[0]]),
        [['live events', counted(run, 'live event')]],
      );
    }
    await store.saveForward(makeForward(project.id));
    assert.deepEqual((await importInto(store, source)).left_outs, []);
  });

  it('looks an error up again that the tracker did not know, three times at most', async () => {
    const issue = source.world.addIssue(shop, { bodies: [], count: 7 });
    await importInto(store, source, { options: { only: ['projects', 'keys'] } });
    const project = await projectAt('acme/shop');
    const [late, never] = [eventIdFor('late'), eventIdFor('never')];
    await liveEvent(store, project, bodyOf('a', { fingerprint: ['late'] }), late);
    await liveEvent(store, project, bodyOf('b', { fingerprint: ['never'] }), never);
    const asked: string[] = [];
    source.before = (request) => void asked.push(request);
    const importAgain = () => importInto(store, source, { options: { eventsPerError: 0, resemblance: false } });
    assert.equal((await importAgain()).joined.event_id, 0);
    // The tracker digests it after the import.
    issue.events.push({
      id: late,
      at: Date.now(),
      receivedAt: Date.now(),
      hash: eventIdFor('h'),
      body: bodyOf('other'),
    });
    shop.known.set(late, issue);
    source.world.touch(issue);
    assert.equal((await importAgain()).joined.event_id, 1);
    assert.equal((await pictureOf(store, project)).find(({ issue: id }) => id === issue.id)?.count, 8);
    for (let pass = 0; pass < 4; pass += 1) await importAgain();
    assert.equal(asked.filter((request) => request.includes(never)).length, 1 + 3);
  });

  it('takes counts of a project whose events are forwarded without end: they pause meanwhile', async () => {
    const issue = source.world.addIssue(shop, { bodies: [{ body: bodyOf('a') }], count: 40 });
    await importInto(store, source, { options: { only: ['keys', 'projects'] } });
    const project = await projectAt('acme/shop');
    await store.saveForward(makeForward(project.id));
    const id = eventIdFor('forwarded');
    const isPaused = async (): Promise<boolean> => {
      const pause = JSON.parse((await store.importState(forwardPauseKey(project.id))) ?? '{"until":0}') as ForwardPause;
      return pause.until > Date.now();
    };
    const pauses: boolean[] = [];
    let asked = 0;
    // Events are on their way whenever no pause is asked for, and for a while after.
    const forwardPending = async (): Promise<boolean> => {
      pauses.push(await isPaused());
      if (!(await isPaused())) asked = 0;
      else asked += 1;
      return asked < 3;
    };
    await liveEvent(store, project, bodyOf('a'), id);
    source.world.receive(shop, { ...bodyOf('a'), event_id: id });
    await store.markKnownThere(project.id, [id], Date.now());
    const summary = await importInto(store, source, { deps: { forwardPending } });
    assert.ok(pauses.includes(true));
    assert.deepEqual([summary.state, summary.waiting], ['done', 0]);
    assert.deepEqual(
      (await pictureOf(store, project)).map(({ count }) => count),
      [issue.count],
    );
    assert.equal(await isPaused(), false);
  });

  it('compares errors that began before the import once, so that newer ones come into question', async () => {
    const project = await store.createProject({ path: 'acme/shop', name: 'Shop', visibility: 'private' });
    for (const name of ['a', 'b', 'c']) {
      await liveEvent(store, project, bodyOf(name), eventIdFor(name), Date.now() - 3_600_000);
    }
    const asked: (string | null)[] = [];
    const watched = new Proxy(store, {
      get: (target, name) => {
        const method = Reflect.get(target, name) as (...args: unknown[]) => unknown;
        if (name !== 'errorsToLookUp') return typeof method === 'function' ? method.bind(target) : method;
        return (projectId: number, after: string | null, limit: number) => {
          asked.push(after);
          return store.errorsToLookUp(projectId, after, limit);
        };
      },
    });
    await importInto(watched, source);
    assert.ok(asked.includes(null));
    asked.length = 0;
    await importInto(watched, source);
    assert.ok(asked.length > 0 && !asked.includes(null), JSON.stringify(asked));
  });
});
