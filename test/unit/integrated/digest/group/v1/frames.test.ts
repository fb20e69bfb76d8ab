import type { Frame } from '../../../../../../src/domain/events/event.ts';
import { files, modules, on } from './frame-pairs.ts';
import { mustGroup, mustNotGroup } from './pairs.ts';

describe('group v1: frames', () => {
  describe('place', () => {
    mustGroup([
      [
        'files under one module',
        on('python', { module: 'app.a', filename: '/old/a.py' }),
        on('python', { module: 'app.a', filename: '/new/b.py' }),
      ],
      files('php', '/srv/releases/20240101/src/Pay.php', '/srv/releases/20240202/src/Pay.php'),
      files('python', 'C:\\app\\Pay.py', '/app/pay.py'),
      files('node', '/app/dist/main.3f2a1b.js', '/app/dist/main.99ce01.js'),
      files('node', 'app:///assets/index-BzX3kq9P.js', 'app:///assets/index-Diw2gTda.js'),
      files('node', '/app/12.1a2b3c4d5e6f.chunk.js', '/app/12.ffeedd001122.chunk.js'),
      files(
        'php',
        '/views/5f0c9d2f4f0b3a8c1e2d5f0c9d2f4f0b3a8c1e2d.php',
        '/views/aa0c9d2f4f0b3a8c1e2d5f0c9d2f4f0b3a8c1e99.php',
      ),
      files('php', "/app/x.php(12) : eval()'d code", "/app/x.php(99) : eval()'d code"),
      files('other', 'lib-20240101.so', 'lib-20240202.so'),
    ]);
    mustNotGroup([
      modules('python', 'app.a', 'app.b'),
      files('python', 'a.py', 'b.py'),
      files('node', '/app/main.3f2a1b.js', '/app/admin.3f2a1b.js'),
      files('node', '/app/user-facade.js', '/app/user-decade.js'),
      files('python', '0001_initial.py', '0002_second.py'),
      files('python', '1a2b3c4d5e6f_add_users.py', '9a2b3c4d5e6f_add_orders.py'),
      ['a module and a file of that name', on('python', { module: 'a.py' }), on('python', { filename: 'a.py' })],
      ['a place and none', on('python', { module: 'app.a' }), on('python', {})],
    ]);
  });

  describe('source line', () => {
    const line = (platform: string, context_line: string | null, members: Partial<Frame> = {}) =>
      on(platform, { module: 'm', context_line, ...members });
    const long = 'x'.repeat(121);
    for (const platform of ['javascript', 'node', 'python', 'php', 'ruby']) {
      mustGroup([
        [
          `${platform} lines of other indentation`,
          line(platform, '    pay( a,\tb )\n'),
          line(platform, '\tpay( a, b )'),
        ],
      ]);
      mustNotGroup([[`${platform} lines`, line(platform, 'pay(a)'), line(platform, 'refund(a)')]]);
    }
    for (const platform of ['java', 'go', 'native', 'csharp', 'other']) {
      mustGroup([[`${platform} whatever the line`, line(platform, 'pay(a)'), line(platform, 'refund(a)')]]);
    }
    mustGroup([
      ['long lines', line('python', long), line('python', `${long}y`)],
      ['a long line and none', line('python', long), line('python', null)],
      ['a blank line and none', line('python', '   '), line('python', null)],
      [
        'lines of a script without a function',
        line('javascript', 'a()', { function: '?', abs_path: 'https://x.example/a.js' }),
        line('javascript', 'b()', { function: null, abs_path: 'https://x.example/a.js' }),
      ],
    ]);
    mustNotGroup([
      ['lines of 120 characters', line('python', 'x'.repeat(120)), line('python', 'y'.repeat(120))],
      [
        'lines of a script with a function',
        line('javascript', 'a()', { function: 'pay', abs_path: 'https://x.example/a.js' }),
        line('javascript', 'b()', { function: 'pay', abs_path: 'https://x.example/a.js' }),
      ],
    ]);
  });

  describe('platforms with the rules of another', () => {
    for (const platform of ['javascript', 'node', 'bun', 'deno']) {
      mustGroup([
        [platform, on(platform, { module: 'm', function: 'a.pay' }), on(platform, { module: 'm', function: 'b.pay' })],
      ]);
    }
    for (const platform of ['java', 'kotlin', 'scala', 'groovy']) {
      mustGroup([[platform, on(platform, { module: 'a.$Proxy1' }), on(platform, { module: 'a.$Proxy2' })]]);
    }
    for (const platform of ['native', 'rust', 'c', 'cocoa', 'objc', 'swift']) {
      mustGroup([
        [
          platform,
          on(platform, { module: 'm', function: 'f(int)' }),
          on(platform, { module: 'm', function: 'f(long)' }),
        ],
      ]);
    }
  });

  describe('a frame with its own platform', () => {
    mustGroup([
      [
        'by the rules of that platform',
        on('javascript', { platform: 'native', module: 'm', function: 'app::pay::h0123456789abcdef' }),
        on('javascript', { platform: 'native', module: 'm', function: 'app::pay' }),
      ],
    ]);
    mustNotGroup([
      [
        'by the rules of the event',
        on('other', { module: 'm', function: 'a.pay' }),
        on('other', { module: 'm', function: 'b.pay' }),
      ],
    ]);
  });
});
