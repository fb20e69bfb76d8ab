import assert from 'node:assert/strict';
import type { EventException } from '../../../../../../src/domain/events/event.ts';
import { mainException } from '../../../../../../src/integrated/digest/group/v1/exceptions.ts';
import { event, exception, frame, mechanism } from './events.ts';
import { mustGroup, mustNotGroup } from './pairs.ts';

const entry = (
  id: number,
  parent: number | null,
  type: string,
  members: Partial<EventException> = {},
  isGroup = false,
) =>
  exception({
    type,
    value: type.toLowerCase(),
    ...members,
    mechanism: mechanism({ exception_id: id, parent_id: parent, is_exception_group: isGroup }),
  });
const root = (members: Partial<EventException> = {}) =>
  entry(0, null, 'ExceptionGroup', { frames: [frame({ module: 'app.main', function: 'run' })], ...members }, true);
const of = (...exceptions: EventException[]) => event({ exceptions });
const plain = (...types: string[]) => of(...types.map((type) => exception({ type, value: type.toLowerCase() })));

describe('group v1: exception groups', () => {
  mustGroup([
    [
      'members in any order',
      of(entry(2, 0, 'B'), entry(1, 0, 'A'), root()),
      of(entry(2, 0, 'A'), entry(1, 0, 'B'), root()),
    ],
    [
      'repeats of a member',
      of(entry(3, 0, 'B'), entry(2, 0, 'A'), entry(1, 0, 'A'), root()),
      of(entry(2, 0, 'B'), entry(1, 0, 'A'), root()),
    ],
    [
      'repeats that do not stand together',
      of(entry(3, 0, 'A'), entry(2, 0, 'B'), entry(1, 0, 'A'), root()),
      of(entry(2, 0, 'B'), entry(1, 0, 'A'), root()),
    ],
    ['a group of one kind and that exception alone', of(entry(2, 0, 'A'), entry(1, 0, 'A'), root()), plain('A')],
    ['the one kind with its cause', of(entry(2, 1, 'Cause'), entry(1, 0, 'A'), root()), plain('Cause', 'A')],
    [
      'members of nested groups',
      of(entry(3, 2, 'B'), entry(2, 0, 'ExceptionGroup', {}, true), entry(1, 0, 'A'), root()),
      of(entry(2, 0, 'B'), entry(1, 0, 'A'), root()),
    ],
    ['a chain with ids and without', of(entry(1, 0, 'Cause'), entry(0, null, 'Outer')), plain('Cause', 'Outer')],
  ]);
  mustNotGroup([
    ['members', of(entry(2, 0, 'B'), entry(1, 0, 'A'), root()), of(entry(2, 0, 'C'), entry(1, 0, 'A'), root())],
    [
      'roots of several members',
      of(entry(2, 0, 'B'), entry(1, 0, 'A'), root()),
      of(entry(2, 0, 'B'), entry(1, 0, 'A'), root({ frames: [frame({ module: 'app.job', function: 'run' })] })),
    ],
    ['one kind of different values', of(entry(1, 0, 'A'), root()), of(entry(1, 0, 'A', { value: 'other' }), root())],
    ['a group without members and the exception', of(root()), plain('A')],
  ]);

  const broken: [string, EventException[]][] = [
    ['an id is missing', [exception({ type: 'A' }), root()]],
    ['an id occurs twice', [entry(1, 0, 'B'), entry(1, 0, 'A'), root()]],
    ['one is its own parent', [entry(3, 3, 'B'), entry(2, 0, 'A'), entry(1, 0, 'A'), root()]],
    ['the root has no members', [entry(2, 1, 'B'), entry(1, 2, 'A'), root()]],
    ['there is no root', [entry(2, 1, 'A'), entry(1, 2, 'ExceptionGroup', {}, true)]],
  ];
  for (const [what, exceptions] of broken) {
    const ungrouped = exceptions.map((one) => ({ ...one, mechanism: null }));
    mustGroup([[`as a chain where ${what}`, of(...exceptions), of(...ungrouped)]]);
  }

  it('ends when the parents of exceptions form a circle', () => {
    const apart = of(entry(2, 1, 'B', {}, true), entry(1, 2, 'A', {}, true), entry(0, null, 'Root', {}, true));
    const through = of(entry(1, 0, 'A', {}, true), entry(0, 1, 'Root', {}, true));
    assert.equal(mainException(apart)?.type, 'Root');
    assert.equal(mainException(through)?.type, 'Root');
  });

  it('returns the exception that the title is made from', () => {
    assert.equal(mainException(event()), null);
    assert.equal(mainException(plain('A'))?.type, 'A');
    assert.equal(mainException(plain('A', 'B'))?.type, 'B');
    assert.equal(mainException(of(entry(2, 0, 'A'), entry(1, 0, 'A'), root()))?.type, 'A');
    assert.equal(mainException(of(entry(2, 0, 'B'), entry(1, 0, 'A'), root()))?.type, 'ExceptionGroup');
  });
});
