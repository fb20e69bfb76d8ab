import assert from 'node:assert/strict';
import { hashAccessToken } from '../../../src/auth/access-token.ts';
import { createAuthenticator } from '../../../src/auth/authenticator.ts';
import type { AccessToken, User } from '../../../src/domain/projects/account.ts';
import type { ErrorCode } from '../../../src/domain/app-error.ts';

const TEXT = 'glpat-0123456789abcdefghijklmnopqrstuv';

function setUp() {
  const clock = { at: 1_700_000_000_000, now: () => clock.at };
  const state = {
    user: {
      id: 7,
      username: 'ann',
      name: 'Ann',
      admin: false,
      blocked: false,
      createdAt: 0,
      signedOnAt: null,
    } as User | null,
    token: {
      id: 1,
      userId: 7,
      name: 'ci',
      description: null,
      scopes: ['api'],
      createdAt: 0,
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: null,
    } as AccessToken,
    lookups: 0,
    used: [] as number[],
  };
  const accounts = {
    tokenByHash: async (hash: string) => {
      state.lookups += 1;
      return hash === hashAccessToken(TEXT) ? state.token : null;
    },
    userById: async () => state.user,
    projectsOfToken: async () => [7],
  };
  const uses = { note: ({ id }: AccessToken) => state.used.push(id) };
  return { clock, state, authenticator: createAuthenticator({ accounts, clock, uses }) };
}

const refusal = (code: ErrorCode) => (error: { code?: string }) => error.code === code;

describe('authenticator', () => {
  it('finds the person behind a token', async () => {
    const { authenticator, state } = setUp();
    assert.deepEqual(await authenticator.authenticate(TEXT), {
      user: state.user,
      token: state.token,
      scopes: ['api'],
      onlyProjects: null,
    });
  });

  it('knows the projects of a token of builds', async () => {
    const { authenticator, state } = setUp();
    state.token = { ...state.token, scopes: ['ci'] };
    const { scopes, onlyProjects } = await authenticator.authenticate(TEXT);
    assert.deepEqual([scopes, onlyProjects], [['ci'], [7]]);
  });

  it('refuses what is no token of ours', async () => {
    const { authenticator, state } = setUp();
    await assert.rejects(authenticator.authenticate(''), refusal('unauthorized'));
    await assert.rejects(authenticator.authenticate('x'.repeat(100_000)), refusal('unauthorized'));
    assert.equal(state.lookups, 0);
    await assert.rejects(authenticator.authenticate(`${TEXT}x`), refusal('unauthorized'));
  });

  it('refuses tokens of blocked and deleted users', async () => {
    const { authenticator, state, clock } = setUp();
    state.user = { ...state.user!, blocked: true };
    await assert.rejects(authenticator.authenticate(TEXT), refusal('unauthorized'));
    state.user = null;
    clock.at += 1001;
    await assert.rejects(authenticator.authenticate(TEXT), refusal('unauthorized'));
  });

  it('distinguishes revoked and expired tokens', async () => {
    const { authenticator, state, clock } = setUp();
    state.token = { ...state.token, revokedAt: 1 };
    await assert.rejects(authenticator.authenticate(TEXT), refusal('token_revoked'));
    state.token = { ...state.token, revokedAt: null, expiresAt: clock.at + 1500 };
    clock.at += 1001;
    await authenticator.authenticate(TEXT);
    clock.at += 499;
    await assert.rejects(authenticator.authenticate(TEXT), refusal('token_expired'));
  });

  it('lets a token expire on the instant, also one it remembers', async () => {
    const { authenticator, state, clock } = setUp();
    state.token = { ...state.token, expiresAt: clock.at + 10 };
    await authenticator.authenticate(TEXT);
    clock.at += 10;
    await assert.rejects(authenticator.authenticate(TEXT), refusal('token_expired'));
    assert.equal(state.lookups, 1);
    // Only what let somebody in counts as used.
    assert.deepEqual(state.used, [1]);
  });

  it('asks the store once a second per token, so that changes by others are seen', async () => {
    const { authenticator, state, clock } = setUp();
    await authenticator.authenticate(TEXT);
    clock.at += 999;
    await authenticator.authenticate(TEXT);
    assert.equal(state.lookups, 1);
    state.token = { ...state.token, revokedAt: clock.at };
    clock.at += 2;
    await assert.rejects(authenticator.authenticate(TEXT), refusal('token_revoked'));
    assert.equal(state.lookups, 2);
  });
});
