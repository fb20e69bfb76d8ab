import assert from 'node:assert/strict';
import { formerLinkIn } from '../../../../src/domain/imports/former-link.ts';

const EVENT = '0123456789abcdef0123456789abcdef';
const UUID = '01234567-89ab-cdef-0123-456789abcdef';
const ISSUE = '0f1e2d3c-0000-4000-8000-000000000000';

describe('addresses of former trackers', () => {
  const addresses: readonly (readonly [address: string, id: string | null, event?: string, ...names: string[]])[] = [
    ['4711', '4711'],
    ['SHOP-1A', 'SHOP-1A'],
    [UUID, UUID, EVENT],
    ['/organizations/acme/issues/4711/', '4711', '', 'acme'],
    [`/organizations/acme/issues/4711/events/${EVENT}/?project=2`, '4711', EVENT, 'acme'],
    ['/organizations/acme/issues/4711/events/latest/', '4711', '', 'acme'],
    ['/organizations/acme/issues/4711/activity/', '4711', '', 'acme'],
    ['https://old.example/sub/organizations/acme/issues/4711', '4711', '', 'sub', 'acme'],
    ['/acme/shop/issues/4711/', '4711', '', 'acme', 'shop'],
    ['/acme/issues/4711', '4711', '', 'acme'],
    [`/acme/issues/4711/events/${UUID}`, '4711', EVENT, 'acme'],
    ['/issues/4711/', '4711'],
    ['/share/issue/0a1b2c3d4e/', '0a1b2c3d4e'],
    ['/organizations/acme/share/issue/0a1b2c3d4e/', '0a1b2c3d4e', '', 'acme'],
    ['/organizations/acme/issues/?query=SHOP-1A', 'SHOP-1A', '', 'acme'],
    [`/issues/issue/${ISSUE}/event/last/`, ISSUE],
    [`/issues/issue/${ISSUE}/event/${UUID}/details/`, ISSUE, EVENT],
    [`/organizations/acme/projects/shop/events/${EVENT}/`, null, EVENT, 'acme', 'shop'],
    [`/acme/shop/events/${UUID}/`, null, EVENT, 'acme', 'shop'],
  ];
  for (const [address, id, event = '', ...names] of addresses) {
    it(`${address.slice(0, 80)} is ${id ?? `event ${event}`}`, () => {
      const host = address.startsWith('https://') ? 'old.example' : null;
      assert.deepEqual(formerLinkIn(address), { id, eventId: event === '' ? null : event, names, host });
    });
  }

  for (const address of [
    '/organizations/acme/issues/',
    '/organizations/acme/issues/?query=is:unresolved+level:error',
    '/group/project/-/error_tracking',
    '/group/issues/-/error_tracking/17/details',
    '',
    'http://[',
    `/issues/${'1'.repeat(65)}/`,
    '/acme/shop/events/17/',
  ]) {
    it(`${address.slice(0, 60)} is none`, () => assert.equal(formerLinkIn(address), null));
  }
});
