import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import type { Project } from '../../src/domain/projects/project.ts';
import { openStore } from '../../src/storage/open/open-store.ts';
import { callErrgate } from '../support/cli-call.ts';
import { describeOnStores, type ProcessStore } from '../support/test-stores.ts';
import {
  errorOf,
  hexId,
  HOUR,
  listAll,
  makeEvent,
  makeProject,
  NOON,
  normalisedEvent,
  TestJournal,
} from '../support/store-data.ts';
import { encodePayload } from '../support/encode-payload.ts';
import { KEEP, pruneAll } from '../support/prune-all.ts';

const HOSTILE = '=1+1\n"quoted",\u2028end';

/** Store of a process with two projects, one of which has merged, resolved and pruned errors. */
async function fill(store: Store): Promise<{ shop: Project; site: Project }> {
  const shop = await makeProject(store, 'acme/shop');
  const site = await makeProject(store, 'acme/site');
  await store.addAlias(shop.id, '4711');
  await store.createKey(shop.id, 'glet_shop');
  const journal = new TestJournal(store);
  const events = Array.from({ length: 40 }, (_, index) =>
    makeEvent(index % 4 === 0 ? site : shop, `e${index}`, {
      group: `group ${index % 3}`,
      user: `user ${index % 5}`,
      at: NOON - index * HOUR,
      release: `1.${index % 2}`,
    }),
  );
  await journal.apply(events);
  const report = { name: 'Ada', email: 'ada@example.test', comments: HOSTILE, url: null, receivedAt: NOON } as const;
  const about = (eventId: string, name: string, kind: 'user_report' | 'feedback') => ({
    ...{ projectId: shop.id, keyId: 1, eventId },
    report: { ...report, kind, id: hexId(name) },
  });
  journal.n += 1;
  await store.applyBatch(journal.batchId(journal.n), {
    ...{ events: [], outcomes: [], sessions: [] },
    reports: [
      about(hexId(`${shop.id} e1`), 'report', 'user_report'),
      about(hexId(`${shop.id} e1`), 'feedback', 'feedback'),
      about(hexId('never came'), 'lost', 'user_report'),
    ],
  });
  const body = encodePayload({ ...normalisedEvent('ff'.repeat(16), HOSTILE), tags: [{ key: 'a', value: HOSTILE }] });
  await journal.apply([
    makeEvent(shop, 'hostile', { group: 'hostile', eventId: 'ff'.repeat(16), payload: body, title: HOSTILE }),
  ]);
  const [one, two] = await Promise.all(['group 0', 'group 1'].map((group) => errorOf(store, shop, group)));
  await store.mergeErrors(shop.id, [one?.id ?? '', two?.id ?? '']);
  await store.rollUpMerged();
  await store.setErrorStatus(shop.id, (await errorOf(store, shop, 'group 2')).id, 'resolved', NOON + 1);
  return { shop, site };
}

