import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { loadConfig } from '../../../config/load.ts';
import {
  type ComposeService,
  makeComposeSecrets,
  readComposeFile,
  servicesOf,
  volumeAt,
} from '../../support/compose-file.ts';
import { readRoot, ROOT } from '../../support/doc-pages.ts';

const FILE = readComposeFile();
const DOCKERFILE = readRoot('Dockerfile');
const PROFILES = ['embedded', 'cluster'] as const;

/** Services that run the image of this repository. */
const gateways = Object.entries(FILE.services).filter(([, { build }]) => build !== undefined);

function service(name: string): ComposeService {
  return FILE.services[name] ?? assert.fail(`there is no service ${name}`);
}

/** Makes the secrets in a folder, as the user of the tests. */
function makeSecrets(folder: string): void {
  makeComposeSecrets(FILE, folder, `chown() { echo "$*" >>${folder}/owners; }`);
}

describe('compose.yaml', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'errgate-compose-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('has services for both ways, each with a profile', () => {
    const found = PROFILES.map((profile) => [...servicesOf(FILE, profile).keys()].sort());
    assert.deepEqual(found, [['errgate'], ['gateway-1', 'gateway-2', 'mongo', 'proxy', 'secrets']]);
    assert.equal(found.flat().length, Object.keys(FILE.services).length);
  });

  it('gives gateways settings that they take', () => {
    makeSecrets(folder);
    const inImage = Object.fromEntries(
      [...(/^ENV (.*)$/m.exec(DOCKERFILE)?.[1] ?? '').matchAll(/(\w+)=(\S+)/g)].map(([, name = '', value = '']) => [
        name,
        value,
      ]),
    );
    for (const [name, { environment = {} }] of gateways) {
      const here = Object.entries(environment).map(([key, value]) => [key, value.replace('/secrets', folder)]);
      const config = loadConfig({ env: { ...inImage, ...(Object.fromEntries(here) as Record<string, string>) } });
      assert.equal(config.server.externalUrl, 'http://localhost:8080', name);
      assert.equal(config.store.url.startsWith('mongodb://'), name !== 'errgate', name);
    }
  });

  it('sends people who ask without TLS to the port of TLS, once there is one', () => {
    const [, inCaddyfile] = /http_port \{\$(\w+):80\}/.exec(readRoot('deploy/caddy/Caddyfile')) ?? [];
    const { environment = {}, ports = [] } = service('proxy');
    const targets = ports.map(({ target }) => String(target));
    assert.deepEqual(targets, [environment[inCaddyfile ?? ''], '443']);
    assert.equal(environment['SITE'], `:${targets[0]}`, 'the same port serves people without a name');
  });

  it('has the address that people set, and the port of it unless they do', () => {
    const of = (env: Record<string, string>) => readComposeFile(env).services['errgate']?.environment;
    assert.equal(of({ PUBLISH_PORT: '9000' })?.['ERRGATE_EXTERNAL_URL'], 'http://localhost:9000');
    const url = 'https://errors.example.com';
    assert.equal(of({ PUBLISH_PORT: '9000', ERRGATE_EXTERNAL_URL: url })?.['ERRGATE_EXTERNAL_URL'], url);
  });

  it('agrees with the Dockerfile on port, volume, user and the time to stop', () => {
    const [, exposed] = /^EXPOSE (\d+)$/m.exec(DOCKERFILE) ?? [];
    const [, volume = ''] = /^VOLUME (\S+)$/m.exec(DOCKERFILE) ?? [];
    const [, user = ''] = /^USER (\S+)$/m.exec(DOCKERFILE) ?? [];
    const { shutdownTimeoutMs } = loadConfig({ env: {} }).server;
    const data = gateways.map(([, gateway]) => volumeAt(gateway, volume));
    assert.equal(new Set(data).size, gateways.length, 'each gateway has a journal of its own');
    for (const [name, gateway] of gateways) {
      assert.equal(gateway.user, undefined, name);
      assert.ok(Number.parseInt(gateway.stop_grace_period ?? '0', 10) * 1000 >= 2 * shutdownTimeoutMs, name);
    }
    assert.deepEqual(service('errgate').ports, [{ host_ip: '127.0.0.1', published: 8080, target: Number(exposed) }]);
    const upstreams = service('proxy').environment?.['GATEWAYS']?.split(' ');
    const others = gateways.map(([name]) => name).filter((name) => name !== 'errgate');
    assert.deepEqual(
      upstreams,
      others.map((name) => `${name}:${exposed}`),
    );
    assert.match(service('secrets').command?.[0] ?? '', new RegExp(`chown -R ${user} /secrets/errgate`));
    for (const name of others) assert.equal(service(name).ports, undefined, `${name} is reached by the proxy alone`);
  });

  it('names volumes that it declares, and files that are there', () => {
    const named = Object.values(FILE.services).flatMap(({ volumes = [] }) => volumes.map((text) => text.split(':')[0]));
    const [files, volumes] = [
      named.filter((name) => name?.startsWith('.')),
      named.filter((name) => !name?.startsWith('.')),
    ];
    assert.deepEqual([...new Set(volumes)].sort(), Object.keys(FILE.volumes).sort());
    assert.ok(files.length > 0);
    for (const name of files) assert.ok(existsSync(join(ROOT, name ?? '')), name);
  });

  it('lets every container do as little as it can', () => {
    for (const [name, found] of Object.entries(FILE.services)) {
      assert.equal(found.read_only, true, name);
      assert.deepEqual(found.cap_drop, ['ALL'], name);
      assert.deepEqual(found.security_opt, ['no-new-privileges:true'], name);
      assert.doesNotMatch(found.image, /^[^:]+:latest$/, name);
      for (const variable of Object.keys(found.environment ?? {})) {
        assert.doesNotMatch(variable, /(PASSWORD|SECRET|KEY|TOKEN|STORE_URL)$/, `${name} ships ${variable}`);
      }
    }
  });

  it('makes secrets once, new ones in each installation', () => {
    makeSecrets(folder);
    const read = (path: string) => readFileSync(join(folder, path), 'utf8');
    const names = ['mongo/key-file', 'mongo/root-password', 'mongo/errgate-password', 'errgate/secret-key'];
    const made = names.map(read);
    for (const secret of made) assert.match(secret, /^[0-9a-f]{64}$/);
    assert.equal(new Set(made).size, names.length);
    const url = new URL(read('errgate/store-url'));
    assert.equal(url.password, read('mongo/errgate-password'));
    assert.deepEqual(
      [url.username, url.host, url.pathname, url.searchParams.get('replicaSet'), url.searchParams.get('authSource')],
      ['errgate', 'mongo:27017', '/errgate', 'rs0', 'errgate'],
    );
    for (const name of [...names, 'errgate/store-url']) assert.equal(statSync(join(folder, name)).mode & 0o077, 0);
    assert.equal(read('owners'), `-R 999:999 ${folder}/mongo\n-R 10001:10001 ${folder}/errgate\n`);
    makeSecrets(folder);
    assert.deepEqual(names.map(read), made);
    // Was interrupted before anything used them.
    rmSync(join(folder, 'complete'));
    makeSecrets(folder);
    assert.notDeepEqual(names.map(read), made);
  });

  describe('its health check of MongoDB', () => {
    /** MongoDB as mongosh shows it to a script. */
    class FakeSet {
      readonly done: string[] = [];
      initiated = false;
      primary = false;
      user = false;
      trouble = 'NotYetInitialized';

      /** Runs the script; returns the message of its error, null without one. */
      check(secrets: string): string | null {
        const db = {
          auth: (user: string, given: string) => this.done.push(`auth ${user} ${given}`),
          hello: () => ({ isWritablePrimary: this.primary }),
          getSiblingDB: (name: string) => ({
            getUser: (user: string) => (this.user ? { user } : null),
            createUser: (user: object) => {
              this.done.push(`${name} ${JSON.stringify(user)}`);
              this.user = true;
            },
          }),
        };
        const rs = {
          status: () => {
            if (!this.initiated) throw Object.assign(new Error(this.trouble), { codeName: this.trouble });
          },
          initiate: (set: object) => {
            this.done.push(JSON.stringify(set));
            this.initiated = true;
          },
        };
        const script = readRoot('deploy/mongo/replica-set.js').replace('/secrets', secrets);
        const require = () => ({ readFileSync });
        try {
          runInContext(script, createContext({ db, rs, require, Error }));
          return null;
        } catch (error) {
          return (error as Error).message;
        }
      }
    }

    beforeEach(() => {
      makeSecrets(folder);
      for (const name of ['root', 'errgate']) writeFileSync(join(folder, 'mongo', `${name}-password`), name);
    });

    it('sets the replica set up under the name of the service, and the user of errgate', () => {
      const set = new FakeSet();
      assert.equal(set.check(folder), 'there is no primary yet');
      const initiated = JSON.stringify({ _id: 'rs0', members: [{ _id: 0, host: 'mongo:27017' }] });
      assert.deepEqual(set.done, ['auth root root', initiated]);
      set.primary = true;
      assert.equal(set.check(folder), null);
      const roles = [{ role: 'readWrite', db: 'errgate' }];
      const user = `errgate ${JSON.stringify({ user: 'errgate', pwd: 'errgate', roles })}`;
      assert.deepEqual(set.done.slice(2), ['auth root root', user]);
      assert.equal(set.check(folder), null);
      assert.deepEqual(set.done.slice(4), ['auth root root']);
      assert.ok(service('mongo').healthcheck?.test.includes('/health.js'));
      assert.ok(service('mongo').command?.includes('rs0'));
      assert.equal(volumeAt(service('mongo'), '/health.js'), './deploy/mongo/replica-set.js');
    });

    it('touches nothing in other states', () => {
      const set = new FakeSet();
      set.trouble = 'NoReplicationEnabled';
      assert.equal(set.check(folder), 'NoReplicationEnabled');
      assert.deepEqual(set.done, ['auth root root']);
    });
  });
});
