import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '../../src/domain/app-error.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import { openExport } from '../../src/import/files/export-reader.ts';
import { importExport, type ImportExportOptions } from '../../src/import/files/import-export.ts';
import { listRuns, projectKey, readProject, runKey } from '../../src/import/state/run-state.ts';
import { CommandPlace } from '../support/command-place.ts';
import { serviceDigest } from '../support/import-world.ts';
import { Killed, watched } from '../support/killed-store.ts';
import { NO_UPLOADS } from '../support/no-uploads.ts';
import { listAll, makeEvent, makeProject, NOON, TestJournal } from '../support/store-data.ts';
import { describeOnStores, type OpenedStore, SQLITE } from '../support/test-stores.ts';

type Row = Record<string, unknown>;

const DEPS = { digest: serviceDigest, clock: { now: () => NOON }, takeUpload: NO_UPLOADS };
const EVERYTHING: ImportExportOptions = { projects: null };
const SHOP: ImportExportOptions = { projects: [{ slug: 'acme/shop', path: null }] };
const killing = (): Promise<never> => Promise.reject(new Killed());

describeOnStores('an import of an export after a run that did not end', (kind, suite) => {
  suite.timeout(120_000);
  let folder = '';
  let all = '';
  /** Export of the same store after a project was renamed in it. */
  let renamed = '';
  let from: CommandPlace;
  let opened: OpenedStore;
  let store: Store;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'errgate-later-'));
    from = new CommandPlace(SQLITE, folder, 'from');
    await from.done('project', 'create', 'acme/shop');
    const source = await from.open();
    const [shop] = await source.listProjects();
    assert.ok(shop !== undefined);
    const site = await makeProject(source, 'acme/site');
    const off = await source.createKey(shop.id, 'glet_off');
    await source.setKeyActive(shop.id, off.id, false);
    await new TestJournal(source).apply(
      Array.from({ length: 30 }, (_, index) =>
        makeEvent(index % 3 === 1 ? site : shop, `e${index}`, { group: `group ${index % 5}`, title: `t${index % 5}` }),
      ),
    );
    const ids = (await listAll(source, shop)).map(({ id }) => id);
    await source.mergeErrors(shop.id, ids.slice(0, 3));
    await source.rollUpMerged();
    all = join(folder, 'all');
    await from.done('export', '--to', all, '--with-keys');
    await source.updateProject(shop.id, { path: 'acme/renamed' });
    renamed = join(folder, 'renamed');
    await from.done('export', '--to', renamed, '--with-keys');
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

  const run = (into: Store, options = EVERYTHING, folderOf = all) =>
    importExport({ ...DEPS, store: into, owner: 'tester', sleep: () => Promise.resolve() }, folderOf, options);

  async function runState() {
    const runs = await listRuns(store);
    assert.equal(runs.length, 1);
    return runs[0]![1];
  }

  async function shopHere() {
    return (await store.projectByPath('acme/shop'))!.project;
  }

  /** Errors of the shop with their counts and numbers of bodies. */
  async function errorsHere() {
    const shop = await shopHere();
    const errors = await listAll(store, shop);
    const rows = await Promise.all(
      errors.map(async ({ id, title, count }) => {
        const events = await store.listEvents(shop.id, id, 100, null);
        return `${title} ${count} ${events?.items.length}`;
      }),
    );
    return rows.sort();
  }

  const isOffActive = async () =>
    (await store.listKeys((await shopHere()).id)).find(({ publicKey }) => publicKey === 'glet_off')?.active;

  /** Replaces the file of events in a copy, whose manifest says so. */
  function withEvents(name: string, change: (rows: Row[]) => unknown[]): string {
    const dir = join(folder, `${kind.name} ${name}`);
    cpSync(all, dir, { recursive: true });
    const place = join(dir, 'manifest.json');
    const manifest = JSON.parse(readFileSync(place, 'utf8')) as { files: { path: string; sha256: string }[] };
    const file = manifest.files.find(({ path }) => path.startsWith('events'))!;
    const lines = readFileSync(join(dir, file.path), 'utf8').split('\n').filter(Boolean);
    const text = change(lines.map((line) => JSON.parse(line) as Row)).map((row) => `${JSON.stringify(row)}\n`).join(''); // prettier-ignore
    writeFileSync(join(dir, file.path), text);
    file.sha256 = createHash('sha256').update(text).digest('hex');
    writeFileSync(place, JSON.stringify(manifest));
    return dir;
  }

  async function savedState(folderOf: string) {
    const reader = await openExport(folderOf);
    const key = runKey(reader.manifest.store, '');
    const { id } = await shopHere();
    const state = await readProject(store, key, 'acme/shop', id);
    assert.ok(state !== null);
    const save = () => store.saveImportState(projectKey(key, 'acme/shop', id), JSON.stringify(state));
    return { state, save, file: reader.hash };
  }

  it('makes the merges of a project that was renamed there meanwhile', async () => {
    await run(store);
    const expected = await errorsHere();
    await opened.dispose();
    opened = await kind.open();
    ({ store } = opened);
    await assert.rejects(run(watched(store, 'mergeErrors', killing)), Killed);
    const result = await run(store, EVERYTHING, renamed);
    assert.deepEqual(result.left.items, []);
    assert.deepEqual(await errorsHere(), expected);
    const { state, projects } = await runState();
    assert.deepEqual([state, Object.keys(projects).sort()], ['done', ['acme/renamed', 'acme/site']]);
    // Renamed back: the state of the former name is not met again.
    await run(store);
    assert.deepEqual(Object.keys((await runState()).projects).sort(), ['acme/shop', 'acme/site']);
    assert.deepEqual(await errorsHere(), expected);
  });

  it('switches off an inactive key of a project that was renamed there meanwhile', async () => {
    await assert.rejects(run(watched(store, 'setKeyActive', killing)), Killed);
    assert.equal(await isOffActive(), true);
    await run(store, EVERYTHING, renamed);
    assert.equal(await isOffActive(), false);
  });

  it('leaves errors separate that a person has separated since the first run', async () => {
    await run(store);
    const shop = await shopHere();
    const merged = (await listAll(store, shop)).find(({ count }) => count > 4);
    await store.unmergeErrors(shop.id, merged!.id, null);
    await store.rollUpMerged();
    const separate = await errorsHere();
    for (const method of ['putImportedError', 'addImportedEvents'] as const) {
      await assert.rejects(run(watched(store, method, killing)), Killed);
      await run(store);
      assert.deepEqual(await errorsHere(), separate, `killed at ${method}`);
    }
  });

  it('brings the bodies of an error back that was deleted, also when it is killed again', async () => {
    await run(store);
    const expected = await errorsHere();
    const { state, save, file } = await savedState(all);
    state.finishedAt = null;
    state.events.cursor = `${file}:30`;
    await save();
    const shop = await shopHere();
    const single = (await listAll(store, shop)).find(({ count }) => count <= 4);
    await store.deleteErrors(shop.id, [single!.id], false, null, NOON);
    await assert.rejects(run(watched(store, 'setBase', killing)), Killed);
    await assert.rejects(run(watched(store, 'rollUpMerged', killing)), Killed);
    await run(store);
    assert.deepEqual(await errorsHere(), expected);
  });

  it('goes on where it was, also when most events are of projects that are not wanted', async () => {
    const many = withEvents('many', (rows) => {
      const isShop = (row: Row) => (row['_errgate'] as Row)['project_id'] === 1;
      const [first, ...others] = rows.filter(isShop);
      const skipped = rows.find((row) => !isShop(row));
      return [first, ...Array.from({ length: 2500 }, () => skipped), ...others];
    });
    let calls = 0;
    const killed = watched(store, 'addImportedEvents', () => {
      calls += 1;
      return calls > 1 ? killing() : Promise.resolve();
    });
    await assert.rejects(run(killed, SHOP, many), Killed);
    const { state, file } = await savedState(many);
    assert.equal(state.events.cursor, `${file}:2000`);
  });

  it('still lists events that the killed run has left out', async () => {
    const broken = withEvents('broken', (rows) => [
      { ...rows[0], type: 'transaction' },
      ...Array.from({ length: 2100 }, () => rows[1]),
      ...rows.slice(1),
    ]);
    const whole = await run(store, SHOP, broken);
    const expected = whole.left.items.map(({ what, reason }) => `${what}: ${reason}`);
    assert.match(expected.join(), /^event \w+: it is no valid event$/);
    await opened.dispose();
    opened = await kind.open();
    ({ store } = opened);
    let isSaved = false;
    const killed = watched(store, 'addImportedEvents', async () => {
      isSaved ||= (await savedState(broken)).state.events.cursor !== null;
      if (isSaved) throw new Killed();
    });
    await assert.rejects(run(killed, SHOP, broken), Killed);
    const resumed = await run(store, SHOP, broken);
    assert.deepEqual(resumed.left.items.map(({ what, reason }) => `${what}: ${reason}`), expected); // prettier-ignore
  });

  it('was interrupted between two merges, and says so', async () => {
    const stopping = new AbortController();
    let merges = 0;
    const interrupted = watched(store, 'mergeErrors', () => {
      merges += 1;
      stopping.abort();
      return Promise.resolve();
    });
    await assert.rejects(run(interrupted, { ...EVERYTHING, signal: stopping.signal }), /interrupted; run it again/);
    assert.equal(merges, 1);
    const { state, message } = await runState();
    assert.deepEqual([state, message], ['failed', 'it was interrupted; run it again to go on']);
    await run(store);
    assert.equal((await runState()).state, 'done');
  });

  it('was interrupted while numbers are reserved', async () => {
    const stopping = new AbortController();
    const watching = watched(store, 'projectByPath', () => {
      stopping.abort();
      return Promise.resolve();
    });
    await assert.rejects(run(watching, { ...EVERYTHING, signal: stopping.signal }), /interrupted; run it again/);
    assert.deepEqual(await store.listProjects(), []);
  });

  it('reads the list of sources once, whatever the number of projects', async () => {
    let lists = 0;
    const counting = watched(store, 'listImportSources', () => {
      lists += 1;
      return Promise.resolve();
    });
    assert.equal((await run(counting)).projects, 2);
    assert.equal(lists, 1);
  });

  it('keeps its record when the store fails before it was read', async () => {
    await run(store);
    const before = await runState();
    const key = runKey((await openExport(all)).manifest.store, '');
    const failing = watched(store, 'importState', (name) =>
      name === key ? Promise.reject(new AppError('store_unavailable', 'the store is away')) : Promise.resolve(),
    );
    await assert.rejects(run(failing), /the store is away/);
    assert.deepEqual(await runState(), before);
    await run(store);
    assert.equal((await runState()).startedAt, before.startedAt);
  });
});
