import assert from 'node:assert/strict';
import type { NormalisedEvent } from '../../../../../src/domain/events/event.ts';
import { createScrubber, type ScrubOptions } from '../../../../../src/integrated/digest/scrub/scrubber.ts';
import { normalise } from '../digest-support.ts';

const OPTIONS: ScrubOptions = { enabled: true, scrubIps: false, sensitiveFields: [], safeFields: [] };
const F = '[Filtered]';

function scrubbed(raw: unknown, options: Partial<ScrubOptions> = {}): NormalisedEvent {
  const event = normalise(raw);
  const scrubber = createScrubber({ ...OPTIONS, ...options });
  scrubber.beforeGrouping(event);
  scrubber.afterGrouping(event);
  return event;
}

const extraOf = (extra: unknown, options: Partial<ScrubOptions> = {}) => scrubbed({ extra }, options).extra;

describe('scrubbing by name', () => {
  const sensitive =
    'password Password db_password_2 secret client_secret passwd api_key apikey api-key X-Api-Key auth authorization author ' +
    'credentials aws_credentials mysql_pwd privatekey private_key private-key token access_token csrfTokens otp OTP two_factor two-factor';
  for (const name of sensitive.split(' ')) {
    it(`${name} is filtered`, () => assert.deepEqual(extraOf({ [name]: 'value' }), { [name]: F }));
  }
  for (const name of ['otps', 'not_otp', 'two_factors', 'pwd', 'key', 'user', 'credential', 'id']) {
    it(`${name} is kept`, () => assert.deepEqual(extraOf({ [name]: 'value' }), { [name]: 'value' }));
  }
  it('numbers, lists and objects are filtered as a whole; null, true and false stay', () => {
    assert.deepEqual(extraOf({ secret: 5, token: ['a'], auth: { a: 1 }, passwd: null, password: true, api_key: '' }), {
      secret: F,
      token: F,
      auth: F,
      passwd: null,
      password: true,
      api_key: '',
    });
  });
  it('at any depth, in lists too', () => {
    assert.deepEqual(extraOf({ a: [{ b: { password: 'x', c: 1 } }] }), { a: [{ b: { password: F, c: 1 } }] });
  });
  it('a __proto__ member is scrubbed and stays a plain member', () => {
    const extra = extraOf(JSON.parse('{"__proto__":{"password":"x"}}'));
    assert.equal(JSON.stringify(extra), `{"__proto__":{"password":"${F}"}}`);
  });
});

