import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig, maskedConfig } from '../../../config/load.ts';
import { AppError } from '../../../src/domain/app-error.ts';

function problemsOf(env: NodeJS.ProcessEnv): string {
  try {
    loadConfig({ env });
  } catch (error) {
    assert.ok(error instanceof AppError);
    assert.equal(error.code, 'invalid_configuration');
    return error.message;
  }
  return assert.fail('the configuration was accepted');
}

describe('loadConfig', () => {
  it('takes a header of the sign-in only with trusted proxies, and none that has another meaning', () => {
    const trusted = { ERRGATE_TRUSTED_PROXIES: '10.0.0.1' };
    assert.equal(loadConfig({ env: {} }).server.authHeader, null);
    const { server } = loadConfig({ env: { ...trusted, ERRGATE_AUTH_HEADER: 'Remote-User' } });
    assert.equal(server.authHeader, 'Remote-User');
    for (const proxies of [{}, { ERRGATE_TRUSTED_PROXIES: ' , ' }]) {
      assert.match(
        problemsOf({ ...proxies, ERRGATE_AUTH_HEADER: 'Remote-User' }),
        /server\.authHeader.*needs server\.trustedProxies \(ERRGATE_TRUSTED_PROXIES\)/,
      );
    }
    for (const header of ['Cookie', 'authorization', 'X-Forwarded-For', 'Sec-Fetch-Site']) {
      assert.match(problemsOf({ ...trusted, ERRGATE_AUTH_HEADER: header }), /another meaning/);
    }
    assert.match(problemsOf({ ...trusted, ERRGATE_AUTH_HEADER: 'Remote User' }), /the name of a header/);
  });

  it('answers the documented defaults without any variable', () => {
    const config = loadConfig({ env: {} });
    assert.equal(config.server.host, '127.0.0.1');
    assert.equal(config.server.port, 8080);
    assert.equal(config.dataDir, './data');
    assert.equal(config.store.url, 'sqlite:');
    assert.equal(config.store.retentionDays, 90);
    assert.equal(config.store.maxEventsPerError, 10_000);
    assert.equal(config.journal.durability, 'power-loss');
    assert.equal(config.journal.maxBytes, 4 * 2 ** 30);
    assert.equal(config.journal.minFreeDiskBytes, 2 ** 30);
    assert.equal(config.integrated.enabled, true);
    assert.equal(config.bootstrap, true);
  });

  it('takes variables, with sizes in words', () => {
    const config = loadConfig({
      env: {
        ERRGATE_PORT: '0',
        ERRGATE_JOURNAL_MAX_BYTES: '512MiB',
        ERRGATE_MIN_FREE_DISK: '1 GB',
        ERRGATE_INTEGRATED_ENABLED: 'false',
        ERRGATE_EXTERNAL_URL: 'https://errors.example.com/errgate',
      },
    });
    assert.equal(config.server.port, 0);
    assert.equal(config.journal.maxBytes, 512 * 2 ** 20);
    assert.equal(config.journal.minFreeDiskBytes, 1e9);
    assert.equal(config.integrated.enabled, false);
    assert.equal(config.server.externalUrl, 'https://errors.example.com/errgate');
  });

  it('lets an operator file win over defaults and a variable over the file', () => {
    const dir = mkdtempSync(join(tmpdir(), 'errgate-config-'));
    try {
      writeFileSync(join(dir, 'default.json'), JSON.stringify({ server: { port: 9000 }, store: { retentionDays: 7 } }));
      const config = loadConfig({ env: { ERRGATE_CONFIG_DIR: dir, ERRGATE_RETENTION_DAYS: '8' } });
      assert.equal(config.server.port, 9000);
      assert.equal(config.store.retentionDays, 8);
      assert.equal(config.server.host, '127.0.0.1');
    } finally {
      rmSync(dir, { recursive: true });
    }
  });

  it('names every problem at once, unknown variables included, and no values', () => {
    const text = problemsOf({
      ERRGATE_PORT: '99999',
      ERRGATE_DURABILITY: 'maybe',
      ERRGATE_SECRET_KEY: 'hunter2',
      ERRGATE_RETENTION_DAYZ: '3',
    });
    assert.match(text, /server\.port \(ERRGATE_PORT\) must be <= 65535/);
    assert.match(text, /journal\.durability \(ERRGATE_DURABILITY\) must be one of power-loss, process-crash/);
    assert.match(text, /secretKey/);
    assert.match(text, /ERRGATE_RETENTION_DAYZ is no setting/);
    assert.doesNotMatch(text, /hunter2/);
  });

  it('lists addresses that are none with everything else', () => {
    const text = problemsOf({
      ERRGATE_EXTERNAL_URL: 'https://errors.example.com:99999',
      ERRGATE_TRUSTED_PROXIES: '10.0.0.0/8, proxy.example.com',
      ERRGATE_LOG_LEVEL: 'loud',
    });
    assert.match(text, /server\.externalUrl \(ERRGATE_EXTERNAL_URL\) must be an address/);
    assert.match(text, /server\.trustedProxies \(ERRGATE_TRUSTED_PROXIES\) must be IP addresses or CIDRs/);
    assert.match(text, /log\.level/);
    assert.doesNotMatch(text, /proxy\.example/);
    const fine = {
      ERRGATE_TRUSTED_PROXIES: '10.0.0.0/8, ::1,192.0.2.1',
      ERRGATE_EXTERNAL_URL: 'http://[::1]:8080/sub',
    };
    assert.equal(loadConfig({ env: fine }).server.externalUrl, 'http://[::1]:8080/sub');
  });

  it('refuses a folder that does not exist and a file that is no JSON', () => {
    assert.match(problemsOf({ ERRGATE_CONFIG_DIR: '/nowhere/at/all' }), /does not exist/);
    const dir = mkdtempSync(join(tmpdir(), 'errgate-config-'));
    try {
      writeFileSync(join(dir, 'default.json'), '{ nonsense');
      assert.match(problemsOf({ ERRGATE_CONFIG_DIR: dir }), /cannot be read/);
    } finally {
      rmSync(dir, { recursive: true });
    }
  });

  it('reads variables from files that their name with _FILE names', () => {
    const dir = mkdtempSync(join(tmpdir(), 'errgate-config-'));
    try {
      const file = join(dir, 'mail-url');
      writeFileSync(file, 'smtp://errgate:p%40ss@mail.example.com:587\n');
      assert.equal(
        loadConfig({ env: { ERRGATE_MAIL_URL_FILE: file } }).mail.url,
        'smtp://errgate:p%40ss@mail.example.com:587',
      );
      const both = problemsOf({ ERRGATE_MAIL_URL_FILE: file, ERRGATE_MAIL_URL: 'smtp://localhost' });
      assert.match(both, /ERRGATE_MAIL_URL and ERRGATE_MAIL_URL_FILE are both set/);
      const missing = problemsOf({ ERRGATE_METRICS_TOKEN_FILE: join(dir, 'none'), ERRGATE_NONE_FILE: file });
      assert.match(missing, /ERRGATE_METRICS_TOKEN_FILE names .*none, which cannot be read \(ENOENT\)/);
      assert.match(missing, /ERRGATE_NONE_FILE is no setting/);
    } finally {
      rmSync(dir, { recursive: true });
    }
  });

  it('answers a frozen object', () => {
    const config = loadConfig({ env: {} });
    assert.throws(() => Object.assign(config.server, { port: 1 }), TypeError);
  });
});

