import assert from 'node:assert/strict';
import { decodeCursor, encodeCursor, queryHash, type Cursor } from '../../../src/storage/errors/cursor.ts';
import { cutPage, finishPage } from '../../../src/storage/errors/keyset-page.ts';

const isNumber = (id: unknown) => Number.isSafeInteger(id);
const place = (row: number) => ({ value: row, id: row });

describe('cursors', () => {
  const hash = queryHash(['list', 1]);

  it('come back as they were, with numbers and with text', () => {
    const cursors: Cursor[] = [
      { value: 5, id: 7, direction: 'next', inclusive: false },
      { value: -5, id: 7, direction: 'previous', inclusive: true },
      { value: 5, id: 7, direction: 'next', inclusive: true },
    ];
    for (const cursor of cursors) {
      assert.deepEqual(decodeCursor(encodeCursor(cursor, hash), hash, isNumber), cursor);
    }
    const text: Cursor = { value: 5, id: 'ab', direction: 'previous', inclusive: false };
    assert.deepEqual(
      decodeCursor(encodeCursor(text, hash), hash, (id) => id === 'ab'),
      text,
    );
    assert.equal(decodeCursor(null, hash, isNumber), null);
  });

  it('are refused for another query, with an id of another kind and when they are none', () => {
    const cursor = encodeCursor({ value: 5, id: 7, direction: 'next', inclusive: false }, hash);
    assert.throws(() => decodeCursor(cursor, queryHash(['list', 2]), isNumber), { code: 'bad_request' });
    assert.throws(() => decodeCursor(cursor, hash, (id) => typeof id === 'string'), { code: 'bad_request' });
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    for (const none of ['', 'x', encode(null), encode([5, 7, 'x', hash]), encode([5.5, 7, 'n', hash]), encode({})]) {
      assert.throws(() => decodeCursor(none, hash, isNumber), { code: 'bad_request' }, none);
    }
  });
});

describe('cutPage', () => {
  const next = (value: number): Cursor => ({ value, id: value, direction: 'next', inclusive: false });
  const previous = (value: number): Cursor => ({ value, id: value, direction: 'previous', inclusive: false });

  it('has a page ahead only where there is a row too many, and none behind a first page', () => {
    assert.deepEqual(cutPage([9, 8, 7], place, null, 3), { items: [9, 8, 7], ahead: null, behind: null });
    assert.deepEqual(cutPage([9, 8, 7], place, null, 2), { items: [9, 8], ahead: next(8), behind: null });
  });

  it('turns a page that was read backwards', () => {
    assert.deepEqual(cutPage([6, 7, 8], place, previous(5), 2), { items: [7, 6], ahead: previous(7), behind: next(6) });
  });

  it('has the row of the cursor itself behind an empty page', () => {
    assert.deepEqual(cutPage<number>([], place, next(5), 2).behind, { ...previous(5), inclusive: true });
    assert.deepEqual(cutPage<number>([], place, previous(5), 2).behind, { ...next(5), inclusive: true });
  });

  it('gives the cursors of both neighbours to the page', () => {
    const page = finishPage(cutPage([5, 4, 3], place, next(6), 2), true, 'h');
    assert.deepEqual(page, {
      items: [5, 4],
      previous: encodeCursor(previous(5), 'h'),
      next: encodeCursor(next(4), 'h'),
    });
    assert.equal(finishPage(cutPage([5, 4, 3], place, next(6), 2), false, 'h').previous, null);
  });
});
