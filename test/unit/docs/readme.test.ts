import assert from 'node:assert/strict';
import { readRoot } from '../../support/doc-pages.ts';

describe('README.md', () => {
  it('says that the first sign-in asks for a new password, and that the first one is needed once', () => {
    const text = readRoot('README.md').replaceAll(/\s+/g, ' ');
    assert.match(text, /The first sign-in asks for a new password: the one in `first-start\.json` is needed once\./);
  });
});
