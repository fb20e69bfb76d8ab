import assert from 'node:assert/strict';
import { PageBounds } from '../../../../../src/storage/mongo/engine/page-bounds.ts';

const at = (value: number) => ({ value, id: value });

describe('PageBounds', () => {
  it('remembers the newest bound of a page, and a bounded number of pages', () => {
    const bounds = new PageBounds();
    bounds.set('first', at(1));
    bounds.set('second', at(2));
    bounds.set('first', at(3));
    assert.deepEqual(bounds.get('first'), at(3));
    for (let page = 0; page < 1999; page += 1) bounds.set(`page ${page}`, at(page));
    assert.equal(bounds.get('second'), undefined, 'the one met longest ago goes first');
    assert.deepEqual(bounds.get('first'), at(3));
    bounds.set('one more', at(1));
    assert.equal(bounds.get('first'), undefined);
    bounds.delete('one more');
    assert.equal(bounds.get('one more'), undefined);
  });
});
