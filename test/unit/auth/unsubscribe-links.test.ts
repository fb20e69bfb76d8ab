import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createUnsubscribeLinks } from '../../../src/auth/unsubscribe-links.ts';

const ALL = { userId: 17, projectId: null };
const ONE = { userId: 17, projectId: 4 };
const externalUrl = 'https://errors.example.com/sub';

function tokenIn(link: string): string {
  return new URL(link).searchParams.get('token') ?? '';
}

describe('links that end alert mails', () => {
  const [first, second] = [{ bytes: randomBytes(32) }, { bytes: randomBytes(32) }];
  const links = createUnsubscribeLinks({ externalUrl: () => externalUrl, keys: () => [first] });

  it('lead to the route below the external URL, and name their user', () => {
    const link = links.linkFor(ALL);
    assert.ok(link.startsWith(`${externalUrl}/-/alerts/unsubscribe?token=17.`));
    assert.deepEqual(links.scopeOf(tokenIn(link)), ALL);
    assert.equal(links.linkFor(ALL), link);
    const ofProject = links.linkFor(ONE);
    assert.ok(ofProject.startsWith(`${externalUrl}/-/alerts/unsubscribe?token=17-4.`));
    assert.deepEqual(links.scopeOf(tokenIn(ofProject)), ONE);
  });

  it('refuse every changed token', () => {
    for (const scope of [ALL, ONE]) {
      const token = tokenIn(links.linkFor(scope));
      const last = token.endsWith('A') ? 'Q' : 'A';
      const forged = [token.replace(/^17/, '18'), token.slice(0, -1), `${token.slice(0, -1)}${last}`, `0${token}`];
      for (const text of forged) assert.equal(links.scopeOf(text), null, text);
    }
    // A link about one project ends no other mails, and the other way round.
    const [all, one] = [tokenIn(links.linkFor(ALL)), tokenIn(links.linkFor(ONE))];
    const swapped = [one.replace('-4.', '.'), one.replace('-4.', '-5.'), all.replace('17.', '17-4.')];
    for (const text of [...swapped, '', '17', '17.', '17-4', '.x', '__proto__']) {
      assert.equal(links.scopeOf(text), null, text);
    }
  });

  it('outlive a change of keys as long as the former key is there', () => {
    const token = tokenIn(links.linkFor(ONE));
    const rotated = createUnsubscribeLinks({ externalUrl: () => externalUrl, keys: () => [second, first] });
    assert.deepEqual(rotated.scopeOf(token), ONE);
    assert.notEqual(tokenIn(rotated.linkFor(ONE)), token);
    assert.equal(createUnsubscribeLinks({ externalUrl: () => externalUrl, keys: () => [second] }).scopeOf(token), null);
  });

  it('need a key', () => {
    assert.throws(
      () => createUnsubscribeLinks({ externalUrl: () => externalUrl, keys: () => [] }).linkFor(ALL),
      /secret key/,
    );
  });
});