describe('maskedConfig', () => {
  it('hides what is secret and shows what is not', () => {
    const key = 'ab'.repeat(32);
    const text = JSON.stringify(
      maskedConfig(loadConfig({ env: { ERRGATE_SECRET_KEY: key, ERRGATE_METRICS_TOKEN: 'tell-nobody' } })),
    );
    assert.doesNotMatch(text, /abab|tell-nobody/);
    assert.match(text, /"port":8080/);
    assert.match(text, /"secretKey":"\*+"/);
  });

  it('hides the credentials in the address of a store', () => {
    const url =
      'mongodb+srv://user:hunter2@db.example.com/errgate?tls=true&tlsCertificateKeyFilePassword=hunter2&authMechanismProperties=AWS_SESSION_TOKEN:hunter2';
    const text = JSON.stringify(maskedConfig(loadConfig({ env: { ERRGATE_STORE_URL: url } })));
    assert.doesNotMatch(text, /hunter2|user:/);
    assert.match(text, /db\.example\.com\/errgate\?tls=true/);
  });
});

describe('mail', () => {
  for (const url of ['smtp://localhost', 'smtp://u:p%40%2F@mail.example.com:587', 'smtps://[::1]:465/']) {
    it(`takes ${url}`, () => {
      assert.equal(loadConfig({ env: { ERRGATE_MAIL_URL: url } }).mail.url, url);
    });
  }
  for (const url of [
    'mail.example.com',
    'http://mail.example.com',
    'smtp://',
    'smtp://u:p@ss@host',
    'smtp://u:%zz@h:25',
    'smtp://h:99999',
  ]) {
    it(`refuses ${url} without showing it`, () => {
      const problems = problemsOf({ ERRGATE_MAIL_URL: url });
      assert.match(problems, /mail\.url \(ERRGATE_MAIL_URL\) must /);
      assert.doesNotMatch(problems, /p@ss|%zz/);
    });
  }

  it('takes a sender with and without a name, and no line breaks', () => {
    for (const from of ['errgate@example.com', 'Errors <errgate@example.com>']) {
      assert.equal(loadConfig({ env: { ERRGATE_MAIL_FROM: from } }).mail.from, from);
    }
    for (const from of ['errgate', 'Errors', 'a@b@c', 'Errors\r\nBcc: x <e@example.com>']) {
      assert.match(problemsOf({ ERRGATE_MAIL_FROM: from }), /mail\.from \(ERRGATE_MAIL_FROM\) must be an address/);
    }
    assert.match(problemsOf({ ERRGATE_MAIL_NAME: 'a b' }), /mail\.name \(ERRGATE_MAIL_NAME\) must be a host name/);
  });

  it('shows its server without user and password', () => {
    const text = JSON.stringify(
      maskedConfig(loadConfig({ env: { ERRGATE_MAIL_URL: 'smtp://me:hunter2@h.example:25' } })),
    );
    assert.doesNotMatch(text, /hunter2|me:/);
    assert.match(text, /@h\.example:25/);
  });
});

describe('store.url', () => {
  for (const url of [
    'sqlite:',
    'sqlite:/var/lib/errgate/errgate.db',
    'mongodb://127.0.0.1:27017/errgate',
    'mongodb://u:p%40@a:1,b:2/errgate?replicaSet=rs0',
    'mongodb+srv://u:p@db.example.com/errgate',
  ]) {
    it(`may be ${url}`, () => {
      assert.equal(loadConfig({ env: { ERRGATE_STORE_URL: url } }).store.url, url);
    });
  }

  for (const url of ['sqlite:relative', 'mongodb:', 'mongodb://', 'postgres://hunter2@host/x', 'mongodb://a b/x']) {
    it(`may not be ${url}; the message does not repeat it`, () => {
      const problems = problemsOf({ ERRGATE_STORE_URL: url });
      assert.match(
        problems,
        /store\.url \(ERRGATE_STORE_URL\) must be sqlite: \(a file in the data dir\), .* or mongodb\+srv:/,
      );
      assert.doesNotMatch(problems, /pattern|\^/);
      assert.doesNotMatch(problems, /hunter2/);
    });
  }
});
