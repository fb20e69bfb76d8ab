import assert from 'node:assert/strict';
import { mappingId, readDebugId } from '../../../../src/domain/artifacts/artifact.ts';

describe('debug ids', () => {
  const id = '85350b67-0a1b-4c2d-8e3f-000000000001';

  it('are read in any form, and kept in one', () => {
    for (const text of [id, id.toUpperCase(), id.replaceAll('-', '')]) assert.equal(readDebugId(text), id);
    assert.equal(readDebugId(`${id}-1A`), `${id}-1a`);
    assert.equal(readDebugId(`${id.replaceAll('-', '')}1`), `${id}-1`);
    for (const text of ['', 'x', id.slice(1), `${id}/..`, `${id}\n`]) assert.equal(readDebugId(text), null);
  });

  it('stand in the names of mappings', () => {
    assert.equal(mappingId(`/proguard/${id}.txt`), id);
    assert.equal(mappingId(`proguard/${id}.txt`), id);
    for (const name of [`../proguard/${id}.txt`, 'proguard/x.txt', `${id}.txt`]) assert.equal(mappingId(name), null);
  });
});
