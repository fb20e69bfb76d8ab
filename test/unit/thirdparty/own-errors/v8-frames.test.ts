import assert from 'node:assert/strict';
import { framesOf } from '../../../../src/thirdparty/own-errors/v8-frames.ts';
import { processorMs } from '../../../support/processor-time.ts';

function framesOfLines(...lines: string[]): unknown[] {
  const error = new Error('it broke');
  error.stack = ['Error: it broke', ...lines].join('\n');
  return framesOf(error).map((frame) => [frame.function, frame.filename, frame.lineno, frame.colno, frame.in_app]);
}

describe('frames of a stack of V8', () => {
  const rows: [line: string, ...frame: unknown[]][] = [
    ['    at read (/srv/errgate/dist/src/a.js:10:5)', 'read', '/srv/errgate/dist/src/a.js', 10, 5, true],
    ['    at file:///srv/a%20b/dist/main.js:3:1', '?', '/srv/a b/dist/main.js', 3, 1, true],
    ['    at async Store.read (file:///srv/dist/a.js:1:2)', 'Store.read', '/srv/dist/a.js', 1, 2, true],
    ['    at new Store (/srv/dist/a.js:1:2)', 'new Store', '/srv/dist/a.js', 1, 2, true],
    ['    at Store.read [as load] (/srv/dist/a.js:1:2)', 'Store.read [as load]', '/srv/dist/a.js', 1, 2, true],
    ['    at Object.<anonymous> (/srv/dist/a.js:1:2)', 'Object.?', '/srv/dist/a.js', 1, 2, true],
    ['    at C:\\errgate\\dist\\a.js:7:8', '?', 'C:\\errgate\\dist\\a.js', 7, 8, true],
    ['    at run (/srv/node_modules/koa/a.js:1:2)', 'run', '/srv/node_modules/koa/a.js', 1, 2, false],
    [
      '    at run (/usr/lib/node_modules/errgate/dist/a.js:1:2)',
      'run',
      '/usr/lib/node_modules/errgate/dist/a.js',
      1,
      2,
      true,
    ],
    [
      '    at run (/usr/lib/node_modules/errgate/node_modules/koa/a.js:1:2)',
      'run',
      '/usr/lib/node_modules/errgate/node_modules/koa/a.js',
      1,
      2,
      false,
    ],
    ['    at emit (node:events:519:28)', 'emit', 'node:events', 519, 28, false],
    ['    at Array.map (<anonymous>)', 'Array.map', '<anonymous>', undefined, undefined, false],
    ['    at Object.parse (native)', 'Object.parse', 'native', undefined, undefined, false],
  ];
  for (const [line, ...frame] of rows) it(line.trim(), () => assert.deepEqual(framesOfLines(line), [frame]));

  it('are the oldest call first, at most 50, those nearest to the error', () => {
    const lines = Array.from({ length: 60 }, (_, index) => `    at f${index} (/a.js:1:1)`);
    const frames = framesOfLines(...lines) as [string][];
    assert.deepEqual([frames.length, frames[0]?.[0], frames.at(-1)?.[0]], [50, 'f49', 'f0']);
  });

  it('are none of lines of the message', () => {
    const error = new TypeError('broken\n    at no (/frame.js:1:2)');
    assert.ok(!framesOf(error).some(({ filename }) => filename === '/frame.js'));
    error.name = 'Renamed';
    assert.ok(!framesOf(error).some(({ filename }) => filename === '/frame.js'));
    assert.ok(framesOf(error).length > 0);
  });

  it('are found in linear time, whatever the stack', () => {
    for (const line of [
      `    at ${'a ('.repeat(20_000)}`,
      `    at ${'a:1'.repeat(20_000)}`,
      `    at ${' '.repeat(60_000)}`,
    ]) {
      const took = processorMs(() => framesOfLines(line));
      assert.ok(took < 500, `${line.slice(0, 20)}: ${took} ms`);
    }
  });
});
