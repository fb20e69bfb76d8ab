import assert from 'node:assert/strict';
import { probeToken, probeServer } from '../../../../src/thirdparty/endpoints/server.ts';
import { recordedBody } from '../support/recorded-body.ts';
import { scriptedSession, type Answer } from '../support/scripted-session.ts';
import { TOKEN } from '../support/tracker.ts';

const URGENTRY = { auth: { login: { url: '/auth/login/' } }, features: { 'organizations:events': true }, user: null };

describe('probes of a third-party server', () => {
  it('take only scopes and name of the token, and no mail address', async () => {
    const { session } = scriptedSession(() => ({ body: recordedBody('root') }));
    assert.deepEqual(await probeToken(session), {
      status: 200,
      scopes: ['project:read', 'team:read', 'event:read', 'event:write', 'org:read'],
      account: null,
    });
    const accounts: [user: unknown, account: string | null][] = [
      [{ name: 'Ada Lovelace', username: 'ada', email: 'ada@example.com' }, 'Ada Lovelace'],
      [{ name: 'ada@example.com', username: 'ada' }, 'ada'],
      [{ name: ' ', username: 'ada@example.com', email: 'ada@example.com' }, null],
      [{ name: 7, username: null }, '7'],
      [null, null],
    ];
    for (const [user, account] of accounts) {
      const probe = await probeToken(scriptedSession(() => ({ body: { user } })).session);
      assert.equal(probe.account, account);
    }
  });

  const rows: [name: string, answer: Answer, status: number][] = [
    ['anonymous', { body: recordedBody('root-anonymous') }, 200],
    ['a tracker that says 200 to anybody', { body: URGENTRY }, 200],
    ['a bad token', { status: 401 }, 401],
    ['odd scopes', { body: { auth: { scopes: 'all' } } }, 200],
  ];
  for (const [name, answer, status] of rows) {
    it(`know no scopes: ${name}`, async () => {
      assert.deepEqual(await probeToken(scriptedSession(() => answer).session), {
        status,
        scopes: null,
        account: null,
      });
    });
  }

  const sentry = (current: unknown) => ({ version: { current, latest: 'x' }, isOnPremise: true });
  const servers: [name: string, config: Answer, settings: Answer & { root?: unknown }, expected: unknown][] = [
    ['Sentry', { body: sentry('21.4.1') }, { status: 404 }, { kind: 'sentry', version: '21.4.1' }],
    [
      'a development version',
      { body: sentry('22.11.0.dev0') },
      { status: 404 },
      { kind: 'sentry', version: '22.11.0.dev0' },
    ],
    ['GlitchTip', { status: 404 }, { body: { ...(recordedBody('settings-public') as object), version: '5.2.0' } }, { kind: 'glitchtip', version: '5.2.0' }], // prettier-ignore
    [
      'one that says 200 to anything',
      { body: { user: null } },
      { body: { user: null } },
      { kind: 'unknown', version: null },
    ],
    ['Urgentry', { status: 404 }, { status: 404, root: URGENTRY }, { kind: 'urgentry', version: null }],
    [
      'Bugsink',
      { status: 404 },
      { status: 404, root: { auth: { scopes: ['org:ci'] }, user: null, version: '0' } },
      { kind: 'bugsink', version: null },
    ],
    ['one that says nothing', { status: 404 }, { status: 404 }, { kind: 'unknown', version: null }],
    ['one in trouble', { status: 502 }, { status: 502 }, null],
    ['a version that is none', { body: sentry('<script>') }, { status: 404 }, { kind: 'unknown', version: null }],
  ];
  for (const [name, config, settings, expected] of servers) {
    it(`report the version, without the token: ${name}`, async () => {
      const tokens: (string | null)[] = [];
      const { session } = scriptedSession((path) => {
        if (path === '/api/0/' && 'root' in settings) return { body: settings.root };
        return path === '/api/client-config/' ? config : settings;
      });
      const request: typeof session.client.request = (target, asked) => {
        tokens.push(target.token());
        return session.client.request(target, asked);
      };
      assert.deepEqual(await probeServer({ ...session, client: { request } }), expected);
      assert.ok(!tokens.includes(TOKEN) && tokens.length > 0);
    });
  }

  it('do without a version when the server cannot be asked', async () => {
    const { session } = scriptedSession(() => {
      throw new Error('away');
    });
    assert.equal(await probeServer(session), null);
  });
});
