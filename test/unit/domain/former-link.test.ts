import assert from 'node:assert/strict';
import { formerIdIn } from '../../../src/domain/former-link.ts';

describe('addresses of former trackers', () => {
  const addresses: readonly (readonly [address: string, id: string | null])[] = [
    ['4711', '4711'],
    ['SHOP-1A', 'SHOP-1A'],
    ['/organizations/acme/issues/4711/', '4711'],
    ['/organizations/acme/issues/4711/events/0123456789abcdef0123456789abcdef/?project=2', '4711'],
    ['https://old.example/sub/organizations/acme/issues/4711', '4711'],
    ['/acme/shop/issues/4711/', '4711'],
    ['/acme/issues/4711', '4711'],
    ['/issues/4711/', '4711'],
    ['/share/issue/0a1b2c3d4e/', '0a1b2c3d4e'],
    ['/organizations/acme/issues/?query=SHOP-1A', 'SHOP-1A'],
    ['/issues/issue/0f1e2d3c-0000-4000-8000-000000000000/event/last/', '0f1e2d3c-0000-4000-8000-000000000000'],
    ['/organizations/acme/issues/', null],
    ['/organizations/acme/issues/?query=is:unresolved+level:error', null],
    ['/group/project/-/error_tracking', null],
    ['', null],
    ['http://[', null],
    [`/issues/${'1'.repeat(65)}/`, null],
  ];
  for (const [address, id] of addresses) {
    it(`${address.slice(0, 60)} is ${id ?? 'none'}`, () => assert.equal(formerIdIn(address), id));
  }
});