describeOnStores('errgate export', (kind, suite) => {
  suite.timeout(60_000);
  let place: ProcessStore;
  let folder = '';
  let store: Store;
  let shop: Project;
  const env = () => ({ ...place.env, ERRGATE_DATA_DIR: join(folder, 'data') });
  const run = (...args: string[]) => callErrgate(['export', ...args], env());
  const read = (name: string) => JSON.parse(readFileSync(join(folder, name, 'manifest.json'), 'utf8')) as Manifest;
  const rows = (name: string, part: string): Row[] =>
    read(name)
      .files.filter(({ path }) => path.startsWith(part))
      .flatMap(({ path }) => {
        const bytes = readFileSync(join(folder, name, path));
        const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
        return text.split('\n').filter((line) => line !== '').map((line) => JSON.parse(line) as Row); // prettier-ignore
      });

  before(async () => {
    place = kind.forProcesses();
    folder = mkdtempSync(join(tmpdir(), 'errgate-export-'));
    const made = await callErrgate(['project', 'create', 'acme/first'], env());
    assert.equal(made.code, 0, made.stderr);
    store = await openStore({ url: place.env['ERRGATE_STORE_URL'] ?? 'sqlite:', dataDir: join(folder, 'data') });
    ({ shop } = await fill(store));
  });
  after(async () => {
    await store.close();
    await place.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  it('writes every error with its numbers and every event with its body, and a hash of each file', async () => {
    const { code, stderr } = await run('--to', join(folder, 'all'), '--json');
    assert.equal(code, 0, stderr);
    const manifest = read('all');
    assert.deepEqual(manifest.counts, {
      ...{ projects: 3, errors: 7, events: 41, reports: 3, activity: 2 },
      ...{ builds: 0, uploads: 0, audit: 1 },
    });
    for (const { path, sha256, lines } of manifest.files) {
      const bytes = readFileSync(join(folder, 'all', path));
      assert.equal(createHash('sha256').update(bytes).digest('hex'), sha256);
      assert.equal(bytes.toString().split('\n').length - 1, lines);
      assert.equal(statSync(join(folder, 'all', path)).mode & 0o077, 0);
    }
    const errors = rows('all', 'errors');
    const sums = errors.reduce((sum, { count }) => sum + Number(count), 0);
    assert.equal(sums, 41);
    const list = await listAll(store, shop);
    for (const { id, status, firstSeen, title } of list.filter((each) => each.title === HOSTILE)) {
      const found = errors.find((each) => each['id'] === id);
      assert.deepEqual(
        [found?.['title'], found?.['status'], found?.['firstSeen']],
        [title, status, new Date(firstSeen).toISOString()],
      );
    }
    const events = rows('all', 'events');
    assert.equal(new Set(events.map(({ event_id: id }) => id)).size, 41);
    const hostile = events.find(({ event_id: id }) => id === 'ff'.repeat(16));
    assert.deepEqual(hostile?.['tags'], [['a', HOSTILE]]);
    assert.deepEqual(errors.filter(({ status }) => status === 'resolved').length, 1);
    assert.equal(errors.filter(({ _errgate: own }) => own['merged_into'] !== null).length, 2);
    assert.deepEqual(
      rows('all', 'releases').map((row) => [row['version'], row._errgate['project_id'] === shop.id]),
      [
        ['1.0', true],
        ['1.1', true],
        ['1.0', false],
      ],
    );
    const reports = rows('all', 'reports');
    assert.deepEqual(
      reports.find(({ _errgate: own }) => own['kind'] === 'user_report' && own['error_id'] !== null),
      {
        ...{ event_id: hexId(`${shop.id} e1`), name: 'Ada', email: 'ada@example.test', comments: HOSTILE, url: null },
        _errgate: {
          ...{ project_id: shop.id, error_id: (await errorOf(store, shop, 'group 1')).id, id: hexId('report') },
          ...{ kind: 'user_report', received: new Date(NOON).toISOString() },
        },
      },
    );
    const feedback = reports.find(({ _errgate: own }) => own['kind'] === 'feedback');
    assert.equal(feedback?.['event_id'], hexId('feedback'));
    assert.match(JSON.stringify(feedback), new RegExp(`"associated_event_id":"${hexId(`${shop.id} e1`)}"`));
    assert.equal(reports.find(({ _errgate: own }) => own['id'] === hexId('lost'))?._errgate['error_id'], null);
    const projects = rows('all', 'projects');
    assert.deepEqual(projects[1]?.['alias_ids'], ['4711']);
    assert.doesNotMatch(JSON.stringify(projects), /glet_/);
  });

  it('writes one project, later events only, compressed, with its keys when asked', async () => {
    const args = ['--to', join(folder, 'some'), '--project', 'acme/shop', '--since', '2026-03-10', '--compress'];
    assert.equal((await run(...args, '--with-keys')).code, 0);
    const { counts, files } = read('some');
    const since = Date.parse('2026-03-10T00:00:00Z');
    const expected = Array.from({ length: 40 }, (_, index) => index).filter((index) => index % 4 !== 0 && NOON - index * HOUR >= since); // prettier-ignore
    assert.equal(counts.events, expected.length + 1);
    assert.ok(files.every(({ path }) => path.endsWith('.ndjson.gz')));
    assert.match(JSON.stringify(rows('some', 'projects')), /glet_shop/);
    assert.ok(rows('some', 'events').every(({ _errgate: own }) => own['project_id'] === shop.id));
  });

  it('writes the errors of each project as CSV, with the numbers of the list', async () => {
    const { code, stdout, stderr } = await run('--to', join(folder, 'csv'), '--format', 'csv', '--bom', '--json');
    assert.equal(code, 0, stderr);
    const { projects, errors } = JSON.parse(stdout) as Record<string, unknown>;
    const manifest = read('csv');
    for (const { path, sha256 } of manifest.files) {
      const bytes = readFileSync(join(folder, 'csv', path));
      assert.equal(createHash('sha256').update(bytes).digest('hex'), sha256);
      assert.equal(statSync(join(folder, 'csv', path)).mode & 0o077, 0);
    }
    const records = readFileSync(join(folder, 'csv', `errors-${shop.id}.csv`), 'utf8').split('\r\n');
    assert.ok(records[0]?.startsWith('\ufeffid,short_id,title,'));
    const list = await listAll(store, shop);
    assert.deepEqual(
      records.slice(1, -1).map((record) => record.split(',')[0]),
      [...list].sort((a, b) => b.firstSeen - a.firstSeen).map(({ id }) => id),
    );
    assert.ok(records.some((record) => record.includes(`,"'=1+1\n""quoted"",\u2028end",`)));
    assert.deepEqual([projects, errors], [3, list.length + 3]);
    const some = await run('--to', join(folder, 'csv2'), '--format', 'csv', '--project', 'acme/shop', '--compress');
    assert.match(some.stdout, /exported 3 errors of 1 project/);
    assert.equal(
      gunzipSync(readFileSync(join(folder, 'csv2', `errors-${shop.id}.csv.gz`))).toString(),
      records.join('\r\n').slice(1),
    );
    assert.equal((await run('--to', join(folder, 'x'), '--format', 'csv', '--with-keys')).code, 2);
    assert.equal((await run('--to', join(folder, 'x'), '--bom')).code, 2);
  });

  it('leaves a used folder alone, and names wrong dates and folders', async () => {
    const again = await run('--to', join(folder, 'all'));
    assert.deepEqual([again.code, /not empty/.test(again.stderr)], [1, true]);
    assert.equal((await run('--to', join(folder, 'x'), '--since', '2026-02-31')).code, 2);
    assert.equal((await run()).code, 2);
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.includes('unfinished')),
      [],
    );
  });

  it('keeps the numbers of errors whose events were removed', async () => {
    await pruneAll(store, { ...KEEP, receivedBefore: NOON - 3 * HOUR });
    assert.equal((await run('--to', join(folder, 'pruned'))).code, 0);
    const { counts } = read('pruned');
    assert.ok(counts.events < 41);
    assert.deepEqual(
      rows('pruned', 'errors').map(({ count, userCount }) => [count, userCount]),
      rows('all', 'errors').map(({ count, userCount }) => [count, userCount]),
    );
  });
});

type Row = Record<string, unknown> & { _errgate: Record<string, unknown>; count?: string; userCount?: number };

interface Manifest {
  readonly counts: { readonly projects: number; readonly errors: number; readonly events: number };
  readonly files: readonly { readonly path: string; readonly sha256: string; readonly lines: number }[];
}
