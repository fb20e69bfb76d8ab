import assert from 'node:assert/strict';
import type { EventUser } from '../../../../src/domain/events/event.ts';
import { userHash } from '../../../../src/integrated/digest/user-hash.ts';
import { normalise } from './digest-support.ts';

const user = (members: Partial<EventUser>): EventUser => ({
  id: null,
  username: null,
  email: null,
  name: null,
  ip_address: null,
  data: {},
  ...members,
});
const hash = (members: Partial<EventUser>) => userHash('salt', 1, user(members));

describe('hash of the affected user', () => {
  it('has 24 hex digits', () => assert.match(hash({ id: '7' }) ?? '', /^[0-9a-f]{24}$/));
  it('is made of the id, else username, else e-mail, else IP address', () => {
    const whole = { id: '1', username: 'u', email: 'e@x', ip_address: '10.0.0.1' };
    assert.equal(hash(whole), hash({ id: '1' }));
    assert.equal(hash({ ...whole, id: null }), hash({ username: 'u' }));
    assert.equal(hash({ ...whole, id: null, username: null }), hash({ email: 'e@x' }));
    assert.equal(hash({ ip_address: '10.0.0.1' }), hash({ ip_address: '10.0.0.1', name: 'n' }));
  });
  it('the same text as id and as username gives two users', () => {
    assert.notEqual(hash({ id: '7' }), hash({ username: '7' }));
  });
  it('7 and "7" are one user', () => {
    assert.equal(
      userHash('s', 1, normalise({ user: { id: 7 } }).user),
      userHash('s', 1, normalise({ user: { id: '7' } }).user),
    );
  });
  it('differs by project and by salt', () => {
    const seven = user({ id: '7' });
    assert.equal(new Set([userHash('a', 1, seven), userHash('a', 2, seven), userHash('b', 1, seven)]).size, 3);
  });
  it('is null without a user', () => {
    assert.equal(userHash('s', 1, null), null);
    assert.equal(hash({ name: 'only a name' }), null);
  });
});
