import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/domain/ports/clock.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import { formerRunKey } from '../../src/import/files/former-run.ts';
import { importSentryExport } from '../../src/import/files/sentry-export.ts';
import { listRuns } from '../../src/import/state/run-state.ts';
import { CommandPlace } from '../support/command-place.ts';
import { serviceDigest } from '../support/import-world.ts';
import { Killed, killedAt, watched } from '../support/killed-store.ts';
import { SQLITE } from '../support/test-stores.ts';

describe('errgate import --sentry-export', () => {
  const ROWS = [
    { model: 'sentry.organization', pk: 1, fields: { slug: 'acme', name: 'Acme' } },
    { model: 'sentry.organization', pk: 2, fields: { slug: 'other' } },
    { model: 'sentry.user', pk: 9, fields: { username: 'ada', password: 'pbkdf2$secret' } },
    { model: 'sentry.project', pk: 4711, fields: { slug: 'shop', name: 'Shop', organization: 1, status: 0 } },
    { model: 'sentry.project', pk: 12, fields: { slug: 'gone', organization: 1, status: 2 } },
    { model: 'sentry.project', pk: 13, fields: { slug: 'site', organization: 2, status: 0 } },
    { model: 'sentry.projectkey', pk: 1, fields: { project: 4711, public_key: 'a'.repeat(32), status: 0, label: 'Default' } },
    { model: 'sentry.projectkey', pk: 2, fields: { project: 4711, public_key: 'b'.repeat(32), status: 1, label: 'Old', rate_limit_count: 5, rate_limit_window: 60 } },
    { model: 'sentry.projectkey', pk: 3, fields: { project: 13, public_key: 'not a key', status: 0 } },
    'junk',
    null,
  ]; // prettier-ignore

  it('takes projects, every key with its state and the ids of DSNs, and no people', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'errgate-relocate-'));
    const to = new CommandPlace(SQLITE, folder, 'to');
    try {
      const file = join(folder, 'export.json');
      writeFileSync(file, JSON.stringify(ROWS));
      const first = await to.run('import', '--sentry-export', file, '--json');
      const result = JSON.parse(first.stdout) as Record<string, unknown>;
      assert.deepEqual(
        [first.code, result['projects'], result['keys'], result['left_out'], result['to_set_up']],
        [1, 2, 2, 2, ['limit of key "Old" of shop: 5 events in 60 s']],
      );
      assert.doesNotMatch(first.stdout + first.stderr, /aaaa|bbbb|secret/);
      const store = await to.open();
      assert.deepEqual(
        (await store.listProjects()).map(({ path, name }) => [path, name]),
        [
          ['acme/shop', 'Shop'],
          ['other/site', 'site'],
        ],
      );
      assert.deepEqual(await store.listAliases(1), ['4711']);
      assert.deepEqual(
        (await store.listKeys(1)).map(({ publicKey, active }) => [publicKey[0], active]),
        [
          ['a', true],
          ['b', false],
        ],
      );
      assert.deepEqual(await store.listUsers(), []);
      const [run] = JSON.parse(await to.done('import', 'status', '--json')) as Record<string, unknown>[];
      assert.deepEqual(
        [run?.['kind'], run?.['state'], run?.['url'], run?.['left']],
        ['sentry', 'failed', 'export.json', 1],
      );
      const again = await to.run('import', '--sentry-export', file, '--org', 'acme', '--project', 'shop', '--json');
      assert.deepEqual([again.code, JSON.parse(again.stdout).keys], [0, 0]);
      for (const [text, message] of [
        ['{', /not JSON/],
        ['{}', /not a list/],
        ['[{"model":"sentry.user"}]', /no projects/],
      ] as const) {
        writeFileSync(file, text);
        const refused = await to.run('import', '--sentry-export', file);
        assert.deepEqual([refused.code, message.test(refused.stderr)], [1, true], refused.stderr);
      }
    } finally {
      await to.remove();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('leaves no inactive key active, wherever it is killed, and whichever version began', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'errgate-relocate-'));
    const file = join(folder, 'export.json');
    writeFileSync(file, JSON.stringify(ROWS));
    const run = (store: Store) =>
      importSentryExport({ store, digest: serviceDigest, clock: systemClock, owner: 'tester' }, file, {
        organization: 'acme',
        projects: null,
      });
    const keysOf = async (store: Store) => (await store.listKeys(1)).map(({ publicKey, active }) => [publicKey[0], active]); // prettier-ignore
    const expected = [
      ['a', true],
      ['b', false],
    ];
    try {
      const whole = await SQLITE.open();
      const counting = killedAt(whole.store, Infinity);
      await run(counting.store);
      assert.deepEqual(await keysOf(whole.store), expected);
      await whole.dispose();
      for (let at = 4; at <= counting.calls(); at += 1) {
        const opened = await SQLITE.open();
        const { store } = opened;
        await assert.rejects(run(killedAt(store, at).store), Killed);
        assert.equal((await run(store)).projects, 1);
        assert.deepEqual(await keysOf(store), expected, `killed at call ${at}`);
        await opened.dispose();
      }
      const begun = await SQLITE.open();
      const { store } = begun;
      const project = await store.createProject({ path: 'acme/shop', name: 'Shop', visibility: 'private' });
      await store.createKey(project.id, 'b'.repeat(32));
      const content = hash('sha256', JSON.stringify(ROWS), 'hex');
      const former = { version: 1, file: content, finished: false, events: 0, inactiveKey: 'b'.repeat(32) };
      await store.saveImportState(formerRunKey('sentry', [content]), JSON.stringify(former));
      await run(store);
      assert.deepEqual((await keysOf(store)).sort(), expected);
      await begun.dispose();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }).timeout(120_000);

  it('takes hundreds of projects without a list of sources for each', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'errgate-relocate-'));
    const opened = await SQLITE.open();
    try {
      const file = join(folder, 'export.json');
      const projects = Array.from({ length: 300 }, (_, index) => ({
        model: 'sentry.project',
        pk: index + 1000,
        fields: { slug: `p${index}`, organization: 1, status: 0 },
      }));
      writeFileSync(file, JSON.stringify([...ROWS.slice(0, 1), ...projects]));
      let lists = 0;
      const counting = watched(opened.store, 'listImportSources', () => {
        lists += 1;
        return Promise.resolve();
      });
      const deps = { store: counting, digest: serviceDigest, clock: systemClock, owner: 'tester' };
      const result = await importSentryExport(deps, file, { organization: null, projects: null });
      assert.equal(result.projects, 300);
      assert.ok(lists <= 1, `${lists} lists of sources`);
    } finally {
      await opened.dispose();
      rmSync(folder, { recursive: true, force: true });
    }
  }).timeout(120_000);

  it('refuses two projects that would go to one path, and writes nothing', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'errgate-relocate-'));
    const opened = await SQLITE.open();
    try {
      const file = join(folder, 'export.json');
      const site = { model: 'sentry.project', pk: 14, fields: { slug: 'site', organization: 1, status: 0 } };
      writeFileSync(file, JSON.stringify([...ROWS, site]));
      const deps = { store: opened.store, digest: serviceDigest, clock: systemClock, owner: 'tester' };
      const options = { organization: null, projects: [{ slug: 'site', path: 'a/b' }] };
      await assert.rejects(importSentryExport(deps, file, options), /would both go to a\/b/);
      assert.deepEqual(await opened.store.listProjects(), []);
    } finally {
      await opened.dispose();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('switches off an inactive key that a killed run of an earlier file left active', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'errgate-relocate-'));
    const opened = await SQLITE.open();
    const { store } = opened;
    try {
      const file = join(folder, 'export.json');
      const run = (into: Store) =>
        importSentryExport({ store: into, digest: serviceDigest, clock: systemClock, owner: 'tester' }, file, {
          organization: 'acme',
          projects: null,
        });
      writeFileSync(file, JSON.stringify(ROWS));
      await assert.rejects(run(watched(store, 'setKeyActive', () => Promise.reject(new Killed()))), Killed);
      writeFileSync(file, JSON.stringify([...ROWS, { model: 'sentry.user', pk: 10, fields: {} }]));
      await run(store);
      const keys = await store.listKeys(1);
      assert.deepEqual(keys.map(({ publicKey, active }) => [publicKey[0], active]), [['a', true], ['b', false]]); // prettier-ignore
      const runs = await listRuns(store);
      assert.deepEqual(runs.map(([, { state }]) => state), ['done']); // prettier-ignore
    } finally {
      await opened.dispose();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('ends as its record says, with what does not work yet', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'errgate-relocate-'));
    const to = new CommandPlace(SQLITE, folder, 'to');
    try {
      const file = join(folder, 'export.json');
      writeFileSync(file, JSON.stringify(ROWS));
      const status = async () => {
        const [run] = JSON.parse(await to.done('import', 'status', '--json')) as Record<string, unknown>[];
        return run;
      };
      const none = await to.run('import', '--sentry-export', file, '--org', 'typo');
      assert.deepEqual([none.code, (await status())?.['message']], [1, 'no project was imported']);
      assert.match(none.stderr, /no project was imported/);
      await to.done('project', 'create', 'acme/shop');
      const store = await to.open();
      await store.saveSettings(1, { active: false, integrated: true });
      // One project is being deleted there, which is listed and stays so.
      const { code, stderr } = await to.run('import', '--sentry-export', file, '--org', 'acme');
      const run = await status();
      assert.deepEqual([code, run?.['state'], run?.['complete']], [0, 'done', true], stderr);
      assert.match(stderr, /tracking of acme\/shop is off here/);
      assert.match(JSON.stringify(run?.['left_outs']), /tracking of acme\/shop is off here/);
    } finally {
      await to.remove();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
