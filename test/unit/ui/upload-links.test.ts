import assert from 'node:assert/strict';
import { uploadRoute } from '../../../ui/src/pages/error/upload-links.ts';

const ID = '85350b67-0000-4000-8000-000000000001';
const queryOf = (reason: string, release: string | null = 'a+b@1') => uploadRoute('demo/shop', release, reason)?.query;

describe('the uploads that a reason leads to', () => {
  it('are those with the debug id, of the release that has uploads', () => {
    const reason = `no map for debug id ${ID}; release a+b@1 has`;
    assert.deepEqual(queryOf(`${reason} 12 bundles, none with it`), { release: 'a+b@1', search: ID });
    assert.deepEqual(queryOf(`${reason} no bundles`), { search: ID });
    assert.deepEqual(queryOf(`no map for debug id ${ID}`, null), { search: ID });
    assert.deepEqual(queryOf(`no mapping for id ${ID}`), { search: ID });
    assert.deepEqual(queryOf(`the map of debug id ${ID} cannot be used: no mappings`), { search: ID });
    assert.equal(
      uploadRoute('demo/a b', null, `no mapping for id ${ID}`)?.path,
      '/demo/a%20b/-/error_tracking/uploads',
    );
  });

  it('are all of them, with how to upload, where the project has none', () => {
    const reasons = ['no map for debug id', 'no mapping for id'].map(
      (none) => `${none} ${ID}; the project has no uploads`,
    );
    for (const reason of reasons) assert.deepEqual(queryOf(reason), {});
  });

  it('are those of the release where there is no debug id', () => {
    const reason = 'no map for https://shop.example/app.js; release a+b@1 has';
    assert.deepEqual(queryOf(`${reason} 2 bundles, none with it for dist eu`), { release: 'a+b@1' });
    assert.equal(queryOf(`${reason} no bundles`), undefined);
    assert.equal(queryOf('the event has neither a debug id for this file nor a release', null), undefined);
    assert.equal(queryOf(''), undefined);
  });
});
