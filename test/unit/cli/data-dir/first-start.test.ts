import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashAccessToken } from '../../../../src/auth/access-token.ts';
import { hashPassword, verifyPassword } from '../../../../src/auth/password.ts';
import {
  bootstrap,
  type Bootstrapped,
  type FirstStart,
  isFirstStartDue,
} from '../../../../src/cli/data-dir/first-start.ts';
import { firstStartText } from '../../../../src/cli/data-dir/first-start-text.ts';
import type { Store } from '../../../../src/domain/ports/stores/store.ts';
import { openStore } from '../../../../src/storage/open/open-store.ts';

const URL = 'http://localhost:8080';

/** How passwords are hashed and checked. */
interface Passwords {
  readonly hash: (password: string) => Promise<string>;
  readonly verify: (password: string, stored: string) => Promise<boolean>;
}
const REAL: Passwords = { hash: hashPassword, verify: verifyPassword };
/** Costs nothing: scrypt takes up to a second per call on a busy machine. */
const CHEAP: Passwords = {
  hash: (password) => Promise.resolve(`cheap$${createHash('sha256').update(password).digest('hex')}`),
  verify: async (password, stored) => (await CHEAP.hash(password)) === stored,
};

describe('bootstrap', () => {
  let folder: string;
  let store: Store;
  let now: number;
  /** Data dirs whose starter got the answer that another one does it. */
  let lost: string[];
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'errgate-first-'));
    store = await openStore({ url: 'sqlite:', dataDir: folder });
    lost = [];
    now = Date.parse('2026-11-21T10:00:00Z');
  });
  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });

  function start(
    dataDir = folder,
    through = store,
    { integratedOffered = true, passwords = CHEAP } = {},
  ): Promise<Bootstrapped | null> {
    return bootstrap({
      store: through,
      clock: { now: () => now },
      url: URL,
      dataDir,
      integratedOffered,
      hashPassword: passwords.hash,
      onElsewhere: () => lost.push(dataDir),
    });
  }
  function dataDir(name: string): string {
    mkdirSync(join(folder, name));
    return join(folder, name);
  }
  /** Fails right behind the given write, as if the process had been killed there. */
  function killedBehind(method: keyof Store): Store {
    return new Proxy(store, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return async (...args: unknown[]) => {
          const result: unknown = await Reflect.apply(value, target, args);
          if (name === method) throw new Error('killed');
          return result;
        };
      },
    });
  }
  /** What was made is complete, works, and exists once. */
  async function assertComplete(made: FirstStart, passwords = CHEAP): Promise<void> {
    const user = await store.userByName('root');
    assert.equal(user?.admin, true);
    assert.equal(await passwords.verify(made.password, (await store.passwordHash(user.id)) ?? ''), true);
    const project = await store.projectById(made.project_id);
    assert.deepEqual(
      [project?.path, project?.visibility, project?.monitorEnabled],
      [made.project_path, 'private', true],
    );
    const settings = await store.settings(made.project_id);
    assert.deepEqual([settings?.active, settings?.integrated], [true, true]);
    const token = await store.tokenByHash(hashAccessToken(made.token));
    assert.deepEqual(
      [token?.userId, token?.name, token?.scopes, token?.expiresAt],
      [user.id, 'first-start', ['api'], null],
    );
    const keys = await store.listKeys(made.project_id);
    assert.equal(
      made.dsn,
      `http://${keys[0]?.publicKey ?? ''}@localhost:8080/errortracking/api/v1/projects/${made.project_id}`,
    );
    assert.equal(await store.accessLevel(made.project_id, user.id), 50);
    const counts = [await store.listUsers(), await store.listProjects(), await store.listTokens(null), keys];
    assert.deepEqual(
      counts.map((items) => items.length),
      [1, 1, 1, 1],
    );
  }

  it('shows and keeps no DSN where the integrated backend is not offered, but says to connect a tracker', async () => {
    const made = await start(folder, store, { integratedOffered: false });
    assert.ok(made);
    const written = JSON.parse(readFileSync(made.file, 'utf8')) as FirstStart;
    assert.deepEqual(Object.keys(written), [...Object.keys(written).slice(0, 6), 'dsn']);
    assert.equal(written.dsn, null);
    const text = firstStartText(made.firstStart, made.file);
    assert.doesNotMatch(text, /DSN {2,}|Send a first error|curl|errortracking\/api/);
    assert.match(text, /connect the project to an external tracker.*\n\n {2}http:\S+\/-\/settings\/operations\n/s);
  });

  it('is needed on an empty store until it is complete, and not on one that was filled in another way', async () => {
    assert.equal(await isFirstStartDue(store), true);
    await start();
    assert.equal(await isFirstStartDue(store), false);
    const other = await openStore({ url: 'sqlite:', dataDir: dataDir('filled') });
    await other.createProject({ path: 'acme/shop', name: 'Shop', visibility: 'private' });
    assert.equal(await isFirstStartDue(other), false);
    await other.close();
  });

  it('makes everything once and writes it to a private file', async () => {
    const made = await start(folder, store, { passwords: REAL });
    assert.ok(made);
    await assertComplete(made.firstStart, REAL);
    const file = join(folder, 'first-start.json');
    assert.equal(made.file, file);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const written = JSON.parse(readFileSync(file, 'utf8')) as FirstStart;
    assert.deepEqual(written, made.firstStart);
    assert.deepEqual(Object.keys(written), [
      'url',
      'username',
      'password',
      'token',
      'project_id',
      'project_path',
      'dsn',
    ]);
    assert.equal(await start(), null);
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.startsWith('first-start')),
      ['first-start.json'],
    );
  });

  const writes = [
    'initMeta',
    'createUser',
    'createProject',
    'updateProject',
    'setMember',
    'saveSettings',
    'createToken',
    'createKey',
    'setMeta',
  ] as const;
  for (const method of writes) {
    it(`is completed by the next start after a kill behind ${method}`, async () => {
      await assert.rejects(start(folder, killedBehind(method)), /killed/);
      const made = await start();
      // The mark that everything is done is the last write: behind it nothing is left to do.
      assert.equal(made === null, method === 'setMeta');
      const written = JSON.parse(readFileSync(join(folder, 'first-start.json'), 'utf8')) as FirstStart;
      await assertComplete(written);
      if (made !== null) assert.deepEqual(made.firstStart, written);
      assert.deepEqual(
        readdirSync(folder).filter((name) => name.startsWith('first-start')),
        ['first-start.json'],
      );
    });
  }

  it('happens once when two starters share the store', async () => {
    const dirs = [dataDir('a'), dataDir('b')];
    const made = await Promise.all(dirs.map((dir) => start(dir)));
    const [one, ...more] = made.filter((result) => result !== null);
    assert.ok(one);
    assert.deepEqual(more, []);
    await assertComplete(one.firstStart);
    const loser = dirs[made.indexOf(null)] ?? '';
    assert.deepEqual(lost, [loser]);
    assert.deepEqual(readdirSync(loser), [], 'the loser keeps no secrets that open nothing');
  });

  it('is taken over from a starter that crashed for good, after a minute', async () => {
    await assert.rejects(start(dataDir('a'), killedBehind('createToken')), /killed/);
    const b = dataDir('b');
    now += 59_000;
    assert.equal(await start(b), null);
    assert.deepEqual(lost, [b]);
    now += 2000;
    const made = await start(b);
    assert.ok(made);
    const { token } = JSON.parse(readFileSync(join(b, 'first-start.json'), 'utf8')) as FirstStart;
    assert.equal(token, made.firstStart.token);
    const user = await store.userByName('root');
    assert.ok(user);
    assert.equal(await CHEAP.verify(made.firstStart.password, (await store.passwordHash(user.id)) ?? ''), true);
    assert.equal(await start(join(folder, 'a')), null, 'the first one comes too late');
  });

  it('leaves a store alone that somebody has set up already', async () => {
    await store.createProject({ path: 'acme/shop', name: 'Shop', visibility: 'private' });
    assert.equal(await start(), null);
    assert.equal(existsSync(join(folder, 'first-start.json')), false);
    await store.deleteProject(1);
    assert.equal(await start(), null, 'also when it is empty later');
  });

  it('does not replace the file of an earlier store', async () => {
    writeFileSync(join(folder, 'first-start.json'), '{"token":"old"}');
    const made = await start();
    assert.equal(made?.file, join(folder, 'first-start-20261121T100000Z.json'));
    assert.equal(readFileSync(join(folder, 'first-start.json'), 'utf8'), '{"token":"old"}');
    assert.equal((JSON.parse(readFileSync(made.file, 'utf8')) as FirstStart).token, made.firstStart.token);
  });
});
