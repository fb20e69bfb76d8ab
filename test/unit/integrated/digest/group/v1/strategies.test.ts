import assert from 'node:assert/strict';
import type { Frame } from '../../../../../../src/domain/events/event.ts';
import { groupV1 } from '../../../../../../src/integrated/digest/group/v1/group.ts';
import { event, exception, frame, keyOf, mechanism, message, systemFrame, thread, thrown } from './events.ts';
import { mustGroup, mustNotGroup } from './pairs.ts';

const pay = frame({ module: 'app.pay', function: 'charge' });
const view = frame({ module: 'app.view', function: 'show' });
const lib = systemFrame({ module: 'lib.http', function: 'send' });
const otherLib = systemFrame({ module: 'lib.db', function: 'query' });
const inThread = (frames: Frame[] | null, text: string | null = null) =>
  event({ message: text, threads: [thread({ current: true, frames })] });

describe('group v1: the part of an event that is grouped by', () => {
  it('returns version 1 and 32 hexadecimal digits, always the same', () => {
    const subject = thrown('python', [pay]);
    const answer = groupV1(subject);
    assert.equal(answer.version, 1);
    assert.match(answer.key, /^[0-9a-f]{32}$/);
    assert.deepEqual(groupV1(structuredClone(subject)), answer);
  });

  describe('exceptions', () => {
    mustGroup([
      [
        'one stack with other values',
        thrown('python', [pay], { value: 'bob' }),
        thrown('python', [pay], { value: 'eve' }),
      ],
      [
        'line, column and variables',
        thrown('python', [{ ...pay, lineno: 1, colno: 2, vars: { a: '1' } }]),
        thrown('python', [{ ...pay, lineno: 9, colno: 8, vars: { a: '2' } }]),
      ],
      ['application frames under other libraries', thrown('python', [lib, pay]), thrown('python', [pay, otherLib])],
      [
        'values without a stack that differ in a number',
        event({ exceptions: [exception({ value: 'bad 1' })] }),
        event({ exceptions: [exception({ value: 'bad 22' })] }),
      ],
      [
        'synthetic exceptions of one stack whose made-up types differ',
        thrown('javascript', [pay], { type: 'Error', mechanism: mechanism({ synthetic: true }) }),
        thrown('javascript', [pay], { type: 'Object', mechanism: mechanism({ synthetic: true }) }),
      ],
      [
        'a message beside an exception',
        { ...thrown('python', [pay]), message: 'one' },
        { ...thrown('python', [pay]), message: 'two' },
      ],
      [
        'a chain whose library cause has other values',
        event({
          exceptions: [
            exception({ type: 'PoolError', value: 'host bob', frames: [lib] }),
            exception({ frames: [pay] }),
          ],
        }),
        event({
          exceptions: [
            exception({ type: 'PoolError', value: 'host eve', frames: [lib] }),
            exception({ frames: [pay] }),
          ],
        }),
      ],
      [
        'anonymous exception classes at other lines',
        thrown('php', [pay], { type: 'App\\Fault@anonymous/srv/a.php:12$0' }),
        thrown('php', [pay], { type: 'App\\Fault@anonymous/srv/a.php:99$3' }),
      ],
    ]);
    mustNotGroup([
      ['types', thrown('python', [pay], { type: 'KeyError' }), thrown('python', [pay], { type: 'TypeError' })],
      ['stacks', thrown('python', [pay]), thrown('python', [view])],
      ['orders of frames', thrown('python', [pay, view]), thrown('python', [view, pay])],
      ['stacks of libraries alone', thrown('python', [lib]), thrown('python', [otherLib])],
      [
        'an application frame and the same frame in a library',
        thrown('python', [lib, pay]),
        thrown('python', [lib, { ...pay, in_app: false }]),
      ],
      [
        'values without a stack',
        event({ exceptions: [exception({ value: 'bad' })] }),
        event({ exceptions: [exception({ value: 'worse' })] }),
      ],
      [
        'an exception with and without its cause',
        event({ exceptions: [exception({ type: 'KeyError', frames: [view] }), exception({ frames: [pay] })] }),
        thrown('python', [pay]),
      ],
      [
        'causes of different types',
        event({ exceptions: [exception({ type: 'KeyError', frames: [lib] }), exception({ frames: [pay] })] }),
        event({ exceptions: [exception({ type: 'IndexError', frames: [lib] }), exception({ frames: [pay] })] }),
      ],
      [
        'a chain and its reverse',
        event({ exceptions: [exception({ type: 'A', value: 'a' }), exception({ type: 'B', value: 'b' })] }),
        event({ exceptions: [exception({ type: 'B', value: 'b' }), exception({ type: 'A', value: 'a' })] }),
      ],
      [
        'synthetic exceptions without a stack by value',
        event({ exceptions: [exception({ value: 'rejected: a', mechanism: mechanism({ synthetic: true }) })] }),
        event({ exceptions: [exception({ value: 'rejected: b', mechanism: mechanism({ synthetic: true }) })] }),
      ],
    ]);
  });

  describe('recursion', () => {
    const deep = (depth: number, line = 7) => Array.from({ length: depth }, () => ({ ...view, lineno: line }));
    mustGroup([['depths of one recursion', thrown('python', [pay, ...deep(2)]), thrown('python', [pay, ...deep(90)])]]);
    const twice = (a: Partial<Frame>, b: Partial<Frame>) => {
      const place = { filename: 'a.py', abs_path: '/a.py', function: 'f', lineno: 1, colno: 1, package: 'p' };
      return thrown('python', [frame({ ...place, ...a }), frame({ ...place, ...b })]);
    };
    const once = thrown('python', [frame({ filename: 'a.py', function: 'f' })]);
    const rounds = (names: string, count: number) =>
      thrown('python', [pay, ...Array.from(names.repeat(count)).map((name) => frame({ module: 'm', function: name }))]);
    mustGroup([
      ['a frame and its repeat', twice({}, {}), once],
      ['a repeat from another line', twice({}, { lineno: 2, colno: 9 }), once],
      ['a repeat in another folder', twice({}, { abs_path: '/b/a.py', filename: 'b/a.py' }), once],
      ['rounds of two calls', rounds('ab', 3), rounds('ab', 40)],
      ['rounds of four calls', rounds('abac', 2), rounds('abac', 9)],
    ]);
    mustNotGroup([
      ['a repeat by function', twice({}, { function: 'g' }), once],
      ['a repeat by module', twice({}, { module: 'm' }), once],
      ['a repeat by source line', twice({}, { context_line: 'f(1)' }), once],
      ['a call and none', thrown('python', [pay, ...deep(1)]), thrown('python', [pay])],
      ['the way back from the way there', rounds('ab', 1), rounds('ba', 1)],
      ['rounds of other calls', rounds('ab', 3), rounds('ac', 3)],
      ['half a round more', rounds('aba', 1), rounds('ab', 1)],
    ]);
  });

  describe('threads', () => {
    mustGroup([
      [
        'by the one crashed thread',
        event({ threads: [thread({ frames: [view], current: true }), thread({ frames: [pay], crashed: true })] }),
        event({ threads: [thread({ frames: [pay], crashed: true }), thread({ frames: [lib] })] }),
      ],
      [
        'by the one current thread where none crashed',
        event({ threads: [thread({ frames: [view] }), thread({ frames: [pay], current: true })] }),
        event({ threads: [thread({ frames: [pay], current: true })] }),
      ],
      [
        'by the current thread where two crashed',
        event({
          threads: [thread({ frames: [view], crashed: true }), thread({ frames: [pay], crashed: true, current: true })],
        }),
        event({ threads: [thread({ frames: [pay] })] }),
      ],
      ['by the only thread', event({ threads: [thread({ frames: [pay] })] }), inThread([pay])],
      [
        'without a thread where none stands out',
        message('m', { threads: [thread({ frames: [view] }), thread({ frames: [pay] })] }),
        message('m'),
      ],
      ['a thread without a stack and none', inThread(null, 'm'), message('m')],
      ['a message with other numbers at one place', inThread([pay], 'took 5'), inThread([pay], 'took 61')],
      [
        'an exception whatever the threads',
        { ...thrown('python', [pay]), threads: inThread([view]).threads },
        thrown('python', [pay]),
      ],
    ]);
    mustNotGroup([
      ['stacks', inThread([pay], 'm'), inThread([view], 'm')],
      ['what one place logs', inThread([pay], 'disk full'), inThread([pay], 'queue empty')],
    ]);
  });

  describe('messages', () => {
    const template = (text: string, params: unknown[], formatted: string) =>
      message(formatted, { logentry: { message: text, params } });
    const typeless = exception({
      type: null,
      value: 'hello',
      frames: [pay],
      mechanism: mechanism({ synthetic: true }),
    });
    mustGroup([
      ['by template', template('%s failed', ['bob'], 'bob failed'), template('%s failed', ['eve'], 'eve failed')],
      [
        'a template without its text',
        event({ logentry: { message: '%s failed', params: ['x'] } }),
        template('%s failed', ['bob'], 'bob failed'),
      ],
      [
        'a template that says nothing by its text',
        template('%s', ['bob failed 3 times'], 'bob failed 3 times'),
        template('{}: {}', ['bob failed 4', 'times'], 'bob failed 4 times'),
      ],
      ['numbers', message('user 1 failed'), message('user 2 failed')],
      ['by the first two lines that are not blank', message('a\n\nb\nc'), message('a\nb\nd')],
      [
        'a message with the stack of newer SDKs',
        event({ platform: 'node', message: 'hello', exceptions: [typeless] }),
        message('hello', { platform: 'node' }),
      ],
      ['levels', message('m', { level: 'info' }), message('m', { level: 'error' })],
    ]);
    mustNotGroup([
      ['templates', template('%s failed', ['bob'], 'bob failed'), template('%s is slow', ['bob'], 'bob failed')],
      [
        'texts of a template that says nothing',
        template('%s', ['a'], 'disk full'),
        template('%s', ['b'], 'queue empty'),
      ],
      [
        'texts behind the word error',
        template('Error: %s', ['a'], 'Error: disk full'),
        template('Error: %s', ['b'], 'Error: queue empty'),
      ],
      ['texts', message('disk full'), message('queue empty')],
      ['two lines and more', message('a\nb'), message('a\nb\nc')],
      [
        'messages that one place sends with a stack',
        event({ platform: 'node', message: 'hello', exceptions: [typeless] }),
        event({ platform: 'node', message: 'bye', exceptions: [{ ...typeless, value: 'bye' }] }),
      ],
      [
        'a message and an exception of that value',
        message('bad'),
        event({ exceptions: [exception({ type: null, value: 'bad' })] }),
      ],
    ]);
  });

  it('puts all events without usable content into one group', () => {
    assert.equal(keyOf(event()), keyOf(event({ platform: 'go', release: '1', message: '  ' })));
    assert.equal(keyOf(event()), keyOf(event({ exceptions: [exception({ type: null })] })));
    assert.notEqual(keyOf(event()), keyOf(message('x')));
  });
});
