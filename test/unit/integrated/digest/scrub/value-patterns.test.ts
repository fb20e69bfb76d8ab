import assert from 'node:assert/strict';
import { endsRare, KNOWN_SECRETS } from '../../../../../src/integrated/digest/scrub/known-secrets.ts';
import { scrubAddresses, scrubText } from '../../../../../src/integrated/digest/scrub/value-patterns.ts';
import { assertProportional } from '../../../../support/processor-time.ts';

const F = '[Filtered]';
const scrub = (text: string) => scrubText(text, (name) => (name.includes('token') ? 'sensitive' : 'plain'));

describe('secrets in text', () => {
  const rows: [what: string, text: string, expected: string][] = [
    ['Visa', 'card 4111111111111111.', `card ${F}.`],
    ['Visa of 13 digits', '4222222222222', F],
    ['in groups', '4111-1111-1111-1111 and 4111 1111 1111 1111', `${F} and ${F}`],
    ['Mastercard', '5555555555554444', F],
    ['Mastercard of the 2 series', '2223003122003222', F],
    ['Amex', '378282246310005 or 3782 822463 10005', `${F} or ${F}`],
    ['Discover', '6011111111111117', F],
    ['wrong check digit', '4111111111111112', '4111111111111112'],
    ['no card prefix', '9111111111111111', '9111111111111111'],
    ['part of a longer number', '14111111111111111', '14111111111111111'],
    ['part of an identifier', 'id_4111111111111111x', 'id_4111111111111111x'],
    ['milliseconds', 'at 1795198781650', 'at 1795198781650'],
    ['bearer token', 'Authorization: Bearer abc.DEF-123_~+/==', `Authorization: Bearer ${F}`],
    ['bearer in any case', 'bearer  xyz', `bearer  ${F}`],
    ['the word alone', 'the bearer', 'the bearer'],
    ['user and password in an address', 'postgres://u:p%40@db.example/x', `postgres://${F}@db.example/x`],
    ['user only', 'ssh://git@h/x', 'ssh://git@h/x'],
    ['port and path', 'http://h:80/a@b', 'http://h:80/a@b'],
    ['secret parameter', 'GET /p?a=1&my_token=abc#x', `GET /p?a=1&my_token=${F}#x`],
    ['empty parameter', '/path?token=&a=1', '/path?token=&a=1'],
    [
      'private key',
      'x -----BEGIN RSA PRIVATE KEY-----\nMIIabc\n-----END RSA PRIVATE KEY----- y',
      `x -----BEGIN RSA PRIVATE KEY-----\n${F}\n-----END RSA PRIVATE KEY----- y`,
    ],
    ['private key that was cut', '-----BEGIN PRIVATE KEY-----\nMIIabc...', `-----BEGIN PRIVATE KEY-----\n${F}`],
    [
      'public key',
      '-----BEGIN PUBLIC KEY-----\nA\n-----END PUBLIC KEY-----',
      `-----BEGIN PUBLIC KEY-----\n${F}\n-----END PUBLIC KEY-----`,
    ],
    ['certificate', '-----BEGIN CERTIFICATE-----\nA', '-----BEGIN CERTIFICATE-----\nA'],
    ['nothing', 'just some text = fine', 'just some text = fine'],
    ['short', 'Bearer', 'Bearer'],
  ];
  for (const [what, text, expected] of rows) {
    it(what, () => assert.equal(scrub(text), expected));
  }
});

