import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import { importExport } from '../../src/import/files/import-export.ts';
import { openStore } from '../../src/storage/open/open-store.ts';
import { NO_UPLOADS } from '../support/no-uploads.ts';
import { CommandPlace } from '../support/command-place.ts';
import { Killed, killedAt } from '../support/killed-store.ts';
import { hexId, listAll, makeEvent, makeProject, NOON, TestJournal } from '../support/store-data.ts';
import { SQLITE } from '../support/test-stores.ts';
import { digester } from '../unit/integrated/digest/digest-support.ts';
import { groupV2 } from '../../src/integrated/digest/group/v2/group.ts';

type Row = Record<string, unknown>;

describe('import of an export that goes wrong', function () {
  this.timeout(300_000);
  let folder = '';
  let all = '';
  let serial = 0;
  const places: CommandPlace[] = [];
  const place = (): CommandPlace => {
    const made = new CommandPlace(SQLITE, folder, `place ${places.length}`);
    places.push(made);
    return made;
  };
  const clock = { now: () => NOON };

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'errgate-faults-'));
    const from = place();
    await from.done('project', 'create', 'acme/shop');
    const store = await from.open();
    const site = await makeProject(store, 'acme/site');
    const [shop] = await store.listProjects();
    assert.ok(shop !== undefined);
    await store.addAlias(shop.id, 'old');
    const off = await store.createKey(site.id, 'glet_off');
    await store.setKeyActive(site.id, off.id, false);
    await new TestJournal(store).apply(
      Array.from({ length: 30 }, (_, index) =>
        makeEvent(index % 5 === 0 ? site : shop, `e${index}`, { group: `group ${index % 4}`, title: `t${index % 4}` }),
      ),
    );
    const ids = (await listAll(store, shop)).map(({ id }) => id);
    await store.mergeErrors(shop.id, ids.slice(0, 2));
    await store.rollUpMerged();
    all = join(folder, 'all');
    await from.done('export', '--to', all, '--with-keys');
  });
  after(async () => {
    for (const each of places) await each.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const run = (store: Store, owner: string) =>
    importExport({ store, digest: digester({ group: groupV2 }), clock, owner, takeUpload: NO_UPLOADS }, all, {
      projects: null,
    });

  /** Returns everything that a killed import could have left wrong. */
  async function state(store: Store) {
    const projects = await store.listProjects();
    return Promise.all(
      projects.map(async (project) => {
        const { id, path } = project;
        const errors = await listAll(store, project);
        const events = await Promise.all(errors.map((error) => store.listEvents(id, error.id, 100, null)));
        return {
          path,
          settings: (await store.settings(id))?.active,
          aliases: await store.listAliases(id),
          keys: (await store.listKeys(id)).map(({ publicKey, active }) => [publicKey, active]),
          errors: errors.map(({ title, count, userCount }) => [title, count, userCount]).sort(),
          events: events.map((page) => page?.items.length ?? 0).sort(),
        };
      }),
    );
  }

  it('goes on after it was killed at any call of the store, with the same result', async () => {
    const open = async (): Promise<Store> => {
      serial += 1;
      const dataDir = join(folder, `killed ${serial}`);
      mkdirSync(dataDir);
      return openStore({ url: 'sqlite:', dataDir });
    };
    const whole = await open();
    const counting = killedAt(whole, Infinity);
    await run(counting.store, 'whole');
    const expected = await state(whole);
    await whole.close();
    assert.deepEqual(
      expected.map(({ errors, keys, settings }) => [errors.length, keys, settings]),
      [
        [3, [], true],
        [4, [['glet_off', false]], true],
      ],
    );
    assert.ok(counting.calls() > 40);
    for (let at = 1; at <= counting.calls(); at += 1) {
      const store = await open();
      await assert.rejects(run(killedAt(store, at).store, 'killed'), Killed, `call ${at}`);
      await run(store, 'next');
      assert.deepEqual(await state(store), expected, `killed at call ${at}`);
      await store.close();
    }
  });

  /** Changes the rows of a part in a copy, whose manifest says so. */
  function changed(part: string, change: (text: string) => string | Buffer): string {
    serial += 1;
    const dir = join(folder, `changed ${serial}`);
    cpSync(all, dir, { recursive: true });
    const manifest = JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8')) as {
      files: { path: string; sha256: string }[];
    };
    const file = manifest.files.find(({ path }) => path.startsWith(part));
    assert.ok(file !== undefined);
    const bytes = change(readFileSync(join(dir, file.path), 'utf8'));
    rmSync(join(dir, file.path));
    if (typeof bytes !== 'string') file.path += '.gz';
    writeFileSync(join(dir, file.path), bytes);
    file.sha256 = createHash('sha256').update(bytes).digest('hex');
    writeFileSync(join(dir, 'manifest.json'), JSON.stringify(manifest));
    return dir;
  }
  const rows = (change: (row: Row, index: number) => unknown) => (text: string) =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line, index) => `${JSON.stringify(change(JSON.parse(line) as Row, index))}\n`)
      .join('');

  for (const [what, part, change, message] of [
    ['no JSON', 'errors', (text: string) => `${text}{"half`, /line 9 of errors\.ndjson is not a JSON object/],
    ['a list', 'releases', () => '[1]\n', /line 1 of releases\.ndjson is not a JSON object/],
    ['a line without an end', 'events', () => `{"a":"${'x'.repeat(17 << 20)}"}`, /line 1 of events.* more than/],
    ['gzip that is cut off', 'events', (text: string) => gzipSync(text).subarray(0, -20), /cut off or damaged/],
    ['no gzip', 'events', (text: string) => Buffer.from(text), /cut off or damaged/],
    ['an id of another form', 'errors', rows((row) => ({ ...row, id: '../1' })), /line 1 of errors.*"id"/],
    ['a count below 0', 'errors', rows((row) => ({ ...row, count: '-5' })), /line 1 of errors.*"count"/],
    ['a path that no project can have', 'projects', rows((row) => ({ ...row, path: 'a b' })), /"a b" cannot be/],
  ] as const) {
    it(`is refused with the place: ${what}`, async () => {
      const { code, stderr } = await place().run('import', '--from-export', changed(part, change));
      assert.deepEqual([code, message.test(stderr)], [1, true], stderr);
      assert.doesNotMatch(stderr, /at .*\.ts:/);
    });
  }

  it('takes values of any size, depth and time within bounds', async () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const dir = changed('errors', (text) =>
      rows((row) => ({
        ...row,
        title: 'x'.repeat(100_000),
        firstSeen: '2999-01-01T00:00:00Z',
        lastSeen: '1970-01-01T00:00:00Z',
        external_ids: [null, { kind: 'other', value: 'a'.repeat(1000) }, 7],
        statusDetails: 'DEEP',
        _errgate: { ...(row['_errgate'] as Row), hours: [[1e15, 5], [1, -1], 'x', [0, 1, 2]], groups: 'none' },
      }))(text).replaceAll('"DEEP"', `{"a":${deep}}`),
    );
    const to = place();
    await to.done('import', '--from-export', dir);
    const store = await to.open();
    const [shop] = await store.listProjects();
    assert.equal((await listAll(store, shop!)).length, 3);
    const events = changed('events', (text) =>
      text.replaceAll('"extra":{}', `"extra":{"deep":${deep}}`).replace(/"platform":"\w+"/, '"platform":7'),
    );
    await place().done('import', '--from-export', events);
  });

  it('lists events, releases and errors of nothing in the export', async () => {
    const dir = changed('events', (text) =>
      rows((row, index) => {
        const own = row['_errgate'] as Row;
        return { ...row, _errgate: { ...own, ...(index === 0 && { error_id: '999' }), ...(index === 1 && { project_id: 99 }) } }; // prettier-ignore
      })(text),
    );
    const { code, stdout, stderr } = await place().run('import', '--from-export', dir, '--json');
    assert.equal(code, 0);
    assert.deepEqual([(JSON.parse(stdout) as Row)['left_out'], (JSON.parse(stdout) as Row)['complete']], [2, true]);
    assert.match(stderr, /its error is not in the export/);
    assert.match(stderr, /its project is not in the export/);
  });

  it('takes the projects that are chosen, under other paths', async () => {
    const to = place();
    await to.done('import', '--from-export', all, '--project', 'site=new/place', '--json');
    const store = await to.open();
    assert.deepEqual(
      (await store.listProjects()).map(({ path }) => path),
      ['new/place'],
    );
    const { code, stderr } = await to.run('import', '--from-export', all, '--project', 'acme/site', '--project', 'no');
    assert.deepEqual([code, /no: the project: it is not in the export/.test(stderr)], [1, true], stderr);
  });

  it('keeps former numbers for old addresses, and gives them to no other error', async () => {
    const to = place();
    await to.done('project', 'create', 'acme/own');
    const store = await to.open();
    const [own] = await store.listProjects();
    await to.done('import', '--from-export', all);
    const site = (await store.projectByPath('acme/site'))!.project;
    const imported = (await listAll(store, site)).map(({ id }) => Number(id));
    assert.ok(Math.min(...imported) > 7);
    await new TestJournal(store).apply([makeEvent(own!, 'x', { group: 'new', eventId: hexId('x') })]);
    assert.ok(Number((await listAll(store, own!))[0]?.id) > 7);
    const found = await store.findByExternalId(null, '3');
    assert.equal(found.length, 1);
  });
});

describe('an interrupted export', () => {
  it('leaves a folder under another name, which is no export', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'errgate-cut-'));
    const from = new CommandPlace(SQLITE, folder, 'from');
    try {
      await from.done('project', 'create', 'a/b');
      const { exportStore } = await import('../../src/export/export-store.ts');
      const { openExport } = await import('../../src/storage/open/open-store.ts');
      const source = await openExport({ url: 'sqlite:', dataDir: from.dataDir });
      const failing = { ...source, events: () => { throw new Error('the power fails'); } }; // prettier-ignore
      const store = await from.open();
      const deps = { store, source: failing, keysOf: () => [], clock: { now: () => NOON }, version: '1' };
      const options = { projectId: null, since: null, compress: false, withKeys: false };
      await assert.rejects(exportStore(deps, join(folder, 'cut'), options), /power/);
      await source.close();
      const left = readdirSync(folder).filter((name) => name.startsWith('cut'));
      assert.deepEqual([left.length, /^cut\.unfinished-/.test(left[0] ?? '')], [1, true]);
      const { stderr } = await from.run('import', '--from-export', join(folder, left[0] ?? ''));
      assert.match(stderr, /no complete export/);
    } finally {
      await from.remove();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
