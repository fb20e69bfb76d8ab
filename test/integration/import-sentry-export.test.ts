import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandPlace } from '../support/command-place.ts';
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
});
