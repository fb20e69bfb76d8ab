import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createUnsubscribeLinks } from '../../../src/auth/unsubscribe-links.ts';

const externalUrl = 'https://errors.example.com/sub';

function tokenIn(link: string): string {
  return new URL(link).searchParams.get('token') ?? '';
}

describe('links that end alert mails', () => {
  const [first, second] = [{ bytes: randomBytes(32) }, { bytes: randomBytes(32) }];
  const links = createUnsubscribeLinks({ externalUrl: () => externalUrl, keys: () => [first] });

  it('lead to the route below the external URL, and name their user', () => {
    const link = links.linkFor(17);
    assert.ok(link.startsWith(`${externalUrl}/-/alerts/unsubscribe?token=17.`));
    assert.equal(links.userOf(tokenIn(link)), 17);
    assert.equal(links.linkFor(17), link);
  });

  it('refuse every changed token', () => {
    const token = tokenIn(links.linkFor(17));
    const last = token.endsWith('A') ? 'Q' : 'A';
    const forged = [token.replace(/^17/, '18'), token.slice(0, -1), `${token.slice(0, -1)}${last}`, `0${token}`];
    for (const text of [...forged, '', '17', '17.', '.x', '__proto__']) assert.equal(links.userOf(text), null, text);
  });

  it('outlive a change of keys as long as the former key is there', () => {
    const token = tokenIn(links.linkFor(3));
    const rotated = createUnsubscribeLinks({ externalUrl: () => externalUrl, keys: () => [second, first] });
    assert.equal(rotated.userOf(token), 3);
    assert.notEqual(tokenIn(rotated.linkFor(3)), token);
    assert.equal(createUnsubscribeLinks({ externalUrl: () => externalUrl, keys: () => [second] }).userOf(token), null);
  });

  it('need a key', () => {
    assert.throws(
      () => createUnsubscribeLinks({ externalUrl: () => externalUrl, keys: () => [] }).linkFor(1),
      /secret key/,
    );
  });
});
