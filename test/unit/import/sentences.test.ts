import assert from 'node:assert/strict';
import { Sentences } from '../../../src/import/readers/access/source-access.ts';

describe('sentences about what cannot be read', () => {
  it('come once each, and are counted beyond 200', () => {
    const sentences = new Sentences();
    for (let index = 0; index < 1000; index += 1) sentences.add(`event ${index % 500}`);
    assert.equal(sentences.list.length, 201);
    assert.deepEqual(sentences.list.slice(0, 2), ['event 0', 'event 1']);
    assert.match(sentences.list.at(-1) ?? '', /more/);
  });
});
