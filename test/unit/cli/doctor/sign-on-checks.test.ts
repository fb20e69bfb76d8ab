import assert from 'node:assert/strict';
import { loadConfig } from '../../../../config/load.ts';
import { checkSignOn } from '../../../../src/cli/doctor/sign-on-checks.ts';
import { LocalIssuer } from '../../../support/local-issuer.ts';

const EXTERNAL = 'https://errors.example.test';
const check = (env: NodeJS.ProcessEnv) => checkSignOn(loadConfig({ env }), EXTERNAL);

describe('the check of the identity provider', () => {
  it('has nothing to say without one, unless nobody could sign in', async () => {
    assert.equal((await check({})).status, 'ok');
    const { status, message } = await check({ ERRGATE_PASSWORD_SIGN_IN: 'false' });
    assert.equal(status, 'fail');
    assert.match(message, /hardly anybody can sign in/);
  });

  it('names the address that is registered there, and reasons why a provider cannot be used', async () => {
    const issuer = await LocalIssuer.start();
    const env = { ERRGATE_OIDC_ISSUER: issuer.url, ERRGATE_OIDC_CLIENT_ID: 'errgate' };
    const good = await check(env);
    assert.equal(good.status, 'ok', good.message);
    assert.match(good.message, /https:\/\/errors\.example\.test\/users\/auth\/oidc\/callback/);
    const wrong = await check({ ...env, ERRGATE_OIDC_ISSUER: `${issuer.url}/realm` });
    assert.deepEqual([wrong.status, wrong.check], ['fail', 'sign-on']);
    await issuer.close();
    const away = await check({ ...env, ERRGATE_OIDC_ISSUER: 'http://127.0.0.1:9' });
    assert.equal(away.status, 'fail');
    assert.match(away.message, /cannot be used: .+/);
  });
});

describe('settings of the identity provider', () => {
  const BASE = { ERRGATE_OIDC_ISSUER: 'https://sso.test', ERRGATE_OIDC_CLIENT_ID: 'errgate' };

  it('take roles by groups as JSON', () => {
    const rule = { group: '/shop/*', path: 'shop', role: 'reporter' } as const;
    const { oidc } = loadConfig({ env: { ...BASE, ERRGATE_OIDC_GROUP_ROLES: JSON.stringify([rule]) } });
    assert.deepEqual(oidc.groupRoles, [rule]);
  });

  for (const [variable, value] of Object.entries({
    ERRGATE_OIDC_ISSUER: 'sso.test',
    ERRGATE_OIDC_SCOPES: 'profile email',
    ERRGATE_OIDC_GROUP_ROLES: '{"group":"a"}',
    ERRGATE_OIDC_CHECK_MINUTES: '0',
    ERRGATE_OIDC_ABSENT_GROUPS: 'maybe',
  })) {
    it(`refuse ${variable}=${value}`, () => {
      assert.throws(() => loadConfig({ env: { ...BASE, [variable]: value } }), { code: 'invalid_configuration' });
    });
  }

  it('refuse roles that do not exist, and a provider without a client', () => {
    const wrong = JSON.stringify([{ group: 'a', path: 'shop', role: 'boss' }]);
    for (const env of [{ ...BASE, ERRGATE_OIDC_GROUP_ROLES: wrong }, { ERRGATE_OIDC_ISSUER: 'https://sso.test' }]) {
      assert.throws(() => loadConfig({ env }), { code: 'invalid_configuration' });
    }
  });
});
