import assert from 'node:assert/strict';
import { readClaims } from '../../../src/auth/sign-on/claims.ts';
import { assertDomain } from '../../../src/auth/sign-on/domain-rule.ts';

describe('claims of Google', () => {
  const rule = { groupsClaim: 'groups', absentIsNone: false };
  const settings = { emailDomains: ['Shop.test'], name: 'Google' };
  const claimsOf = (claims: Readonly<Record<string, unknown>>, issuer = 'https://accounts.google.com') =>
    readClaims({ iss: issuer, sub: '1', email_verified: true, ...claims }, null, rule);
  const isAllowed = (...of: Parameters<typeof claimsOf>): boolean => {
    try {
      assertDomain(claimsOf(...of), settings);
      return true;
    } catch {
      return false;
    }
  };

  it('name the organization of an account, which its address does not prove', () => {
    assert.equal(isAllowed({ email: 'ada@shop.test', hd: 'shop.test' }), true);
    assert.equal(isAllowed({ email: 'ada@second.test', hd: 'SHOP.test' }), true, 'another domain of it');
    assert.equal(isAllowed({ email: 'ada@shop.test' }), false, 'a private account');
    assert.equal(isAllowed({ email: 'ada@shop.test', hd: 'other.test' }), false);
    assert.equal(isAllowed({ email: 'ada@shop.test', hd: ['shop.test'] }), false);
    assert.equal(isAllowed({ email: 'ada@other.test', hd: 'shop.test' }, 'https://sso.test'), false);
    assert.equal(isAllowed({ email: 'ada@shop.test' }, 'https://sso.test'), true);
  });

  it('verify an address of the organization or of Google itself, and no other', () => {
    assert.equal(claimsOf({ email: 'ada@shop.test', hd: 'shop.test' }).email, 'ada@shop.test');
    assert.equal(claimsOf({ email: 'ada@Gmail.com' }).email, 'ada@Gmail.com');
    assert.equal(claimsOf({ email: 'ada@shop.test' }).email, null);
    assert.equal(claimsOf({ email: 'ada@shop.test' }, 'https://sso.test').email, 'ada@shop.test');
  });
});
