import assert from 'node:assert/strict';
import fc from 'fast-check';
import { cleanClient, readCredentials, readDsn, rememberingCredentials } from '../../../src/auth/ingest-credentials.ts';
import { AppError } from '../../../src/domain/app-error.ts';
import { processorMs } from '../../support/processor-time.ts';

function read(parts: { sentryAuth?: string; authorization?: string; query?: string }) {
  return readCredentials({
    sentryAuth: parts.sentryAuth,
    authorization: parts.authorization,
    query: parts.query ?? '',
  });
}

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
const refused = (error: unknown) => error instanceof AppError && error.code === 'ingest_unauthorized';

describe('ingest credentials', () => {
  const spellings: [what: string, header: string, client: string | null][] = [
    [
      'python',
      'Sentry sentry_key=glet_1, sentry_version=7, sentry_client=sentry.python/2.68.0',
      'sentry.python/2.68.0',
    ],
    [
      'java, no blanks',
      'Sentry sentry_version=7,sentry_client=sentry.java/8.53.0,sentry_key=glet_1',
      'sentry.java/8.53.0',
    ],
    ['ruby, with timestamp', 'Sentry sentry_version=7, sentry_timestamp=1795199922, sentry_key=glet_1', null],
    [
      'raven, with secret',
      'Sentry sentry_key=glet_1,sentry_secret=s,sentry_version=5,sentry_client=raven-x/1',
      'raven-x/1',
    ],
    ['any case of the word', 'SENTRY sentry_key=glet_1', null],
    ['unknown keys', 'sentry a=b, sentry_key=glet_1, sentry_future=1', null],
    ['version with a part after the dot', 'Sentry sentry_key=glet_1, sentry_version=7.0', null],
    ['blanks around everything', '  Sentry   sentry_key = glet_1 ,  sentry_version = 7 ', null],
  ];
  for (const [what, header, client] of spellings) {
    it(`reads X-Sentry-Auth and Authorization as ${what} writes it`, () => {
      assert.deepEqual(read({ sentryAuth: header }), { publicKey: 'glet_1', client });
      assert.deepEqual(read({ authorization: header }), { publicKey: 'glet_1', client });
    });
  }

  it('reads the query of browser and Node SDKs', () => {
    const query = 'sentry_version=7&sentry_key=glet_1&sentry_client=sentry.javascript.node%2F10.22.0';
    assert.deepEqual(read({ query }), { publicKey: 'glet_1', client: 'sentry.javascript.node/10.22.0' });
  });

  it('reads Basic with an empty password, and leaves other logins alone', () => {
    assert.equal(read({ authorization: basic('glet_1:') }).publicKey, 'glet_1');
    assert.equal(read({ authorization: basic('user:password') }).publicKey, null);
    assert.equal(read({ authorization: basic('user:password'), query: 'sentry_key=glet_1' }).publicKey, 'glet_1');
    assert.equal(read({ authorization: 'Bearer glet_1' }).publicKey, null);
  });

  it('finds nothing where nothing is', () => {
    assert.deepEqual(read({}), { publicKey: null, client: null });
    assert.equal(read({ sentryAuth: 'Sentry sentry_version=7' }).publicKey, null);
    assert.equal(read({ sentryAuth: 'nonsense' }).publicKey, null);
    assert.equal(read({ query: 'a=b' }).publicKey, null);
  });

  it('accepts several carriers that agree and refuses those that differ', () => {
    const sentryAuth = 'Sentry sentry_key=glet_1';
    assert.equal(read({ sentryAuth, authorization: basic('glet_1:'), query: 'sentry_key=glet_1' }).publicKey, 'glet_1');
    assert.throws(() => read({ sentryAuth, query: 'sentry_key=glet_2' }), refused);
    assert.throws(() => read({ sentryAuth, authorization: 'Sentry sentry_key=glet_2' }), refused);
    assert.throws(() => read({ sentryAuth, authorization: basic('glet_2:') }), refused);
    assert.throws(() => read({ query: 'sentry_key=glet_1&sentry_key=glet_2' }), refused);
    assert.throws(() => read({ sentryAuth: 'Sentry sentry_key=a, Sentry sentry_key=b' }), refused);
  });

  it('refuses versions above 8 and keys that are none', () => {
    assert.equal(read({ sentryAuth: 'Sentry sentry_key=glet_1, sentry_version=8' }).publicKey, 'glet_1');
    assert.throws(() => read({ sentryAuth: 'Sentry sentry_key=glet_1, sentry_version=9' }), refused);
    assert.throws(() => read({ query: 'sentry_key=glet_1&sentry_version=9' }), refused);
    assert.throws(() => read({ query: 'sentry_key=a-b' }), refused);
    assert.throws(() => read({ query: 'sentry_key=' }), refused);
    assert.throws(() => read({ query: `sentry_key=${'a'.repeat(256)}` }), refused);
    assert.equal(read({ query: `sentry_key=${'a'.repeat(255)}` }).publicKey?.length, 255);
  });

  it('never fails with anything else, whatever comes in', () => {
    const text = fc.oneof(
      fc.string(),
      fc.string().map((tail) => `Sentry ${tail}`),
      fc.string().map((tail) => `sentry_key=${tail}`),
    );
    fc.assert(
      fc.property(text, text, text, (sentryAuth, authorization, query) => {
        try {
          read({ sentryAuth, authorization, query });
        } catch (error) {
          assert.ok(refused(error));
        }
      }),
    );
  });
});

