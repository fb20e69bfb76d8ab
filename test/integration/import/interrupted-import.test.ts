import assert from 'node:assert/strict';
import type { Store } from '../../../src/domain/ports/stores/store.ts';
import type { RunningStore } from '../../../src/import/import-run.ts';
import { runKey } from '../../../src/import/state/run-state.ts';
import { type FakeSource, startFakeSource } from '../../support/fake-source/fake-source.ts';
import type { SdkBody } from '../../support/fake-source/source-records.ts';
import { IMPORT_TOKEN, importInto, liveEvent, type PicturedError, pictureOf } from '../../support/import-world.ts';
import { describeOnStores, type OpenedStore } from '../../support/test-stores.ts';

/** Interruptions per store; all of them in the full run. */
const STEPS = process.env['ERRGATE_TEST_STORES'] === 'all' ? 1 : 7;

/** Time of the live events. */
const AT = Date.now() + 60_000;

class Killed extends Error {}

/** Store that stops at its n-th call as a killed process does: the call and all later ones have no effect. */
function killedAt(store: RunningStore, n: number): { readonly store: RunningStore; readonly calls: () => number } {
  let calls = 0;
  const killed = new Proxy(store, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return (...args: unknown[]): unknown => {
        calls += 1;
        if (calls >= n) return Promise.reject(new Killed());
        return Reflect.apply(method, target, args) as unknown;
      };
    },
  });
  return { store: killed, calls: () => calls };
}

const bodyOf = (name: string): SdkBody => ({
  platform: 'python',
  level: 'error',
  exception: {
    values: [
      {
        type: 'ValueError',
        value: name,
        stacktrace: { frames: [{ module: `app.${name}`, function: name, filename: `${name}.py`, in_app: true }] },
      },
    ],
  },
});

describeOnStores('import that is killed', (kind, suite) => {
  suite.timeout(300_000);
  let source: FakeSource;
  let opened: OpenedStore;
  let store: Store;

  beforeEach(async () => {
    source = await startFakeSource('sentry');
    const { world } = source;
    world.addToken(IMPORT_TOKEN);
    const shop = world.addProject('shop', { id: '7' });
    world.addKey(shop, { active: false });
    for (const [index, name] of ['a', 'b', 'c', 'd'].entries()) {
      const issue = world.addIssue(shop, { bodies: [{ body: bodyOf(name) }], count: 10 * index + 3 });
      issue.notes.push({ id: `${index}`, author: 'Ada', at: Date.now() - 1000, text: 'seen' });
    }
    // Shares its key with the first: the unresolved one owns it.
    world.addIssue(shop, { bodies: [{ body: bodyOf('a') }], count: 50, status: 'resolved' });
    opened = await kind.open();
    ({ store } = opened);
  });

  afterEach(async () => {
    await opened.dispose();
    await source.close();
  });

  /** Imports until it is done, and then sends one event of each error. */
  async function picture(target: Store): Promise<{ readonly errors: PicturedError[]; readonly keys: unknown[] }> {
    const summary = await importInto(target, source);
    assert.deepEqual([summary.state, summary.complete], ['done', true]);
    const found = await target.projectByPath('acme/shop');
    assert.ok(found);
    for (const [index, name] of ['a', 'b', 'c', 'd'].entries()) {
      await liveEvent(target, found.project, bodyOf(name), `${index}`.repeat(32), AT);
    }
    const keys = (await target.listKeys(found.project.id)).map(({ publicKey, active }) => [publicKey, active]);
    return { errors: await pictureOf(target, found.project), keys };
  }

  it('gives the same result after a kill at any call of the store, and a run that goes on', async () => {
    const counting = killedAt(store, Infinity);
    await importInto(store, source, { deps: { store: counting.store } });
    const total = counting.calls();
    const expected = await picture(store);
    assert.equal(expected.errors.length, 5);
    for (let at = 2; at <= total; at += STEPS) {
      const fresh = await kind.open();
      try {
        const killed = killedAt(fresh.store, at);
        await importInto(fresh.store, source, { deps: { store: killed.store, owner: 'killed' } }).catch(
          (error: unknown) => assert.ok(error instanceof Killed, String(error)),
        );
        // The lease of a killed process ends by itself.
        await fresh.store.releaseLease(runKey(source.origin, 'acme'), 'killed');
        assert.deepEqual(await picture(fresh.store), expected, `killed at call ${at} of ${total}`);
      } finally {
        await fresh.dispose();
      }
    }
  });

  it('gives the same result when it is cancelled at any request, and says so', async () => {
    const expected = await picture(store);
    const total = source.requests.length;
    for (let at = 3; at <= total; at += 3) {
      const fresh = await kind.open();
      try {
        const stop = new AbortController();
        const before = source.requests.length;
        source.before = () => {
          if (source.requests.length - before === at) stop.abort();
        };
        const summary = await importInto(fresh.store, source, { signal: stop.signal }).catch(() => null);
        source.before = () => undefined;
        if (stop.signal.aborted && summary !== null && summary.state !== 'done') {
          assert.match(summary.message, /interrupted; run it again/);
        }
        assert.deepEqual(await picture(fresh.store), expected, `stopped at request ${at} of ${total}`);
      } finally {
        await fresh.dispose();
      }
    }
  });
});
