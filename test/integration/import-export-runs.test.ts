import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '../../src/domain/app-error.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import { cancelRun } from '../../src/import/cancel-import.ts';
import { openExport } from '../../src/import/files/export-reader.ts';
import { formerRunKey } from '../../src/import/files/former-run.ts';
import { importExport, type ImportExportOptions } from '../../src/import/files/import-export.ts';
import { listRuns, projectKey, readProject, runKey } from '../../src/import/state/run-state.ts';
import { NO_UPLOADS } from '../support/no-uploads.ts';
import { CommandPlace } from '../support/command-place.ts';
import { serviceDigest } from '../support/import-world.ts';
import { Killed, killedAt, watched } from '../support/killed-store.ts';
import { listAll, makeEvent, makeProject, NOON, TestJournal } from '../support/store-data.ts';
import { describeOnStores, type OpenedStore, SQLITE } from '../support/test-stores.ts';

const clock = { now: () => NOON };
const DEPS = { digest: serviceDigest, clock, takeUpload: NO_UPLOADS };
const EVERYTHING_CHOSEN: ImportExportOptions = { projects: null };

describeOnStores('the run of an import of an export', (kind, suite) => {
  suite.timeout(120_000);
  let folder = '';
  let all = '';
  let from: CommandPlace;
  let opened: OpenedStore;
  let store: Store;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'errgate-runs-'));
    from = new CommandPlace(SQLITE, folder, 'from');
    await from.done('project', 'create', 'acme/shop');
    const source = await from.open();
    const [shop] = await source.listProjects();
    assert.ok(shop !== undefined);
    const site = await makeProject(source, 'acme/site');
    const off = await source.createKey(shop.id, 'glet_off');
    await source.setKeyActive(shop.id, off.id, false);
    await source.createKey(site.id, 'glet_site');
    await new TestJournal(source).apply(
      Array.from({ length: 30 }, (_, index) =>
        makeEvent(index % 3 === 0 ? site : shop, `e${index}`, { group: `group ${index % 5}`, title: `t${index % 5}` }),
      ),
    );
    const ids = (await listAll(source, shop)).map(({ id }) => id);
    await source.mergeErrors(shop.id, ids.slice(0, 2));
    await source.rollUpMerged();
    all = join(folder, 'all');
    await from.done('export', '--to', all, '--with-keys');
  });
  after(async () => {
    await from.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  beforeEach(async () => {
    opened = await kind.open();
    ({ store } = opened);
  });
  afterEach(() => opened.dispose());

  const run = (into: Store, options = EVERYTHING_CHOSEN, folderOf = all) =>
    importExport({ ...DEPS, store: into, owner: 'tester', sleep: () => Promise.resolve() }, folderOf, options);

  async function keyOf(folderOf = all): Promise<string> {
    return runKey((await openExport(folderOf)).manifest.store, '');
  }

  async function runState(of = store) {
    const runs = await listRuns(of);
    assert.equal(runs.length, 1);
    const [, state] = runs[0]!;
    return state;
  }

  /** Everything that a run which was killed, or ran twice, could have left wrong. */
  async function facts(of = store) {
    const projects = await of.listProjects();
    return Promise.all(
      projects.map(async (project) => {
        const errors = await listAll(of, project);
        const events = await Promise.all(errors.map(({ id }) => of.listEvents(project.id, id, 100, null)));
        return {
          path: project.path,
          keys: (await of.listKeys(project.id)).map(({ publicKey, active }) => [publicKey, active]),
          errors: errors.map(({ title, count, userCount }) => [title, count, userCount]).sort(),
          events: events.map((page) => page?.items.length ?? 0).sort(),
        };
      }),
    );
  }

  const projectsHere = async () => (await store.listProjects()).map(({ path }) => path);

  it('has the state of every import, with the numbers of each project', async () => {
    const result = await run(store);
    const { kind: what, state, message, leftOut, projects } = await runState();
    assert.deepEqual([what, state, message], ['errgate', 'done', 'everything was imported']);
    assert.deepEqual([leftOut.items, Object.keys(projects)], [[], ['acme/shop', 'acme/site']]);
    const shop = await readProject(store, await keyOf(), 'acme/shop', projects['acme/shop'] ?? 0);
    assert.deepEqual(
      [shop?.created, shop?.updated, shop?.bodies, shop?.counted, shop?.keys, shop?.stages.events],
      [5, 0, 20, 20, 1, { done: 20, total: 20, finished: true }],
    );
    assert.deepEqual([result.projects, result.errors.created, result.events, result.keys], [2, 10, 30, 2]);
    const before = await facts();
    const again = await run(store);
    assert.deepEqual([again.errors, again.keys, again.events], [{ created: 0, updated: 10 }, 0, 30]);
    assert.deepEqual(await facts(), before);
  });

  it('ends when it is cancelled, says so, and goes on when it is repeated', async () => {
    const key = await keyOf();
    let see = (): void => undefined;
    const seen = new Promise<void>((resolve) => {
      see = resolve;
    });
    let isAsked = false;
    const looking = watched(
      store,
      'importState',
      () => Promise.resolve(),
      (name) => {
        // The run ends before the next immediate.
        if (isAsked && name === `import-cancel:${key}`) setImmediate(see);
      },
    );
    const cancelling = watched(looking, 'putImportedError', async () => {
      if (isAsked) return;
      isAsked = true;
      assert.equal((await runState()).state, 'running');
      assert.equal(await cancelRun(store, key, 'probe', NOON), false);
      await seen;
    });
    await assert.rejects(run(cancelling), /the import was cancelled; run it again to go on/);
    const { state, message } = await runState();
    assert.deepEqual([state, message], ['cancelled', 'it was cancelled; run it again to go on']);
    await run(store);
    assert.equal((await runState()).state, 'done');
    const whole = await kind.open();
    await run(whole.store);
    assert.deepEqual(await facts(), await facts(whole.store));
    await whole.dispose();
  });

  it('is one at a time, also with other projects', async () => {
    let refused: unknown;
    const meanwhile = watched(store, 'reserveErrorNumbers', async () => {
      refused = await run(store, { projects: [{ slug: 'site', path: null }] }).catch((error: unknown) => error);
    });
    // The second process has a name of its own.
    await importExport({ ...DEPS, store: meanwhile, owner: 'other' }, all, EVERYTHING_CHOSEN);
    assert.ok(refused instanceof AppError && refused.code === 'conflict');
    assert.match(refused.message, /another process runs this import/);
  });

  it('is not done while something is left', async () => {
    const holder = await makeProject(store, 'x/holder');
    const held = await store.createKey(holder.id, 'glet_site');
    const result = await run(store);
    assert.deepEqual(
      result.left.items.map(({ project, open }) => [project, open]),
      [['acme/site', 'mend']],
    );
    const { state, message } = await runState();
    assert.equal(state, 'failed');
    assert.match(message, /^1 left: key "key \w+" of acme\/site/);
    await store.deleteKey(holder.id, held.id);
    await run(store);
    assert.equal((await runState()).state, 'done');
  });

  it('goes on with the events of each project on its own', async () => {
    const reader = await openExport(all);
    const first = watched(store, 'addImportedEvents', () => Promise.reject(new Killed()));
    await assert.rejects(run(first, { projects: [{ slug: 'shop', path: null }] }), Killed);
    const key = await keyOf();
    const shop = (await store.listProjects())[0]!;
    const state = await readProject(store, key, 'acme/shop', shop.id);
    assert.ok(state !== null && state.finishedAt === null);
    // As if all rows of the file were read: those of the project are not read again, those of the other one are.
    state.events.cursor = `${reader.hash}:30`;
    await store.saveImportState(projectKey(key, 'acme/shop', shop.id), JSON.stringify(state));
    assert.equal((await run(store)).events, 30);
    const stored = (await facts()).map(({ events }) => events.reduce((sum, count) => sum + count, 0));
    assert.deepEqual(stored, [0, 10]);
    // A finished one begins again.
    await run(store);
    const again = (await facts()).map(({ events }) => events.reduce((sum, count) => sum + count, 0));
    assert.deepEqual(again, [20, 10]);
  });

  it('finds the projects of an earlier run again, by their ids there', async () => {
    await run(store, { projects: [{ slug: 'shop', path: 'new/place' }] });
    const source = await from.open();
    const [shop] = await source.listProjects();
    await source.updateProject(shop!.id, { path: 'acme/renamed' });
    const later = join(folder, `later ${kind.name}`);
    await from.done('export', '--to', later, '--with-keys');
    await source.updateProject(shop!.id, { path: 'acme/shop' });
    const result = await run(store, EVERYTHING_CHOSEN, later);
    assert.deepEqual(await projectsHere(), ['new/place', 'acme/site']);
    assert.deepEqual(result.errors, { created: 5, updated: 5 });
  });

  it('refuses two projects that would go to one path, before it writes', async () => {
    const untouched = watched(store, 'reserveErrorNumbers', () => Promise.reject(new Error('it wrote')));
    const shared = run(untouched, {
      projects: [
        { slug: 'shop', path: 'acme/site' },
        { slug: 'site', path: null },
      ],
    });
    await assert.rejects(shared, /would both go to acme\/site/);
    assert.deepEqual(await projectsHere(), []);
    assert.equal((await runState()).state, 'failed');
  });

  describe('that an earlier version began', () => {
    /** Leaves the state of an earlier version in the place of that of this one. */
    async function asFormerRun(given: object): Promise<string> {
      const reader = await openExport(all);
      const key = await keyOf();
      const states = [key, ...(await store.listProjects()).map(({ id, path }) => projectKey(key, path, id))];
      for (const each of states) await store.saveImportState(each, JSON.stringify({ version: 0 }));
      const former = formerRunKey(reader.manifest.store, []);
      const state = { version: 1, file: reader.hash, finished: false, events: 0, inactiveKey: null, ...given };
      await store.saveImportState(former, JSON.stringify(state));
      return former;
    }

    it('goes on, with the same result, and is finished afterwards', async () => {
      const whole = await kind.open();
      await run(whole.store);
      const expected = await facts(whole.store);
      await whole.dispose();
      // Killed after the errors and before their merges, while an inactive key was not switched off yet.
      const killed = watched(store, 'mergeErrors', () => Promise.reject(new Killed()));
      await assert.rejects(run(killed), Killed);
      const shop = (await store.listProjects())[0]!;
      const off = (await store.listKeys(shop.id)).find(({ publicKey }) => publicKey === 'glet_off');
      await store.setKeyActive(shop.id, off?.id ?? 0, true);
      const former = await asFormerRun({ inactiveKey: 'glet_off' });
      await run(store);
      assert.deepEqual(await facts(), expected);
      assert.equal((JSON.parse((await store.importState(former)) ?? '{}') as { finished: unknown }).finished, true);
      assert.equal((await runState()).state, 'done');
    });

    it('goes on behind the events that it has written', async () => {
      await assert.rejects(run(watched(store, 'addImportedEvents', () => Promise.reject(new Killed()))), Killed);
      await asFormerRun({ events: 29 });
      assert.equal((await run(store)).events, 30);
      const stored = (await facts()).flatMap(({ events }) => events);
      assert.equal(
        stored.reduce((sum, count) => sum + count, 0),
        1,
      );
    });

    it('has its lease, which a process of that version holds', async () => {
      const former = await asFormerRun({});
      assert.ok(await store.acquireLease(former, 'former process', 60_000));
      await assert.rejects(run(store), /another process runs this import/);
      assert.deepEqual(await projectsHere(), []);
    });
  });

  it('counts once wherever it was killed and whatever the next run takes first', async () => {
    const whole = await kind.open();
    const counting = killedAt(whole.store, Infinity);
    await run(counting.store);
    const expected = await facts(whole.store);
    await whole.dispose();
    const step = Math.ceil(counting.calls() / 6);
    for (let at = 5; at <= counting.calls(); at += step) {
      const part = await kind.open();
      await assert.rejects(run(killedAt(part.store, at).store), Killed);
      await run(part.store, { projects: [{ slug: 'acme/site', path: null }] });
      await run(part.store);
      const found = await facts(part.store);
      assert.deepEqual(
        found.sort((a, b) => (a.path < b.path ? -1 : 1)),
        expected,
        `killed at call ${at}`,
      );
      await part.dispose();
    }
  });
});