describe('readDsn', () => {
  it('takes the key before the @ and the last part of the path', () => {
    const expected = { publicKey: 'glet_1', dsnId: '42' };
    assert.deepEqual(readDsn('https://glet_1@errors.example.com/errortracking/api/v1/projects/42'), expected);
    assert.deepEqual(readDsn('http://glet_1:secret@127.0.0.1:8080/42'), expected);
    assert.deepEqual(readDsn('http://glet_1@[::1]:8080/a.b/c-d/42/'), expected);
    assert.deepEqual(readDsn('http://glet_1@host/0042'), expected);
    assert.equal(readDsn('http://glet_1@host/0')?.dsnId, '0');
    assert.equal(readDsn('http://glet_1@host/old-Shop_1')?.dsnId, 'old-Shop_1');
    assert.equal(readDsn(`http://glet_1@host/${'9'.repeat(64)}`)?.dsnId, '9'.repeat(64));
  });

  it('answers null to everything else', () => {
    for (const dsn of [
      '',
      'x',
      'https://host/42',
      'https://a-b@host/42',
      'https://k@host',
      'https://k@host/',
      'https://k@host/a.b',
      'https://k@host/a%20b',
      `https://k@host/${'9'.repeat(65)}`,
      `https://k@host/${'a/'.repeat(2000)}1`,
    ]) {
      assert.equal(readDsn(dsn), null, dsn);
    }
  });

  it('are the same from memory', () => {
    const remembering = rememberingCredentials();
    const header = 'Sentry sentry_key=glet_1, sentry_client=a/1';
    const carriers = [
      { sentryAuth: header, authorization: undefined, query: '' },
      { sentryAuth: undefined, authorization: header, query: '' },
      { sentryAuth: header, authorization: undefined, query: 'sentry_key=glet_1&sentry_client=b/2' },
      { sentryAuth: undefined, authorization: undefined, query: 'sentry_key=glet_2' },
      { sentryAuth: undefined, authorization: undefined, query: '' },
      { sentryAuth: `${header}${' '.repeat(1000)}`, authorization: undefined, query: '' },
    ];
    for (const time of ['first', 'second']) {
      for (const one of carriers) assert.deepEqual(remembering(one), readCredentials(one), time);
      const differ = { sentryAuth: header, authorization: undefined, query: 'sentry_key=glet_2' };
      assert.throws(() => remembering(differ), refused, time);
    }
  });

  it('stays fast on hostile text', () => {
    const took = processorMs(() => readDsn(`http://k@h${'/1'.repeat(50_000)}x?`));
    assert.ok(took < 2000, `${took} ms`);
  });
});

describe('cleanClient', () => {
  it('makes one bounded line', () => {
    assert.equal(cleanClient('a\r\nb\u0000c'), 'a b c');
    assert.equal(cleanClient('x'.repeat(1000))?.length, 200);
    assert.equal(cleanClient(' \n'), null);
  });
});
