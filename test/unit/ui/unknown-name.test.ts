import assert from 'node:assert/strict';
import { unknownName } from '../../../ui/src/pages/errors/unknown-name.ts';

describe('a name in a filter', () => {
  it('is reported with the known names where no event has it', () => {
    assert.equal(
      unknownName('environment', 'prodction', ['production', 'staging']),
      'No event has the environment “prodction”. Known: production, staging.',
    );
    assert.equal(unknownName('release', 'x', []), 'No event has the release “x”.');
    assert.equal(unknownName('release', 'x', ['a'], 'staging'), 'No event in “staging” has the release “x”. Known: a.');
    assert.match(
      unknownName('release', 'x', ['a', 'b', 'c', 'd', 'e', 'f', 'g']) ?? '',
      /Known: a, b, c, d, e and 2 more\.$/,
    );
  });

  it('is not reported where it is known, or may be one that is not listed', () => {
    assert.equal(unknownName('release', '', ['a']), null);
    assert.equal(unknownName('release', 'a', ['a']), null);
    assert.equal(unknownName('release', 'x', Array.from({ length: 100 }, String)), null);
  });
});
