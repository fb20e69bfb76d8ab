import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import { CommandPlace } from '../support/command-place.ts';
import { describeOnEveryStore, SQLITE, type StoreKind } from '../support/test-stores.ts';
import { aliasFor, importIssue, makeIssue, makeSource } from '../support/import-data.ts';
import { EVERYTHING, hexId, HOUR, listAll, makeEvent, TestJournal } from '../support/store-data.ts';
import { fill, grouped, HOSTILE, numbers, START } from '../support/store-to-export.ts';

describeOnEveryStore('errgate import --from-export, exported from', (kind, suite) => {
  suite.timeout(120_000);
  let folder = '';
  let from: CommandPlace;
  let to: CommandPlace;
  const places: CommandPlace[] = [];
  let source: Store;
  const place = (of: StoreKind, name: string): CommandPlace => {
    const made = new CommandPlace(of, folder, name);
    places.push(made);
    return made;
  };

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'errgate-move-'));
    from = place(kind, 'from');
    to = place(SQLITE, 'to');
    await from.done('project', 'create', 'acme/first');
    source = await from.open();
    await fill(source);
    await from.done('export', '--to', join(folder, 'all'), '--compress', '--with-keys');
  });
  after(async () => {
    for (const each of places) await each.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  it('shows every number as it was', async () => {
    await to.done('import', '--from-export', join(folder, 'all'));
    const store = await to.open();
    assert.deepEqual(await numbers(store), await numbers(source));
    const shop = await store.projectByPath('acme/shop');
    assert.deepEqual(await store.listAliases(shop?.project.id ?? 0), [
      ...(shop?.project.id === 3 ? [] : ['3']),
      'old-shop',
    ]);
    assert.deepEqual(
      (await store.listKeys(shop?.project.id ?? 0)).map(({ publicKey, active }) => [publicKey, active]),
      [
        ['glet_active', true],
        ['glet_off', false],
      ],
    );
  });

  it('keeps what a status waits for, who was assigned, and notes of people', async () => {
    const store = await to.open();
    const shop = (await store.projectByPath('acme/shop'))?.project;
    assert.ok(shop !== undefined);
    const found = (await listAll(store, shop, EVERYTHING, START)).find(({ title }) => title === 'wordd failed');
    assert.deepEqual(found?.statusDetails, { ignoreUntil: START + 1000 * HOUR, ignoreCount: 1000 });
    const notes = await store.listNotes(shop.id, found.id);
    assert.deepEqual(
      notes?.map(({ authorName, at, text, imported }) => [authorName, at, text, imported]),
      [['Ada', START + 3, HOSTILE, true]],
    );
    assert.equal((await store.importedOrigin(shop.id, found.id))?.assignee, 'ada');
    const csv = await from.done('export', '--to', join(folder, 'csv'), '--format', 'csv', '--json');
    assert.ok(JSON.parse(csv).errors > 0);
    const tables = readdirSync(join(folder, 'csv')).filter((name) => name.endsWith('.csv'));
    assert.match(tables.map((name) => readFileSync(join(folder, 'csv', name), 'utf8')).join(''), /wordd failed.*,ada,/);
  });

  it('changes nothing the second time', async () => {
    const store = await to.open();
    const before = await numbers(store);
    const { bytes: _, ...stats } = await store.stats();
    const text = await to.done('import', '--from-export', join(folder, 'all'), '--json');
    assert.deepEqual([JSON.parse(text).imported, JSON.parse(text).keys], [0, 0]);
    assert.deepEqual(await numbers(store), before);
    const { bytes: __, ...after } = await store.stats();
    assert.deepEqual(after, stats);
  });

  it('counts the next event of an error in it, also in a project with another id', async () => {
    const other = place(SQLITE, 'moved');
    for (const path of ['x/1', 'x/2', 'x/3', 'x/4']) await other.done('project', 'create', path);
    const text = await other.done('import', '--from-export', join(folder, 'all'), '--json');
    assert.equal(JSON.parse(text).unjoined, 0);
    const store = await other.open();
    const shop = (await store.projectByPath('acme/shop'))?.project;
    assert.ok(shop !== undefined && shop.id > 4);
    const before = await numbers(store);
    await new TestJournal(store).apply([
      grouped(shop, 'live 1', 'worda failed', { at: START + 5 }),
      grouped(shop, 'live 2', 'worde failed', { at: START + 5 }),
    ]);
    await store.rollUpMerged();
    const after = await numbers(store);
    assert.equal(after.length, before.length);
    const grown = after.flatMap(({ title, count }) => {
      const more = count - (before.find((one) => one.title === title)?.count ?? 0);
      return more === 0 ? [] : [[title, more]];
    });
    assert.equal(grown.reduce((sum, [, more]) => sum + Number(more), 0), 2, JSON.stringify(grown)); // prettier-ignore
    await other.done('import', '--from-export', join(folder, 'all'));
    assert.deepEqual(
      (await numbers(store)).map(({ title, count }) => [title, count]),
      after.map(({ title, count }) => [title, count]),
    );
  });

  it('keeps the activity log of each error, by the names of people, once', async () => {
    const manifest = JSON.parse(readFileSync(join(folder, 'all', 'manifest.json'), 'utf8'));
    const shown = async (of: Store, title: string) => {
      const shop = (await of.projectByPath('acme/shop'))?.project;
      assert.ok(shop !== undefined);
      const error = (await listAll(of, shop, EVERYTHING, START)).find((one) => one.title === title);
      const log = (await of.listActivity(shop.id, error?.id ?? '')) ?? [];
      const imports = log.filter(({ kind, details }) => kind === 'imported' && details.importedId === undefined);
      assert.equal(imports.length, of === source ? 0 : 1);
      return log
        .filter((one) => !imports.includes(one))
        .map(({ at, kind, user, assignee, details }) => [
          ...[at, kind, user?.name ?? details.userName, assignee?.name ?? details.assigneeName],
          ...[details.status, details.noteId?.replace('imported:own:', ''), details.agent],
        ]);
    };
    const store = await to.open();
    const before = await shown(source, 'wordd failed');
    assert.deepEqual(
      before.map(([, kind]) => kind),
      ['note_added', 'assigned', 'ignored'],
    );
    assert.equal(before.at(-1)?.at(-1), 'claude');
    const named = before.map((entry) => entry.map((value) => (value === 'Ada' ? 'ada' : value)));
    assert.deepEqual(await shown(store, 'wordd failed'), named);
    assert.deepEqual((await shown(store, 'wordf failed'))[0]?.slice(1, 4), ['assigned', 'ada', 'eve@example.test']);
    const text = await to.done('import', '--from-export', join(folder, 'all'), '--json');
    assert.equal(JSON.parse(text).activity, manifest.counts.activity);
    assert.deepEqual(await shown(store, 'wordd failed'), named);
    const shop = (await source.projectByPath('acme/shop'))?.project;
    assert.ok(shop !== undefined);
    const resolved = (await listAll(source, shop, EVERYTHING, START)).find(({ title }) => title === 'wordc failed');
    await source.setErrorStatus(shop.id, resolved?.id ?? '', 'unresolved', START + 50);
    await from.done('export', '--to', join(folder, 'later'));
    const third = place(SQLITE, 'third');
    for (const name of ['all', 'later', 'later']) await third.done('import', '--from-export', join(folder, name));
    const kinds = (await shown(await third.open(), 'wordc failed')).map(([, kind]) => kind);
    assert.deepEqual(kinds, ['unresolved', 'resolved']);
    await source.setErrorStatus(shop.id, resolved?.id ?? '', 'resolved', START + 1);
  });

  it('goes back to the first kind of store with the same numbers', async () => {
    await to.done('export', '--to', join(folder, 'second'));
    const back = place(kind, 'back');
    await back.done('import', '--from-export', join(folder, 'second', 'manifest.json'));
    assert.deepEqual(await numbers(await back.open()), await numbers(source));
  });

  it('keeps texts as they are, also hostile ones', async () => {
    const found = (await numbers(await to.open())).filter(({ title }) => title === HOSTILE);
    assert.equal(found.length, 1);
  });

  it('refuses an export of the same store', async () => {
    const { code, stderr } = await from.run('import', '--from-export', join(folder, 'all'));
    assert.deepEqual([code, /count|has its events/.test(stderr)], [1, true], stderr);
  });

  it('refuses an export that was changed, cut off, or is of a later version', async () => {
    const change = async (name: string, work: (dir: string) => void, message: RegExp): Promise<void> => {
      const dir = join(folder, name);
      cpSync(join(folder, 'all'), dir, { recursive: true });
      work(dir);
      const target = place(SQLITE, `${name} target`);
      const { code, stderr } = await target.run('import', '--from-export', dir);
      assert.equal(code, 1);
      assert.match(stderr, message);
      assert.deepEqual(await (await target.open()).listProjects(), []);
    };
    const errors = (dir: string): string => join(dir, 'errors.ndjson.gz');
    const manifest = (dir: string, from: RegExp, by: string): void => {
      const file = join(dir, 'manifest.json');
      writeFileSync(file, readFileSync(file, 'utf8').replace(from, by));
    };
    await change(
      'changed',
      (dir) => writeFileSync(errors(dir), Buffer.concat([readFileSync(errors(dir)), Buffer.from('x')])),
      /errors\.ndjson\.gz was changed or damaged.*SHA-256/,
    );
    await change('missing', (dir) => rmSync(errors(dir)), /errors\.ndjson\.gz of the export is missing/);
    await change('interrupted', (dir) => rmSync(join(dir, 'manifest.json')), /no complete export.*interrupted/);
    await change('later', (dir) => manifest(dir, /"version": 1/, '"version": 2'), /version 2 of the format/);
    await change('other', (dir) => manifest(dir, /errgate-export/, 'other'), /not the manifest/);
    await change('outside', (dir) => manifest(dir, /"errors\.ndjson\.gz"/, '"../all/errors.ndjson"'), /lacks members/);
  });

  it('assigns errors to members with the same e-mail address, in the run after they were added', async () => {
    const target = place(SQLITE, 'assigned');
    const all = join(folder, 'all');
    const first = await target.run('import', '--from-export', all, '--json');
    assert.match(first.stderr, /errors are assigned to eve@example.test, who is no member here: add them/);
    const store = await target.open();
    const shop = (await store.projectByPath('acme/shop'))?.project;
    assert.ok(shop !== undefined);
    const assigneeOf = async (title: string): Promise<string | undefined> =>
      (await listAll(store, shop, EVERYTHING, START)).find((error) => error.title === title)?.assignee?.username;
    assert.equal(await assigneeOf('wordf failed'), undefined);
    const user = { username: 'someone', name: 'Eve', email: 'Eve@example.test', admin: false, passwordHash: 'x' };
    await store.setMember(shop.id, (await store.createUser(user)).id, 30);
    const second = await target.run('import', '--from-export', all, '--json');
    assert.doesNotMatch(second.stderr, /eve@/);
    assert.equal(await assigneeOf('wordf failed'), 'someone');
    assert.equal(await assigneeOf('wordd failed'), undefined);
  });

  it('is no folder of CSV files', async () => {
    await from.done('export', '--to', join(folder, 'tables'), '--format', 'csv');
    const { code, stderr } = await to.run('import', '--from-export', join(folder, 'tables'));
    assert.equal(code, 1);
    assert.match(
      stderr,
      /holds CSV files for spreadsheets, which cannot be imported\. Export again without --format csv/,
    );
  });

  it('names wrong usage', async () => {
    const all = join(folder, 'all');
    assert.equal((await to.run('import', '--from-export', all, '--url', 'https://x.example')).code, 2);
    assert.equal((await to.run('import', '--from-export', all, '--sentry-export', 'x')).code, 2);
    assert.equal((await to.run('import', '--from-export', join(folder, 'nowhere'))).code, 1);
  });
});

