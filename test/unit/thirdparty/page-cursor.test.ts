import assert from 'node:assert/strict';
import { AppError } from '../../../src/domain/app-error.ts';
import { cutPage, readCursor, writeCursor } from '../../../src/thirdparty/page-cursor.ts';

const question = ['https://t.example/acme/shop/', 'errors', 20, { status: 'all' }];

describe('cursors of third-party lists', () => {
  it('come back as they went', () => {
    for (const position of [
      { cursor: '1541451600000:25:0', skip: 0 },
      { cursor: null, skip: 40 },
      { cursor: 'ü/=+%', skip: 1 },
    ]) {
      assert.deepEqual(readCursor(question, writeCursor(question, position)), position);
    }
    assert.deepEqual(readCursor(question, null), { cursor: null, skip: 0 });
    assert.equal(writeCursor(question, null), null);
  });

  it('belong to one question', () => {
    const cursor = writeCursor(question, { cursor: 'c', skip: 0 });
    for (const [asked, text] of [
      [[...question, 'x'], cursor],
      [['https://other.example/', ...question.slice(1)], cursor],
      [question, '1541451600000:25:0'],
      [question, ''],
      [question, `${cursor}.`],
      [question, String(cursor).replace(/\.0\./, '.99999.')],
      [question, 't1'],
    ] as const) {
      assert.throws(
        () => readCursor(asked, text),
        (error: unknown) => error instanceof AppError && error.code === 'bad_request',
        String(text),
      );
    }
  });

  it('walk through a page that is longer than asked for, forth and back', () => {
    const rows = Array.from({ length: 45 }, (_, index) => index);
    const around = { previous: 'before', next: 'after' };
    const first = cutPage(rows, { cursor: 'c', skip: 0 }, 20, around);
    assert.deepEqual([first.items.length, first.previous, first.next], [20, { cursor: 'before', skip: 0 }, { cursor: 'c', skip: 20 }]); // prettier-ignore
    const second = cutPage(rows, first.next!, 20, around);
    assert.deepEqual([second.items[0], second.previous, second.next], [20, { cursor: 'c', skip: 0 }, { cursor: 'c', skip: 40 }]); // prettier-ignore
    const third = cutPage(rows, second.next!, 20, around);
    assert.deepEqual([third.items, third.next], [[40, 41, 42, 43, 44], { cursor: 'after', skip: 0 }]);
    const last = cutPage(rows, second.next!, 20, { previous: null, next: null });
    assert.equal(last.next, null);
  });
});
