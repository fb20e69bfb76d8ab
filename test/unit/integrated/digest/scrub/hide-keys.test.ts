import assert from 'node:assert/strict';
import type { NormalisedEvent } from '../../../../../src/domain/events/event.ts';
import { groupV2 } from '../../../../../src/integrated/digest/group/v2/group.ts';
import { hideKeys } from '../../../../../src/integrated/digest/scrub/hide-keys.ts';
import { scrubbersFor } from '../../../../../src/integrated/digest/scrub/scrubbers-for.ts';
import { assertProportional } from '../../../../support/processor-time.ts';
import { CAPTURE_NAMES, captureRecord, digester, EVENT_ID, record } from '../digest-support.ts';

const F = '[Filtered]';
const KEY = 'glet_0123456789abcdef0123456789abcdef';

describe('hiding client keys in text', () => {
  const rows: [text: string, shown: string][] = [
    [`init(dsn='https://${KEY}@errors.example/1')`, `init(dsn='https://${F}@errors.example/1')`],
    ['http://abc_1@h:8080/errortracking/api/v1/projects/42', `http://${F}@h:8080/errortracking/api/v1/projects/42`],
    ['https://public:secret@[::1]:9000/7', `https://${F}@[::1]:9000/7`],
    ['two: https://a@h/1 and https://b@h/2', `two: https://${F}@h/1 and https://${F}@h/2`],
    ['gevent+https://abc@h/sub/path/1', `gevent+https://${F}@h/sub/path/1`],
    [String.raw`{"dsn":"https:\/\/abc@h\/sub\/1"}`, String.raw`{"dsn":"https:\/\/${F}@h\/sub\/1"}`],
    ['?dsn=https%3A%2F%2Fabc%40h%3A8080%2F1&x=1', `?dsn=https%3A%2F%2F${F}%40h%3A8080%2F1&x=1`],
    [KEY, F],
    [`https%3a%2f%2f${KEY}%40h`, `https%3a%2f%2f${F}%40h`],
    ["'http://glet_abc123@127.0.0.1:' + port", `'http://${F}@127.0.0.1:' + port`],
    [
      `POST /api/1/store/?sentry_version=7&sentry_key=abc&x=1`,
      `POST /api/1/store/?sentry_version=7&sentry_key=${F}&x=1`,
    ],
    ['Sentry sentry_key=abc, sentry_client=x', `Sentry sentry_key=${F}, sentry_client=x`],
  ];
  for (const [text, shown] of rows) {
    it(text, () => assert.equal(hideKeys(text), shown));
  }

  for (const text of [
    'ada@example.com',
    'https://h/users/@ada/1',
    'https://ada@h/about',
    'ssh://git@h/1',
    'https://a@h?x=/1',
    'triglet_added',
    'singlet_decade = 1',
    'sentry_key is missing',
  ]) {
    it(`keeps ${text}`, () => assert.equal(hideKeys(text), text));
  }

  it('takes time in proportion to the text', () => {
    // Seconds, where one of the patterns goes back and forth.
    const texts = ['https://', 'https://a@', 'https://a@h/', 'https%3A%2F%2Fa%40', '/b', 'glet_', 'a:', 'sentry_key='];
    for (const text of texts) assertProportional((size) => hideKeys(`https://a@${text.repeat(size)}`), 20_000, 500);
  });
});

describe('hiding client keys in JSON', () => {
  it('at any depth, in lists, in names, as members and as pairs', () => {
    const dsn = 'https://abc@h/1';
    const hidden = `https://${F}@h/1`;
    const inText = JSON.stringify({ dsn: dsn.replaceAll('/', String.raw`\/`), sentry_key: 'abc' });
    const value = { a: [{ b: dsn }], [dsn]: `"${dsn}"\n`, sentry_key: 'abc', query: [['sentry_key', 'abc']], inText };
    assert.deepEqual(JSON.parse(hideKeys(JSON.stringify(value))), {
      a: [{ b: hidden }],
      [hidden]: `"${hidden}"\n`,
      sentry_key: F,
      query: [['sentry_key', F]],
      inText: inText.replaceAll('abc', F),
    });
  });
});

describe('client keys in digested events', () => {
  const dsn = 'https://brought1along@errors.example/7';
  const raw = {
    message: `with ${dsn}`,
    level: 'error',
    transaction: dsn,
    server_name: dsn,
    tags: { dsn },
    extra: { 'sys.argv': ['run', `--dsn=${dsn}`], deep: { list: [KEY] } },
    contexts: { app: { dsn } },
    breadcrumbs: [{ message: dsn, data: { url: dsn } }],
    request: { url: `https://h/?sentry_key=${KEY}`, headers: { Referer: dsn }, data: dsn, env: { DSN: dsn } },
    exception: {
      type: 'E',
      value: `refused ${dsn}`,
      stacktrace: {
        frames: [
          {
            function: 'f',
            filename: 'a.py',
            lineno: 3,
            pre_context: [`init('${dsn}')`],
            context_line: `send('${dsn}')`,
            post_context: [KEY],
            vars: { dsn, list: [dsn] },
          },
        ],
      },
    },
    user: { id: '1', data: { dsn } },
    fingerprint: [dsn],
    modules: { [dsn]: '1' },
  };

  for (const enabled of [true, false]) {
    it(`are nowhere in the stored event, with scrubbing ${enabled ? 'on' : 'off'}`, () => {
      const scrubbing = {
        enabled,
        scrubIps: false,
        sensitiveFields: [],
        safeFields: ['dsn', 'sentry_key'],
        projects: {},
      };
      const scrubberFor = scrubbersFor(scrubbing, () => undefined);
      const { event } = digester({ scrubberFor })(record(JSON.stringify(raw)));
      assert.ok(event);
      const kept = JSON.stringify({ ...event, payload: JSON.parse(event.payload) });
      assert.doesNotMatch(kept, /brought1along|glet_/);
      assert.match(kept, /https:\/\/\[Filtered\]@errors\.example\/7/);
    });
  }

  it('are nowhere in digested captures of real SDKs', () => {
    for (const name of CAPTURE_NAMES) {
      const source = captureRecord(name);
      if (source === null) continue;
      const { event } = digester()(source);
      assert.doesNotMatch(JSON.stringify(JSON.parse(event!.payload)), /glet_/, name);
    }
  });

  it('do not change the grouping key of the event', () => {
    const seen: string[] = [];
    const group = (event: NormalisedEvent) => {
      seen.push(event.exceptions[0]?.frames?.[0]?.context_line ?? '');
      return groupV2(event);
    };
    digester({ group })(record(JSON.stringify(raw)));
    assert.deepEqual(seen, [`send('${dsn}')`]);
  });

  it('are hidden in user reports too', () => {
    const report = { event_id: EVENT_ID, name: 'Ada', email: KEY, comments: `it says ${dsn}` };
    const { report: kept } = digester()(record(JSON.stringify(report), { item: 'user_report' }));
    assert.doesNotMatch(JSON.stringify(kept), /brought1along|glet_/);
    assert.match(JSON.stringify(kept), /it says/);
  });
});
