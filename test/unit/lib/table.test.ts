import assert from 'node:assert/strict';
import { renderTable } from '../../../src/lib/table.ts';

describe('renderTable', () => {
  it('lines the columns up under a heading', () => {
    const text = renderTable(
      ['id', 'path', 'monitor'],
      [
        [1, 'demo/shop', true],
        [12, 'a/b', null],
      ],
    );
    assert.equal(text, ['ID  PATH       MONITOR', '1   demo/shop  yes', '12  a/b        -'].join('\n'));
  });

  it('keeps a cell from moving the cursor or forging a row', () => {
    assert.doesNotMatch(
      renderTable(['name'], [['a\u001b[2Jb\nc\u009b']])
        .split('\n')
        .slice(1)
        .join(''),
      /[\u0000-\u001f\u009b]/,
    );
    assert.equal(renderTable(['name'], [['a\nb']]).split('\n').length, 2);
  });
});