describe('values behind a name', () => {
  const rows: [text: string, prose: string, source: string][] = [
    ['login password=hunter2, x', `login password=${F}, x`, 'login password=hunter2, x'],
    ['Server=db;Password=hunter2;x=1', `Server=db;Password=${F};x=1`, 'Server=db;Password=hunter2;x=1'],
    ["db_password = 'x'", `db_password = '${F}'`, `db_password = '${F}'`],
    ['{"client_secret": "a\\"b", "c": 1}', `{"client_secret": "${F}", "c": 1}`, `{"client_secret": "${F}", "c": 1}`],
    ['{\\"apiKey\\":\\"x\\"}', `{\\"apiKey\\":\\"${F}\\"}`, `{\\"apiKey\\":\\"${F}\\"}`],
    [
      'AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
      `AWS_SECRET_ACCESS_KEY=${F}`,
      'AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    ],
    ["password: str = 'x'", `password: str = '${F}'`, `password: str = '${F}'`],
    ["ENV['SECRET'] = 'x'", `ENV['SECRET'] = '${F}'`, `ENV['SECRET'] = '${F}'`],
  ];
  for (const [text, prose, source] of rows) {
    it(text, () => {
      assert.equal(
        scrubText(text, () => 'plain', 'prose'),
        prose,
      );
      assert.equal(
        scrubText(text, () => 'plain', 'source'),
        source,
      );
    });
  }
  for (const text of [
    "password === ''",
    'PWD=/srv/app',
    'password=null',
    'secret=$SECRET',
    'max_tokens=50',
    'key: x',
  ]) {
    it(`${text} stays`, () =>
      assert.equal(
        scrubText(text, () => 'plain', 'prose'),
        text,
      ));
  }
  it('safe names keep their values', () => {
    const kindOf = (name: string) => (name === 'old_password' ? 'safe' : 'plain');
    assert.equal(scrubText("old_password='x' password='y'", kindOf, 'prose'), `old_password='x' password='${F}'`);
  });
});

describe('credentials quoted in a text', () => {
  for (const [text, expected] of [
    ['Authorization: Basic dXNlcjpwYXNz failed', `Authorization: Basic ${F} failed`],
    ['sent authorization="Token abc123def456"', `sent authorization="Token ${F}"`],
    ['Cookie: sessionid=abc; theme=dark', `Cookie: ${F}`],
    ['ran backup --password hunter2 --verbose', `ran backup --password ${F} --verbose`],
    ['dial shop:s3cr3t@tcp(db:3306)/shop', `dial shop:${F}@tcp(db:3306)/shop`],
    ['password: hunter2', `password: ${F}`],
    ['aws_secret_access_key = wJalrXUtnFEMI7K', `aws_secret_access_key = ${F}`],
  ] as const) {
    it(text, () => assert.equal(scrub(text), expected));
  }
  for (const text of [
    'Authorization: required',
    'authorization failed for basic users',
    'Cookie: none was sent',
    'password: must be at least 8 characters',
    'the option --password is missing',
    'wrong password: try again',
    'listening on tcp(db:3306)',
  ]) {
    it(`${text} stays`, () => assert.equal(scrub(text), text));
  }
});

describe('secrets of a known format', () => {
  const letters = 'Ab1'.repeat(20);
  const samples: Readonly<Record<string, { secrets: string[]; others: string[] }>> = {
    'JSON Web Token': {
      secrets: ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0aaa.c2lnbmF0dXJl'],
      others: ['eyJhbGciOiJIUzI1NiJ9', 'eyJ.eyJ.x', 'keyJar.version.number'],
    },
    'AWS access key id': {
      secrets: ['AKIAIOSFODNN7EXAMPLE', 'ASIAIOSFODNN7EXAMPLE'],
      others: ['AKIAIOSFODNN7', 'xAKIAIOSFODNN7EXAMPLE', 'ASIAIOSFODNN7EXAMPLE9'],
    },
    'GitHub token': {
      secrets: 'oprsu'
        .split('')
        .map((kind) => `gh${kind}_${letters.slice(0, 36)}`)
        .concat(`github_pat_${letters}_x`),
      others: ['ghp_short', 'ghx_' + letters, 'github_pattern_matching_is_a_long_word'],
    },
    'GitLab token': {
      secrets: ['pat', 'dt', 'rt', 'rtr', 'cbt', 'agent'].map((kind) => `gl${kind}-${letters.slice(0, 20)}`),
      others: ['glpat-short', 'globe-trotters-of-the-whole-world', `glxx-${letters}`],
    },
    'token of build tools': {
      secrets: [`sntrys_${Buffer.from('{"iat":1,"org":"shop"}').toString('base64')}_${letters}`, `sntryu_${letters}`],
      others: ['sntrys_short', `sntryx_${letters}`],
    },
    'Slack token': {
      secrets: 'abeoprs'
        .split('')
        .map((kind) => `xox${kind}-123456789012-abc`)
        .concat('xapp-1-A0123-456-abc'),
      others: ['xoxb-1', 'xoxz-123456789012-abc'],
    },
    'Slack webhook': {
      secrets: ['hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX'],
      others: ['hooks.slack.com/services/', 'api.slack.com/services/T00000000/B00000000/XXXXXXXX'],
    },
    'Stripe key': {
      secrets: ['sk_live_', 'rk_live_', 'sk_test_'].map((prefix) => prefix + letters),
      others: ['pk_live_' + letters, 'sk_live_x', 'risk_live_' + letters],
    },
    'Stripe webhook secret': { secrets: [`whsec_${letters}=`], others: ['whsec_short'] },
    'Google API key': { secrets: [`AIza${letters.slice(0, 35)}`], others: [`AIza${letters.slice(0, 30)}`, 'AIzawa'] },
    'SendGrid API key': {
      secrets: [`SG.${letters.slice(0, 22)}.${letters.slice(0, 43)}`],
      others: ['SG.short.x', 'MSG.something'],
    },
    'DigitalOcean token': {
      secrets: 'opr'.split('').map((kind) => `do${kind}_v1_${'a1'.repeat(32)}`),
      others: ['dop_v1_short', `dox_v1_${'a1'.repeat(32)}`],
    },
    'npm token': { secrets: [`npm_${letters.slice(0, 36)}`], others: ['npm_config_registry', `npm_${letters}`] },
  };

  it('each format has a source and samples', () => {
    assert.deepEqual(Object.keys(samples).sort(), KNOWN_SECRETS.map(({ name }) => name).sort());
    for (const { source } of KNOWN_SECRETS) assert.match(source, /^https:\/\//);
  });
  it('those with a rare character at the end of every beginning are searched by it', () => {
    const names = KNOWN_SECRETS.filter((secret) => !endsRare(secret)).map(({ name }) => name);
    assert.deepEqual(names, [
      'AWS access key id',
      'Slack token',
      'Slack webhook',
      'Google API key',
      'SendGrid API key',
    ]);
    for (const { name, begins } of KNOWN_SECRETS.filter(endsRare)) {
      // Alternatives within a group precede the last character, so only those outside count.
      const ends = begins.replaceAll(/\(\?:[^()]*\)/g, '').split('|');
      for (const end of ends) assert.equal(end.at(-1), begins.at(-1), name);
    }
  });
  for (const [name, { secrets, others }] of Object.entries(samples)) {
    it(`${name}: is removed, the text around it stays`, () => {
      for (const secret of secrets) {
        assert.equal(scrub(`got ${secret}, retry`), `got ${F}, retry`);
        assert.equal(
          scrubText(`t = "${secret}"`, () => 'plain', 'source'),
          `t = "${F}"`,
        );
      }
    });
    it(`${name}: similar text stays`, () => {
      for (const other of others) assert.equal(scrub(`got ${other}, retry`), `got ${other}, retry`);
    });
  }
});

/** Length of the texts. Full size by 1000000 (`npm run test:full`). */
const BYTES = Number(process.env['ERRGATE_TEST_SCRUB_BYTES'] ?? 300_000);
/** Milliseconds of a processor, in proportion to the length. */
const BOUND_MS = (1500 * BYTES) / 1_000_000;

describe('texts made to slow scrubbing down', () => {
  const parts =
    '://|@|://@|://a:b|a://b:c/|x://u:p/|redis://a:{/|postgres://a:%s|"://a:|eyJ|eyJa.|-eyJaaaaaaaaa.|ghp_a|glpat-a|password=|' +
    'password="|password="a|password:\\"|bearer |bearer a|?a=|secret: |4111 |-----BEGIN PRIVATE KEY-----|hooks.slack.com/services/|' +
    '//a:b@| //a:| //a:@|"//a:b"|"password=a |"password=\\|\\"password=a |--password=|--token=\\|authorization: basic |' +
    "authorization: basic a\\|authorization'] => 'basic |'|it's |password=b'a|\"password=\" + |token=a.token " +
    '|amqp://u:p@s/|amqp://u:p@s/s@|https://u:p@s/a@|smtp://bob@h:x/|amqp://u:p@s/&aaaaaaaaaaaaaaaaaa|amqp://u:p@s://';
  for (const part of parts.split('|')) {
    it(`a long text of ${part}`, () => {
      for (const manner of ['prose', 'source'] as const) {
        const work = (bytes: number) => scrubText(`${part.repeat(bytes / part.length)}@`, () => 'plain', manner);
        assertProportional(work, BYTES, BOUND_MS);
      }
    });
  }

  it('URLs of three times that length, of which only the last has a query', () => {
    assertProportional((bytes) => scrub(`${'redis://a:1/'.repeat(bytes / 4)}?x@`), BYTES, BOUND_MS * 2);
  });
});

describe('URLs in text', () => {
  const rows: [text: string, expected: string][] = [
    ['10.0.0.1', F],
    ['a 192.168.1.255, b', `a ${F}, b`],
    ['from 10.0.0.1.', `from ${F}.`],
    ['[2001:db8::1]:80', `[${F}]:80`],
    ['::1 up', `${F} up`],
    ['::ffff:10.0.0.1', F],
    ['256.1.1.1', '256.1.1.1'],
    ['1.2.3.4.5', '1.2.3.4.5'],
    ['12:30:45', '12:30:45'],
    ['std::vector', 'std::vector'],
    ['a :: b', 'a :: b'],
    ['1.2.3', '1.2.3'],
  ];
  for (const [text, expected] of rows) {
    it(text, () => assert.equal(scrubAddresses(text), expected));
  }
});
