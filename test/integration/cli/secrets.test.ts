import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '../../../src/storage/open/open-store.ts';
import { makeLinks } from '../../support/link-data.ts';
import { openChannelSecrets, sealChannelSecrets } from '../../../src/thirdparty/secrets/channel-secrets.ts';
import { parseSecretKey, readKeyRing } from '../../../src/thirdparty/secrets/key-ring.ts';
import { createTokenCipher, type TokenCipher } from '../../../src/thirdparty/secrets/encrypted-token.ts';
import { useCliSandbox } from '../../support/cli-sandbox.ts';

const TOKENS = ['sntryu_first', 'sntryu_second'];

describe('secrets rotate', function () {
  this.timeout(60_000);
  const sandbox = useCliSandbox();
  const keyFile = () => join(sandbox.current.dataDir, 'secret.key');

  async function withStore<T>(work: (store: Awaited<ReturnType<typeof openStore>>) => Promise<T>): Promise<T> {
    const store = await openStore({ url: 'sqlite:', dataDir: sandbox.current.dataDir });
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  }

  const cipherOf = (...texts: string[]): TokenCipher => {
    const ring = texts.map((text) => parseSecretKey(text)).filter((key) => key !== null);
    return createTokenCipher(() => ring);
  };

  /** Two projects with tokens under the key. */
  async function seed(key: string): Promise<void> {
    await sandbox.current.done('project', 'create', 'acme/one');
    await sandbox.current.done('project', 'create', 'acme/two');
    await withStore(async (store) => {
      for (const [index, { id }] of (await store.listProjects()).entries()) {
        await store.saveSettings(id, { sealedToken: cipherOf(key).encrypt(TOKENS[index]!, id) });
      }
    });
  }

  const tokensWith = (cipher: TokenCipher) =>
    withStore(async (store) => {
      const projects = await store.listProjects();
      return Promise.all(
        projects.map(async ({ id }) => cipher.decrypt((await store.settings(id))?.sealedToken ?? '', id)),
      );
    });

  it('puts a new key into the file and encrypts everything under it, also repeatedly', async () => {
    const old = randomBytes(32).toString('hex');
    await seed(old);
    writeFileSync(keyFile(), `${old}\n`, { mode: 0o600 });
    for (const _round of [1, 2]) {
      const before = readFileSync(keyFile(), 'utf8');
      assert.match(await sandbox.current.done('secrets', 'rotate'), /re-encrypted 2 third-party tokens/);
      const after = readFileSync(keyFile(), 'utf8');
      assert.match(after, /^[0-9a-f]{64}\n$/);
      assert.notEqual(after, before);
      assert.equal(statSync(keyFile()).mode & 0o777, 0o600);
      assert.deepEqual(await tokensWith(cipherOf(after)), TOKENS);
      await assert.rejects(tokensWith(cipherOf(before)));
      const known = await withStore((store) => store.getMeta('secret_key_id'));
      assert.equal(known, parseSecretKey(after)?.id);
    }
  });

  it('takes the secrets of alert channels along, and says when it cannot', async () => {
    const old = randomBytes(32).toString('hex');
    await sandbox.current.done('project', 'create', 'acme/one');
    writeFileSync(keyFile(), `${old}\n`, { mode: 0o600 });
    const sealer = (text: string) => createTokenCipher(() => [parseSecretKey(text)!], 'alert channel');
    const secrets = { url: 'https://hooks.example/x', secret: null };
    const made = await withStore(async (store) => {
      const [project] = await store.listProjects();
      const sealed = sealChannelSecrets(sealer(old), project!.id, secrets);
      const draft = { type: 'slack', name: 'chat', host: 'hooks.example', sealed } as const;
      return store.createChannel({ ...draft, projectId: project!.id }, 0);
    });
    assert.match(await sandbox.current.done('secrets', 'rotate'), /re-encrypted 1 /);
    const [channel] = await withStore((store) => store.listChannels(null));
    assert.notEqual(channel!.sealed, made.sealed);
    assert.deepEqual(openChannelSecrets(sealer(readFileSync(keyFile(), 'utf8')), channel!), secrets);

    writeFileSync(keyFile(), `${randomBytes(32).toString('hex')}\n`);
    await sandbox.current.fails(1, /no available key decrypts .*channels of alerts of acme\/one;/, 'secrets', 'rotate');
    assert.deepEqual(await withStore((store) => store.listChannels(null)), [channel]);
  });

  it('takes the tokens of issue trackers along, and says when it cannot', async () => {
    const old = randomBytes(32).toString('hex');
    await sandbox.current.done('project', 'create', 'acme/one');
    writeFileSync(keyFile(), `${old}\n`, { mode: 0o600 });
    const sealer = (text: string) => createTokenCipher(() => [parseSecretKey(text)!], 'issue tracker token');
    await withStore(async (store) => {
      const [project] = await store.listProjects();
      const sealedToken = sealer(old).encrypt('glpat-x', project!.id);
      await store.setProjectLinks(project!.id, makeLinks({ sealedToken }));
    });
    assert.match(await sandbox.current.done('secrets', 'rotate'), /re-encrypted 1 /);
    const stored = () => withStore(async (store) => store.projectLinks((await store.listProjects())[0]!.id));
    const { sealedToken, ...links } = await stored();
    const key = readFileSync(keyFile(), 'utf8');
    assert.equal(sealer(key).decrypt(sealedToken!, 1), 'glpat-x');
    assert.deepEqual({ ...links, sealedToken: 'sealed' }, makeLinks());

    writeFileSync(keyFile(), `${randomBytes(32).toString('hex')}\n`);
    await sandbox.current.fails(1, /no available key decrypts .*issue trackers.* of acme\/one;/, 'secrets', 'rotate');
    assert.equal((await stored()).sealedToken, sealedToken);
  });

  it('takes the secrets of webhooks of issues along, and says when it cannot', async () => {
    const old = randomBytes(32).toString('hex');
    await sandbox.current.done('project', 'create', 'acme/one');
    writeFileSync(keyFile(), `${old}\n`, { mode: 0o600 });
    const sealer = (text: string) => createTokenCipher(() => [parseSecretKey(text)!], 'issue hook');
    const sealed = sealer(old).encrypt('whsec_x', 1);
    await withStore((store) => store.setIssueHook({ projectId: 1, sealed, createdAt: 5 }));
    assert.match(await sandbox.current.done('secrets', 'rotate'), /re-encrypted 1 /);
    const stored = () => withStore(async (store) => (await store.issueHook(1))!);
    const now = await stored();
    assert.equal(sealer(readFileSync(keyFile(), 'utf8')).decrypt(now.sealed, 1), 'whsec_x');
    assert.equal(now.createdAt, 5);

    writeFileSync(keyFile(), `${randomBytes(32).toString('hex')}\n`);
    await sandbox.current.fails(
      1,
      /no available key decrypts .*webhooks of issues.* of acme\/one;/,
      'secrets',
      'rotate',
    );
    assert.deepEqual(await stored(), now);
  });

  it('takes the secrets of second factors along, and says when it cannot', async () => {
    const old = randomBytes(32).toString('hex');
    await sandbox.current.done('user', 'create', 'ada');
    writeFileSync(keyFile(), `${old}\n`, { mode: 0o600 });
    const sealer = (text: string) => createTokenCipher(() => [parseSecretKey(text)!], 'second factor');
    await withStore((store) => store.beginSecondFactor(1, sealer(old).encrypt('GEZDGNBV', 1)));
    assert.match(await sandbox.current.done('secrets', 'rotate'), /re-encrypted 1 /);
    const stored = () => withStore(async (store) => (await store.secondFactor(1))!.sealedSecret);
    const sealed = await stored();
    assert.equal(sealer(readFileSync(keyFile(), 'utf8')).decrypt(sealed, 1), 'GEZDGNBV');
    writeFileSync(keyFile(), `${randomBytes(32).toString('hex')}\n`);
    const refusal = /no available key decrypts the second factor of ada; .*errgate user reset-second-factor/;
    await sandbox.current.fails(1, refusal, 'secrets', 'rotate');
    assert.equal(await stored(), sealed);
  });

  it('continues a rotation that was interrupted', async () => {
    const [old, made] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];
    await seed(old);
    writeFileSync(keyFile(), `${made}\n${old}\n`, { mode: 0o600 });
    const { stderr, stdout } = await sandbox.current.run('secrets', 'rotate');
    assert.match(stderr, /was not finished/);
    assert.match(stdout, /encrypted 2/);
    assert.equal(readFileSync(keyFile(), 'utf8'), `${made}\n`);
    assert.deepEqual(await tokensWith(cipherOf(made)), TOKENS);
  });

  it('keeps every key while a token cannot be read, and names the project', async () => {
    const lost = randomBytes(32).toString('hex');
    const old = randomBytes(32).toString('hex');
    await seed(lost);
    writeFileSync(keyFile(), `${old}\n`, { mode: 0o600 });
    await sandbox.current.fails(
      1,
      /no available key decrypts the tokens, forwards, issue trackers, webhooks of issues or channels of alerts of acme\/one, acme\/two/,
      'secrets',
      'rotate',
    );
    const ring = readKeyRing({ secretKey: null, secretKeyPrevious: null, dataDir: sandbox.current.dataDir });
    assert.deepEqual([ring.length, ring[1]?.id], [2, parseSecretKey(old)?.id]);
  });

  it('says how to bring a new key into the environment, and does it with both set', async () => {
    const [old, made] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];
    await seed(old);
    const { env } = sandbox.current;
    sandbox.current.env = { ...env, ERRGATE_SECRET_KEY: old };
    const steps = await sandbox.current.done('secrets', 'rotate');
    assert.match(steps, /nothing was changed yet/);
    assert.match(steps, /ERRGATE_SECRET_KEY_PREVIOUS=[0-9a-f]{64} /);
    assert.deepEqual(await tokensWith(cipherOf(old)), TOKENS);

    sandbox.current.env = { ...env, ERRGATE_SECRET_KEY: made, ERRGATE_SECRET_KEY_PREVIOUS: old };
    assert.match(
      await sandbox.current.done('secrets', 'rotate'),
      /encrypted 2.*\n.*remove ERRGATE_SECRET_KEY_PREVIOUS/,
    );
    assert.deepEqual(await tokensWith(cipherOf(made)), TOKENS);
    assert.match(await sandbox.current.done('secrets', 'rotate'), /encrypted 0/);
  });

  it('takes the new key from a file that it creates', async () => {
    const old = randomBytes(32).toString('hex');
    await seed(old);
    sandbox.current.env = { ...sandbox.current.env, ERRGATE_SECRET_KEY: old };
    const file = join(sandbox.current.folder, 'new.key');
    const said = await sandbox.current.done('secrets', 'rotate', '--new-key-file', file);
    assert.match(said, /encrypted 2/);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.ok(!said.includes(readFileSync(file, 'utf8').trim()));
    assert.deepEqual(await tokensWith(cipherOf(readFileSync(file, 'utf8'))), TOKENS);
    assert.match(await sandbox.current.done('secrets', 'rotate', '--new-key-file', file), /encrypted 0/);
  });
});
