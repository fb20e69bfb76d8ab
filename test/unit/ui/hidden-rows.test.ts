import assert from 'node:assert/strict';
import { HiddenRows } from '../../../ui/src/pages/errors/hidden-rows.ts';

const open = { id: '1', status: 'unresolved' } as const;

describe('rows whose status changed here', () => {
  const shownIds = (rows: HiddenRows, asked: number) => rows.shown([open as never], asked).map(({ id }) => id);

  it('are not brought back by answers that do not know of it, and are by those that do', () => {
    const rows = new HiddenRows();
    const before = rows.ask();
    rows.hide('1', 'resolved');
    const meanwhile = rows.ask();
    rows.taken('1');
    assert.deepEqual(shownIds(rows, before), []);
    assert.deepEqual(shownIds(rows, meanwhile), []);
    assert.deepEqual(shownIds(rows, rows.ask()), ['1']);
  });

  it('make answers outdated from their undo until it has arrived', () => {
    const rows = new HiddenRows();
    const before = rows.ask();
    assert.equal(rows.outdated(before), false);
    const [first, second] = [rows.undo(), rows.undo()];
    const meanwhile = rows.ask();
    first();
    first();
    assert.equal(rows.outdated(meanwhile), true, 'the second is on its way');
    second();
    assert.equal(rows.outdated(before), true);
    assert.equal(rows.outdated(meanwhile), true);
    assert.equal(rows.outdated(rows.ask()), false);
  });

  it('mean nothing for the rows of another query', () => {
    const rows = new HiddenRows();
    rows.hide('1', 'resolved');
    const arrived = rows.undo();
    rows.clear();
    arrived();
    const asked = rows.ask();
    assert.equal(rows.outdated(asked), false);
    assert.deepEqual(shownIds(rows, asked), ['1']);
  });
});
