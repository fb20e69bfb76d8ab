import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { keysOfCorpus } from './keys-of-corpus.ts';

const FROZEN = new URL('../fixtures/grouping-keys-v1.json', import.meta.url);

/**
 * Keys that version 1 gave to the whole corpus when it was frozen. Stored errors are found again by them, so the
 * file is never made again from newer code.
 */
describe('grouping: keys of version 1 through the whole digest', () => {
  const frozen = JSON.parse(readFileSync(FROZEN, 'utf8')) as Record<string, string>;
  const keys = keysOfCorpus();

  it('equal the frozen ones, for every event of the corpus, the captures and events with secrets', () => {
    assert.ok(Object.keys(frozen).length > 700);
    const changed = Object.entries(frozen).filter(([name, key]) => keys[name] !== key);
    assert.deepEqual(changed, []);
  });

  it('include every event of these sources', () => {
    assert.deepEqual(Object.keys(keys).sort(), Object.keys(frozen).sort());
  });
});