describe('an export of imported errors', () => {
  it('keeps an error of this store that was joined, without anything left out', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'errgate-joined-'));
    const [from, to] = [new CommandPlace(SQLITE, folder, 'from'), new CommandPlace(SQLITE, folder, 'to')];
    try {
      await from.done('project', 'create', 'acme/shop');
      const store = await from.open();
      const project = (await store.listProjects())[0];
      assert.ok(project !== undefined);
      await new TestJournal(store).apply([makeEvent(project, 'own', { group: 'eight' })]);
      const id = await importIssue(store, project, makeIssue(await makeSource(store, project), '78'), 500);
      const [added] = await store.addAliases(project.id, id, [aliasFor(project, 'eight')], START);
      assert.ok(added?.kind === 'own_error');
      await store.mergeErrors(project.id, [id, added.errorId]);
      await from.done('export', '--to', join(folder, 'all'));
      assert.doesNotMatch(await to.done('import', '--from-export', join(folder, 'all')), /left out/);
      assert.deepEqual(await numbers(await to.open()), await numbers(store));
    } finally {
      for (const each of [from, to]) await each.remove();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('keeps their base, old ids and comments', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'errgate-base-'));
    const [from, to] = [new CommandPlace(SQLITE, folder, 'from'), new CommandPlace(SQLITE, folder, 'to')];
    try {
      await from.done('project', 'create', 'acme/shop');
      const store = await from.open();
      const project = (await store.listProjects())[0];
      assert.ok(project !== undefined);
      const origin = await makeSource(store, project);
      const id = await importIssue(store, project, makeIssue(origin, '77', { assignee: 'ada@example.test' }), 500);
      await store.addAliases(project.id, id, [aliasFor(project, 'seven')], START);
      await store.putNotes(project.id, id, [{ externalId: '1', author: 'Ada', at: START, text: HOSTILE }]);
      const journal = new TestJournal(store);
      await journal.apply([makeEvent(project, 'live', { group: 'seven' })]);
      const content = { name: 'Eve', email: 'eve@example.test', comments: HOSTILE, url: null, receivedAt: START };
      const about = (event: string, kind: 'user_report' | 'feedback') => ({
        ...{ projectId: project.id, keyId: 1, eventId: hexId(`${project.id} ${event}`) },
        report: { ...content, kind, id: hexId(`${event} ${kind}`) },
      });
      journal.n += 1;
      await store.applyBatch(journal.batchId(journal.n), {
        ...{ events: [], outcomes: [], sessions: [] },
        reports: [about('live', 'user_report'), about('live', 'feedback'), about('lost', 'user_report')],
      });
      await from.done('export', '--to', join(folder, 'all'));
      await to.run('import', '--from-export', join(folder, 'all'));
      const { code, stdout } = await to.run('import', '--from-export', join(folder, 'all'), '--json');
      // One report is left out, about which nothing can be done.
      assert.deepEqual([code, JSON.parse(stdout).reports], [0, 2]);
      assert.match(stdout, new RegExp(`report ${hexId('lost user_report')}`));
      assert.match(stdout, /the event that it is about was not stored/);
      const other = await to.open();
      assert.deepEqual(await numbers(other), await numbers(store));
      assert.equal((await numbers(other))[0]?.count, 501);
      const [found] = await other.findByExternalId(null, 'SHOP-77');
      const shown = await other.importedOrigin(found?.projectId ?? 0, found?.errorId ?? '');
      assert.deepEqual(
        [shown?.notes.map(({ text, author }) => [author, text]), shown?.assignee, shown?.externalUrl],
        [
          [
            ['Ada', HOSTILE],
            ['Eve <eve@example.test>', HOSTILE],
            ['Eve <eve@example.test>', HOSTILE],
          ],
          'ada@example.test',
          makeIssue(origin, '77').externalUrl,
        ],
      );
    } finally {
      for (const each of [from, to]) await each.remove();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
