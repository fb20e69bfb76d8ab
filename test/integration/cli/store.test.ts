import assert from 'node:assert/strict';
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { useCliSandbox } from '../../support/cli-sandbox.ts';

describe('errgate prune, backup, restore and migrate', () => {
  const sandbox = useCliSandbox();

  it('prunes, and reports the removed amounts', async () => {
    const errgate = sandbox.current;
    await errgate.done('project', 'create', 'acme/shop');
    assert.deepEqual(await errgate.object('prune'), { events: 0, keys: 0, uploads: 0, files: 0 });
  });

  it('backs up and restores elsewhere, with the secret key when asked', async () => {
    const errgate = sandbox.current;
    const file = join(errgate.folder, 'backup.db');
    errgate.env['ERRGATE_SECRET_KEY'] = 'ab'.repeat(32);
    await errgate.done('project', 'create', 'acme/shop');
    assert.deepEqual(await errgate.object('backup', file, '--with-secrets'), {
      file,
      projects: 1,
      errors: 0,
      events: 0,
    });
    assert.equal(statSync(file).mode & 0o777, 0o600);
    await errgate.fails(1, /already exists/, 'backup', file);

    errgate.env = { ERRGATE_DATA_DIR: join(errgate.folder, 'elsewhere') };
    assert.match(await errgate.done('restore', file), /restored 1 project, 0 errors and 0 events to/);
    assert.equal((await errgate.list('project', 'list'))[0]?.['path'], 'acme/shop');
    const again = join(errgate.folder, 'again.db');
    await errgate.done('backup', again, '--with-secrets');
    assert.match(await errgate.done('restore', again), /the previous store: .*replaced-/);
    await errgate.fails(1, /there is no backup/, 'restore', join(errgate.folder, 'none.db'));
    assert.equal((await errgate.list('project', 'list'))[0]?.['path'], 'acme/shop', 'a failed restore changes nothing');
  });

  it('keeps the key of the store that a restore replaces, so that the restore can be undone', async () => {
    const errgate = sandbox.current;
    const keyFile = join(errgate.dataDir, 'secret.key');
    const [former, rotated] = ['ab'.repeat(32), 'cd'.repeat(32)];
    const file = join(errgate.folder, 'backup.db');
    await errgate.done('project', 'create', 'acme/shop');
    writeFileSync(keyFile, `${former}\n`, { mode: 0o600 });
    await errgate.done('backup', file, '--with-secrets');
    writeFileSync(keyFile, `${rotated}\n`, { mode: 0o600 });
    await errgate.done('project', 'create', 'acme/later');

    const said = await errgate.done('restore', file);
    assert.equal(readFileSync(keyFile, 'utf8').trim(), former);
    const [, keptStore = ''] = /the previous store: (\S+)/.exec(said) ?? [];
    const [, keptKey = ''] = /the former store needs the former key: (\S+)/.exec(said) ?? [];
    const suffix = /\.replaced-\w+$/.exec(keptStore)?.[0];
    assert.equal(keptKey, `${keyFile}${suffix}`);
    assert.equal(readFileSync(keptKey, 'utf8').trim(), rotated);
    assert.equal(statSync(keptKey).mode & 0o777, 0o600);

    assert.doesNotMatch(await errgate.done('restore', file), /secret key/, 'the key is the same: nothing is replaced');

    await errgate.done('restore', keptStore);
    renameSync(keptKey, keyFile);
    const paths = (await errgate.list('project', 'list')).map((project) => project['path']);
    assert.deepEqual(paths, ['acme/shop', 'acme/later']);
    assert.equal(readFileSync(keyFile, 'utf8').trim(), rotated);
  });

  it('refers operators of a MongoDB store to its own tools', async () => {
    const errgate = sandbox.current;
    errgate.env['ERRGATE_STORE_URL'] = 'mongodb://127.0.0.1:1/x';
    errgate.env['ERRGATE_SECRET_KEY'] = 'ab'.repeat(32);
    for (const command of ['backup', 'restore']) {
      await errgate.fails(
        1,
        new RegExp(`${command} is for the embedded store: .*mongodump`),
        command,
        join(errgate.folder, 'x.db'),
      );
    }
  });

  it('refuses to restore a file that is no backup, and names it', async () => {
    const errgate = sandbox.current;
    const text = join(errgate.folder, 'notes.txt');
    writeFileSync(text, 'this is no database at all, only a text that is long enough');
    await errgate.fails(1, /notes\.txt is not a database/, 'restore', text);
    const empty = join(errgate.folder, 'empty.db');
    writeFileSync(empty, '');
    await errgate.fails(1, /empty\.db is empty, not an errgate backup/, 'restore', empty);
    await errgate.fails(1, new RegExp(`${errgate.folder}: the store file cannot be opened`), 'restore', errgate.folder);
  });

  it('migrates, and reports its steps', async () => {
    const errgate = sandbox.current;
    assert.match(await errgate.done('migrate'), /make the store .*\ndone: the store has schema version \d+/);
    assert.match(await errgate.done('migrate'), /nothing to do/);
  });

  it('refuses to send a test event where there is no key or no service', async () => {
    const errgate = sandbox.current;
    await errgate.done('project', 'create', 'acme/shop');
    await errgate.fails(1, /no active client key/, 'send-test-event');
    await errgate.fails(1, /do not accept this DSN/, 'send-test-event', '--dsn', 'nonsense');
    await errgate.fails(1, /nothing answered/, 'send-test-event', '--dsn', 'http://key@127.0.0.1:1/1');
  });
});
