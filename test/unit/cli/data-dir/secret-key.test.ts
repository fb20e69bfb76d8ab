import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../../../config/schema.ts';
import { loadConfig } from '../../../../config/load.ts';
import { checkSecretKey, ensureSecretKey } from '../../../../src/cli/data-dir/secret-key.ts';
import type { Store } from '../../../../src/domain/ports/stores/store.ts';
import { openStore } from '../../../../src/storage/open/open-store.ts';

const [ONE, TWO] = ['11', '22'].map((digits) => digits.repeat(32));
const SHARED = 'mongodb://127.0.0.1:1/x';

describe('secret key', () => {
  let dataDir: string;
  let store: Store;
  let warnings: string[];
  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'errgate-secret-'));
    store = await openStore({ url: 'sqlite:', dataDir });
    warnings = [];
  });
  afterEach(async () => {
    await store.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  function configOf(secretKey: string | undefined, url = 'sqlite:'): Config {
    return loadConfig({ env: {}, overrides: { secretKey: secretKey ?? null, store: { url } } });
  }
  const check = (config: Config) =>
    checkSecretKey({ config, dataDir, store, warn: (message) => warnings.push(message) });

  it('is made in a private file where the configuration names none', () => {
    ensureSecretKey(configOf(undefined), dataDir);
    assert.equal(statSync(join(dataDir, 'secret.key')).mode & 0o777, 0o600);
  });

  it('must be given where gateways share the store', () => {
    assert.throws(() => ensureSecretKey(configOf(undefined, SHARED), dataDir), {
      code: 'invalid_configuration',
      message: /ERRGATE_SECRET_KEY is required/,
    });
    ensureSecretKey(configOf(ONE, SHARED), dataDir);
  });

  it('is learnt by a new store and recognised in both its forms', async () => {
    await check(configOf(ONE, SHARED));
    await check(configOf(ONE, SHARED));
    await check(configOf(Buffer.from(ONE ?? '', 'hex').toString('base64'), SHARED));
    assert.deepEqual(warnings, []);
  });

  it('must be the same everywhere where gateways share the store; the message shows no key', async () => {
    await check(configOf(ONE, SHARED));
    await assert.rejects(check(configOf(TWO, SHARED)), (error: unknown) => {
      assert.ok(error instanceof Error);
      assert.match(error.message, /another secret key .* restore the former key in ERRGATE_SECRET_KEY/);
      assert.doesNotMatch(error.message, /1111|2222/);
      return true;
    });
    await check(configOf(ONE, SHARED));
  });

  it('may change on one machine while nothing is encrypted', async () => {
    await check(configOf(ONE));
    await check(configOf(TWO));
    assert.equal(warnings.length, 1);
    await check(configOf(TWO));
    assert.equal(warnings.length, 1);
  });

  it('may not change once tokens are encrypted under it', async () => {
    writeFileSync(join(dataDir, 'secret.key'), `${ONE ?? ''}\n`);
    await check(configOf(undefined));
    const project = await store.createProject({ path: 'g/p', name: 'p', visibility: 'private' });
    await store.saveSettings(project.id, { integrated: false, sealedToken: 'encrypted' });
    writeFileSync(join(dataDir, 'secret.key'), `${TWO ?? ''}\n`);
    await assert.rejects(check(configOf(undefined)), {
      message: new RegExp(`restore the former key in ${dataDir}/secret\\.key$`),
    });
    writeFileSync(join(dataDir, 'secret.key'), `${TWO ?? ''}\n${ONE ?? ''}\n`);
    await check(configOf(undefined));
    assert.deepEqual(warnings, []);
  });
});