describe('errgate import --from-export, between two processes', () => {
  it('is shown as interrupted by status and doctor, and ended by cancel', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'errgate-status-'));
    const [from, to] = [new CommandPlace(SQLITE, folder, 'from'), new CommandPlace(SQLITE, folder, 'to')];
    try {
      await from.done('project', 'create', 'acme/shop');
      const source = await from.open();
      const [shop] = await source.listProjects();
      await new TestJournal(source).apply([makeEvent(shop!, 'one')]);
      const all = join(folder, 'all');
      await from.done('export', '--to', all);
      await to.done('project', 'create', 'x/own');
      const store = await to.open();
      const killed = watched(store, 'putImportedError', () => Promise.reject(new Killed()));
      const deps = { ...DEPS, store: killed, owner: 'killed' };
      await assert.rejects(importExport(deps, all, EVERYTHING_CHOSEN), Killed);
      const status = async (): Promise<[unknown, unknown]> => {
        const [one] = JSON.parse(await to.done('import', 'status', '--json')) as { kind: string; state: string }[];
        return [one?.kind, one?.state];
      };
      assert.deepEqual(await status(), ['errgate', 'interrupted']);
      const { stdout } = await to.run('doctor');
      const { manifest } = await openExport(all);
      assert.match(stdout, new RegExp(`an import was interrupted\\s+an export of store ${manifest.store}`));
      assert.equal(await to.done('import', 'cancel'), `cancelled the import of an export of store ${manifest.store}\n`);
      assert.deepEqual(await status(), ['errgate', 'cancelled']);
      await to.done('import', '--from-export', all);
      assert.deepEqual(await status(), ['errgate', 'done']);
    } finally {
      for (const each of [from, to]) await each.remove();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
