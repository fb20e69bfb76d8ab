import assert from 'node:assert/strict';
import { sizeOf } from '../../../../../src/storage/mongo/instance/maintenance-views.ts';

describe('sizeOf', () => {
  const files = { storageSize: 1000, indexSize: 300, dataSize: 5000 };

  it('leaves out what is free in the files, which no removal makes smaller', () => {
    const size = sizeOf({ ...files, freeStorageSize: 600, indexFreeStorageSize: 100 });
    assert.deepEqual(size, { used: 600, falls: 'later' });
  });

  it('says that the size never falls where the server does not report free space', () => {
    assert.deepEqual(sizeOf(files), { used: 1300, falls: 'never' });
  });

  it('has no size for a server that reports none', () => {
    assert.equal(sizeOf({ ok: 1 }), null);
  });
});
