import assert from 'node:assert/strict';
import type { User } from '../../../src/domain/projects/account.ts';
import { startApp, type Answer, type RunningApp } from '../../support/app.ts';
import { listAudit } from '../../support/audit-data.ts';
import { givenSession } from '../../support/browser-session.ts';
import { givenPassword } from '../../support/factories.ts';
import { givenSecondFactor, RECOVERY_CODE } from '../../support/second-factor-data.ts';
import { describeOnStores } from '../../support/test-stores.ts';

const PASSWORD = 'correct horse';
const PATH = '/api/v4/user/second_factor/recovery_codes';

describeOnStores('new recovery codes', (kind) => {
  let app: RunningApp;

  before(async () => {
    app = await startApp(kind);
  });
  after(() => app.close());

  async function renewerFor(user: User): Promise<(body: object) => Promise<Answer>> {
    const headers = { ...(await givenSession(app, user)) };
    return (body) => app.ask('POST', PATH, { headers, body });
  }

  /** Signs in with password and code; returns the status. */
  async function signIn({ username }: User, code: string): Promise<number> {
    const asked = await app.ask('POST', '/-/session', { body: { username, password: PASSWORD } });
    const { second_factor_challenge: challenge } = asked.json();
    return (await app.ask('POST', '/-/session/second_factor', { body: { challenge, code } })).status;
  }

  it('need a code, end those of before and not the session, and are in the audit log without themselves', async () => {
    const user = await givenPassword(app.store, PASSWORD);
    await givenSecondFactor(app.store, user.id);
    const renew = await renewerFor(user);
    for (const body of [{}, { code: 'abcd-abcd-abcd-abcd' }]) assert.equal((await renew(body)).status, 400);
    const renewed = await renew({ code: RECOVERY_CODE });
    assert.deepEqual([renewed.status, renewed.headers.get('Cache-Control')], [200, 'no-store'], renewed.text);
    const { recovery_codes: codes, recovery_codes_left: left } = renewed.json() as {
      recovery_codes: string[];
      recovery_codes_left: number;
    };
    assert.deepEqual([new Set(codes).size, left, codes.includes(RECOVERY_CODE)], [10, 10, false]);
    assert.equal((await renew({ code: RECOVERY_CODE })).status, 400, 'used');
    assert.equal(await signIn(user, RECOVERY_CODE), 401);
    assert.equal(await signIn(user, codes[0] ?? ''), 200);
    const done = (await listAudit(app.store)).filter(
      ({ event, outcome }) => event === 'recovery_codes_renewed' && outcome === 'done',
    );
    assert.deepEqual(
      done.map(({ authorId, entityId }) => [authorId, entityId]),
      [[user.id, user.id]],
    );
    assert.ok(!JSON.stringify([done, app.log]).includes(codes[1] ?? ''));
  });

  it('are not made without a second factor', async () => {
    const renew = await renewerFor(await givenPassword(app.store, PASSWORD));
    assert.equal((await renew({ code: '123456' })).status, 404);
  });
});