describe('where scrubbing looks', () => {
  const secret = { password: 'hunter2', note: 'kept' };
  const done = { password: F, note: 'kept' };
  const stacktrace = { frames: [{ function: 'f', vars: { ...secret } }] };
  type Row = [what: string, raw: unknown, read: (e: NormalisedEvent) => unknown, expected: unknown];
  const rows: Row[] = [
    [
      'variables of exceptions',
      { exception: { type: 'E', stacktrace } },
      (e) => e.exceptions[0]?.frames?.[0]?.vars,
      done,
    ],
    ['variables of threads', { threads: [{ stacktrace }] }, (e) => e.threads[0]?.frames?.[0]?.vars, done],
    [
      'data of mechanisms',
      { exception: { type: 'E', mechanism: { data: { ...secret } } } },
      (e) => e.exceptions[0]?.mechanism?.data,
      done,
    ],
    ['contexts', { contexts: { app: { ...secret } } }, (e) => e.contexts, { app: done }],
    [
      'headers of cookies in extra data and breadcrumbs',
      {
        extra: { cookie: 'JSESSIONID=abc; theme=dark' },
        breadcrumbs: [{ data: { headers: { Cookie: 'JSESSIONID=abc' } } }],
      },
      (e) => [e.extra, e.breadcrumbs[0]?.data],
      [{ cookie: `JSESSIONID=${F}; theme=dark` }, { headers: { Cookie: `JSESSIONID=${F}` } }],
    ],
    ['data of breadcrumbs', { breadcrumbs: [{ data: { ...secret } }] }, (e) => e.breadcrumbs[0]?.data, done],
    [
      'messages of breadcrumbs',
      { breadcrumbs: [{ message: 'GET https://u:p@h/' }] },
      (e) => e.breadcrumbs[0]?.message,
      `GET https://${F}@h/`,
    ],
    ['tags', { tags: { auth_mode: 'x', a: 'Bearer abcdef' } }, (e) => e.tags.map((t) => t.value), [F, `Bearer ${F}`]],
    [
      'parameters of messages',
      { logentry: { message: '%(token)s', params: { token: 'x' } } },
      (e) => e.logentry?.params,
      { token: F },
    ],
    ['data of the user', { user: { id: 1, api_token: 'x' } }, (e) => e.user?.data, { api_token: F }],
    [
      'environment of the request',
      { request: { env: { DB_PASSWORD: 'x', A: 'b' } } },
      (e) => e.request?.env,
      { DB_PASSWORD: F, A: 'b' },
    ],
    [
      'headers',
      { request: { headers: { authorization: 'Basic x', 'x-csrf-token': 'y', accept: '*/*', via: 'Bearer abcdef' } } },
      (e) => e.request?.headers,
      [
        ['Accept', '*/*'],
        ['Authorization', F],
        ['Via', `Bearer ${F}`],
        ['X-Csrf-Token', F],
      ],
    ],
    [
      'the Cookie header as a bag',
      { request: { headers: { cookie: 'theme=dark; sessionid=abc; my_token=x; flag' } } },
      (e) => e.request?.headers,
      [['Cookie', `theme=dark; sessionid=${F}; my_token=${F}; flag`]],
    ],
    [
      'the query, given apart and in the address',
      { request: { url: 'https://h/p?token=a&b=c' } },
      (e) => e.request?.query_string,
      [
        ['token', F],
        ['b', 'c'],
      ],
    ],
    [
      'a secret in the fragment',
      { request: { url: 'https://h/p#access_token=abc&x=1' } },
      (e) => e.request?.url,
      `https://h/p#access_token=${F}&x=1`,
    ],
    [
      'types of exceptions, which titles begin with',
      { exception: { type: 'HTTPError: 401 for url https://u:p@h/x', value: 'v' } },
      (e) => e.exceptions[0]?.type,
      `HTTPError: 401 for url https://${F}@h/x`,
    ],
    [
      'functions and paths of frames',
      {
        exception: {
          type: 'E',
          stacktrace: { frames: [{ function: 'handler?token=abcdef', abs_path: 'https://h/a.js?token=abcdef' }] },
        },
      },
      (e) => e.exceptions[0]?.frames?.map((frame) => [frame.function, frame.abs_path]),
      [[`handler?token=${F}`, `https://h/a.js?token=${F}`]],
    ],
    [
      'a query that is no list of parameters',
      { request: { query_string: 'postgres://u:p@h' } },
      (e) => e.request?.query_string,
      [[`postgres://${F}@h`, '']],
    ],
    ['credentials in the address', { request: { url: 'https://u:p@h/p' } }, (e) => e.request?.url, `https://${F}@h/p`],
    ['data as object', { request: { data: { ...secret } } }, (e) => e.request?.data, done],
    [
      'data as JSON in text',
      { request: { data: '{"password":"x","a":{"token":1}}' } },
      (e) => e.request?.data,
      `{"password":"${F}","a":{"token":"${F}"}}`,
    ],
    [
      'JSON without secrets keeps its spelling',
      { request: { data: '{ "a" : 1.0 }' } },
      (e) => e.request?.data,
      '{ "a" : 1.0 }',
    ],
    [
      'JSON that was cut',
      { request: { data: '{"password": "a\\"b", "n": {"token":17}, "x":"y", "secret":"unfin' } },
      (e) => e.request?.data,
      `{"password": "${F}", "n": {"token":"${F}"}, "x":"y", "secret":"${F}"`,
    ],
    [
      'JSON that was cut inside of a secret object',
      { request: { data: '{"a":1,"credentials": {"user":"u","pw":"v"' } },
      (e) => e.request?.data,
      `{"a":1,"credentials": "${F}"`,
    ],
    [
      'data as a form',
      { request: { data: 'user=bob&pass%77ord=x&token=' } },
      (e) => e.request?.data,
      `user=bob&pass%77ord=${F}&token=`,
    ],
    ['other text in data', { request: { data: 'password is x' } }, (e) => e.request?.data, 'password is x'],
  ];
  for (const [what, raw, read, expected] of rows) {
    it(what, () => assert.deepEqual(read(scrubbed(raw)), expected));
  }

  const cookies =
    'session __session sessionid PHPSESSID symfony sentrysid sudo su csrf _xsrf csrf_token _vercel_jwt _gitlab_session ' +
    'errgate_session JSESSIONID connect.sid laravel_session ASP.NET_SessionId _shop_session SSESSID koa.sid ' +
    'sess __Host-sess remember_user_token remember_web_59ba36 __Host-errgate_session __Secure-connect.sid';
  for (const cookie of cookies.split(' ')) {
    it(`cookie ${cookie}`, () => {
      assert.deepEqual(scrubbed({ request: { cookies: { [cookie]: 'x', theme: 'dark' } } }).request?.cookies, [
        [cookie, F],
        ['theme', 'dark'],
      ]);
      for (const name of ['Cookie', 'Set-Cookie']) {
        const headers = scrubbed({ request: { headers: { [name]: `theme=dark; ${cookie}=x; Path=/` } } }).request
          ?.headers;
        assert.deepEqual(headers, [[name, `theme=dark; ${cookie}=${F}; Path=/`]]);
      }
    });
  }

  it('cookies are filtered by their whole names', () => {
    assert.deepEqual(
      scrubbed({ request: { cookies: { surname: 'x', session_lang: 'y', inside: 'z' } } }).request?.cookies,
      [
        ['surname', 'x'],
        ['session_lang', 'y'],
        ['inside', 'z'],
      ],
    );
  });
});

