import assert from 'node:assert/strict';
import { culpritOf } from '../../../../src/integrated/digest/culprit.ts';
import { messageOf, titleOf, typeOf } from '../../../../src/integrated/digest/title.ts';
import { normalise } from './digest-support.ts';

const frame = (name: string | null, more: object = {}) => ({ function: name, filename: 'a.py', in_app: true, ...more });
const thrown = (more: object, ...frames: object[]) => ({ exception: [{ ...more, stacktrace: { frames } }] });
const synthetic = { mechanism: { synthetic: true } };

describe('title, type and message', () => {
  const rows: [what: string, raw: unknown, title: string, type: string | null, message: string | null][] = [
    ['type and value', { exception: { type: 'E', value: 'v' } }, 'E: v', 'E', 'v'],
    [
      'the last of a chain',
      { exception: [{ type: 'Cause' }, { type: 'Shown', value: 'v' }] },
      'Shown: v',
      'Shown',
      'v',
    ],
    ['type only', { exception: { type: 'E' } }, 'E', 'E', null],
    ['value only', { exception: { value: 'v' } }, 'v', 'Error', 'v'],
    ['value only, with a stack', thrown({ type: null, value: 'E_DB_DOWN' }, frame('handler')), 'E_DB_DOWN', 'Error', 'E_DB_DOWN'], // prettier-ignore
    ['stack only', thrown({ type: null, value: null }, frame('handler')), 'handler', 'Error', null],
    ['first line of the value', { exception: { type: 'E', value: '\n a\nb' } }, 'E: a', 'E', '\n a\nb'],
    [
      'long value',
      { exception: { type: 'E', value: 'x'.repeat(101) } },
      `E: ${'x'.repeat(97)}...`,
      'E',
      'x'.repeat(101),
    ],
    [
      'value of 100',
      { exception: { type: 'E', value: 'x'.repeat(100) } },
      `E: ${'x'.repeat(100)}`,
      'E',
      'x'.repeat(100),
    ],
    ['long type', { exception: { type: 'T'.repeat(200) } }, `${'T'.repeat(125)}...`, `${'T'.repeat(125)}...`, null],
    ['exception beats message', { message: 'm', exception: { type: 'E' } }, 'E', 'E', 'm'],
    ['message', { message: 'hello\nworld' }, 'hello', null, 'hello\nworld'],
    ['long message', { message: 'x'.repeat(2000) }, `${'x'.repeat(97)}...`, null, `${'x'.repeat(1021)}...`],
    ['blank message', { message: ' \n ' }, '<unlabeled event>', null, ' \n '],
    ['nothing', {}, '<unlabeled event>', null, null],
    [
      'synthetic with a message, as captureMessage of JavaScript 11',
      { message: 'hi', ...thrown({ value: 'hi', ...synthetic }, frame('run')) },
      'hi',
      null,
      'hi',
    ],
    ['synthetic: value', thrown({ type: 'Ignored', value: 'v', ...synthetic }, frame('run')), 'v', null, 'v'],
    [
      'captureException of a text in Node',
      thrown({ type: 'Error', value: 'E_DB_DOWN', ...synthetic }, frame('handler')),
      'E_DB_DOWN',
      null,
      'E_DB_DOWN',
    ],
    [
      'native crash',
      thrown({ type: 'SIGSEGV', value: 'Segfault', ...synthetic }, frame('__libc_start_main')),
      'Segfault',
      null,
      'Segfault',
    ],
    [
      'synthetic: function of the newest application frame',
      thrown(synthetic, frame('mine'), frame('?'), frame('lib', { in_app: false })),
      'mine',
      null,
      null,
    ],
    ['synthetic: no function', thrown({ value: 'v', ...synthetic }, frame('?')), 'v', null, 'v'],
    ['synthetic: nothing at all', thrown(synthetic, frame(null)), '<unknown>', null, null],
  ];
  for (const [what, raw, title, type, message] of rows) {
    it(what, () => {
      const event = normalise(raw);
      assert.deepEqual([titleOf(event), typeOf(event), messageOf(event)], [title, type, message]);
    });
  }
});

describe('culprit', () => {
  const rows: [what: string, raw: object, culprit: string | null][] = [
    ['transaction', { transaction: 'GET /x', ...thrown({ type: 'E' }, frame('f')) }, 'GET /x'],
    ['module in function', { ...thrown({ type: 'E' }, frame('f', { module: 'a.b' })) }, 'a.b in f'],
    ['file in function', thrown({ type: 'E' }, frame('f')), 'a.py in f'],
    ['no function', thrown({ type: 'E' }, frame(null)), 'a.py in ?'],
    [
      'newest application frame',
      thrown({ type: 'E' }, frame('old'), frame('new'), frame('lib', { in_app: false })),
      'a.py in new',
    ],
    [
      'else the newest',
      thrown({ type: 'E' }, frame('a', { in_app: false }), frame('b', { in_app: false })),
      'a.py in b',
    ],
    ['JavaScript', { platform: 'javascript', ...thrown({ type: 'E' }, frame('f', { module: 'app' })) }, 'f(app)'],
    ['Node without function', { platform: 'node', ...thrown({ type: 'E' }, frame(null)) }, '?(a.py)'],
    ['native', { platform: 'native', ...thrown({ type: 'E' }, frame('main::run')) }, 'main::run'],
    [
      'platform of the frame',
      { platform: 'python', ...thrown({ type: 'E' }, frame('f', { platform: 'native' })) },
      'f',
    ],
    [
      'stack of the cause where the shown exception has none',
      { exception: [{ type: 'A', stacktrace: { frames: [frame('f')] } }, { type: 'B' }] },
      'a.py in f',
    ],
    ['thread of a message', { message: 'm', threads: [{ stacktrace: { frames: [frame('f')] } }] }, 'a.py in f'],
    [
      'thread without application code',
      { message: 'm', threads: [{ stacktrace: { frames: [frame('f', { in_app: false })] } }] },
      null,
    ],
    ['address of the request', { message: 'm', request: { url: 'https://h/p?q=1' } }, 'https://h/p'],
    ['nothing', { message: 'm' }, null],
  ];
  for (const [what, raw, culprit] of rows) {
    it(what, () => assert.equal(culpritOf(normalise(raw)), culprit));
  }
  it('has at most 200 characters', () => {
    const event = normalise(thrown({ type: 'E' }, frame('f'.repeat(250), { module: 'm'.repeat(250) })));
    assert.equal(culpritOf(event)?.length, 200);
  });
});
