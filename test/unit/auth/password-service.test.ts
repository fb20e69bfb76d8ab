import assert from 'node:assert/strict';
import { createPasswordService } from '../../../src/auth/password-service.ts';
import { createSignInThrottle } from '../../../src/auth/sign-in-throttle.ts';
import { hashPassword } from '../../../src/auth/password.ts';
import type { AppError } from '../../../src/domain/app-error.ts';
import type { Credentials } from '../../../src/domain/ports/stores/web-session-store.ts';

const ann: Credentials = {
  user: {
    id: 7,
    username: 'ann',
    name: 'Ann',
    admin: false,
    email: null,
    blocked: false,
    createdAt: 0,
    emailConfirmed: false,
    passwordAllowed: null,
    signedOnAt: null,
  },
  passwordHash: 'hash of ann',
  epoch: 3,
  mustChangePassword: false,
};

function setUp() {
  const clock = { at: 1_700_000_000_000, now: () => clock.at };
  const checked: string[] = [];
  const running = { now: 0, most: 0 };
  const passwords = createPasswordService({
    store: { credentials: async (name) => (name === 'ann' ? ann : null) },
    throttle: createSignInThrottle(clock),
    verify: async (password, stored) => {
      checked.push(stored);
      running.now += 1;
      running.most = Math.max(running.most, running.now);
      await new Promise(setImmediate);
      running.now -= 1;
      return password === 'right' && stored === 'hash of ann';
    },
  });
  return { clock, checked, running, passwords };
}

const refusal = (code: string) => (error: { code?: string }) => error.code === code;

describe('password service', () => {
  it('answers the user for the right password', async () => {
    assert.equal(await setUp().passwords.check('ann', 'right', '::1'), ann);
  });

  it('checks a hash of the same cost for unknown users', async () => {
    const { passwords, checked } = setUp();
    await assert.rejects(passwords.check('nobody', 'right', '::1'), refusal('invalid_credentials'));
    const [shape, nobody] = [await hashPassword('x'), checked[0] ?? ''].map((hash) =>
      hash.split('$').map((part, index) => (index < 4 ? part : Buffer.from(part, 'base64url').length)),
    );
    assert.deepEqual(nobody, shape);
  });

  it('checks one password at a time, with a bounded number waiting', async () => {
    const { passwords, running } = setUp();
    const attempts = Array.from({ length: 60 }, (_, index) =>
      passwords
        .check(`nobody${index}`, 'wrong', `203.0.113.${index}`)
        .catch((error: unknown) => (error as AppError).code),
    );
    const codes = await Promise.all(attempts);
    assert.equal(running.most, 1);
    assert.equal(codes.filter((code) => code === 'invalid_credentials').length, 50);
    assert.equal(codes.filter((code) => code === 'rate_limited').length, 10);
    assert.equal(await passwords.check('ann', 'right', '::1'), ann);
  });

  it('limits the rate of wrong passwords, with the username in any case', async () => {
    const { passwords, clock, checked } = setUp();
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      const name = attempt % 2 === 0 ? 'Bob' : 'bob';
      await assert.rejects(passwords.check(name, 'wrong', `203.0.113.${attempt}`), refusal('invalid_credentials'));
    }
    await assert.rejects(passwords.check('BOB', 'wrong', '203.0.113.99'), (error: { retryAfterSeconds?: number }) => {
      assert.equal(error.retryAfterSeconds, 30);
      return true;
    });
    assert.equal(checked.length, 10);
    clock.at += 30_000;
    await assert.rejects(passwords.check('bob', 'wrong', '203.0.113.99'), refusal('invalid_credentials'));
    await assert.rejects(passwords.check('bob', 'wrong', '203.0.113.99'), refusal('rate_limited'));
  });

  it('bounds all browsers that are known for a username together', async () => {
    const { passwords } = setUp();
    for (let attempt = 1; attempt <= 100; attempt += 1) {
      await assert.rejects(passwords.check('ann', 'wrong', '::1', `b${attempt}`), refusal('invalid_credentials'));
    }
    await assert.rejects(passwords.check('Ann', 'right', '::1', 'another'), refusal('rate_limited'));
    assert.equal(await passwords.check('ann', 'right', '::1'), ann);
  });

  it('does not count right passwords', async () => {
    const { passwords } = setUp();
    for (let attempt = 1; attempt <= 100; attempt += 1) await passwords.check('ann', 'right', '::1');
  });
});