describe('what scrubbing does not change', () => {
  const card = '4111 1111 1111 1111';
  it('file names, the user agent, modules', () => {
    const event = scrubbed({
      exception: {
        type: 'E',
        stacktrace: { frames: [{ filename: `/x/token/${card}.js`, function: 'auth' }] },
      },
      request: { headers: { 'User-Agent': `x ${card}` } },
      modules: { 'auth-token': '1.0' },
    });
    assert.equal(event.exceptions[0]?.frames?.[0]?.filename, `/x/token/${card}.js`);
    assert.deepEqual(event.request?.headers, [['User-Agent', `x ${card}`]]);
    assert.deepEqual(event.modules, { 'auth-token': '1.0' });
  });
  it('words in values, messages and source lines that only look like a secret', () => {
    const value = "Bearer not found: invalid password: too short, max_tokens=500, KeyError: 'password', password=None";
    const line = "if token == parser.next(password=password, author='Bob', url=f'/x?token={token}'):";
    const event = scrubbed({
      message: value,
      exception: { type: 'E', value, stacktrace: { frames: [{ function: 'f', context_line: line }] } },
    });
    assert.equal(event.message, `Bearer ${F} found: ${value.slice('Bearer not found: '.length)}`);
    assert.equal(event.exceptions[0]?.value, value);
    assert.equal(event.exceptions[0].frames?.[0]?.context_line, line);
  });
});

describe('a project’s own scrubbing', () => {
  it('sensitive fields: whole names in any case', () => {
    assert.deepEqual(extraOf({ PIN: '1234', pin_code: '5' }, { sensitiveFields: ['Pin'] }), { PIN: F, pin_code: '5' });
  });
  it('safe fields: neither name nor value is changed, also if the field is sensitive', () => {
    const options = { safeFields: ['auth_mode', 'number'], sensitiveFields: ['auth_mode'] };
    assert.deepEqual(extraOf({ Auth_Mode: 'sso', number: '4111111111111111' }, options), {
      Auth_Mode: 'sso',
      number: '4111111111111111',
    });
  });
  it('off: nothing is changed', () => {
    assert.deepEqual(extraOf({ password: 'x' }, { enabled: false }), { password: 'x' });
  });
  it('IP addresses are removed if configured', () => {
    const raw = () => ({
      message: 'from 10.1.2.3 at 12:30:45, v1.2.3',
      user: { id: 1, ip_address: '10.1.2.3' },
      request: {
        env: { REMOTE_ADDR: '10.1.2.3', HTTP: 'fe80::1' },
        headers: { 'X-Forwarded-For': '10.1.2.3, 2001:db8::1' },
      },
      exception: { type: 'E', value: 'no route to 10.1.2.3:80' },
    });
    const event = scrubbed(raw(), { scrubIps: true });
    assert.equal(event.message, `from ${F} at 12:30:45, v1.2.3`);
    assert.equal(event.user?.ip_address, null);
    assert.deepEqual(event.request?.env, { HTTP: F });
    assert.deepEqual(event.request.headers, [['X-Forwarded-For', `${F}, ${F}`]]);
    assert.equal(event.exceptions[0]?.value, `no route to ${F}:80`);
    assert.equal(scrubbed(raw()).user?.ip_address, '10.1.2.3');
  });
});
