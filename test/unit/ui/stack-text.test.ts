import assert from 'node:assert/strict';
import type { Frame } from '../../../ui/src/lib/event-view.ts';
import { qualifierOf } from '../../../ui/src/lib/frame-names.ts';
import { frameText, rawStack } from '../../../ui/src/lib/stack-text.ts';

const frame = (given: Partial<Frame>): Frame => ({
  filename: null,
  abs_path: null,
  module: null,
  function: null,
  lineno: null,
  colno: null,
  in_app: true,
  context_line: null,
  pre_context: [],
  post_context: [],
  vars: null,
  varsCut: false,
  ...given,
});

const thrown = (type: string, value: string, frames: readonly Frame[], module: string | null = null) => ({
  type,
  value,
  module,
  frames,
  source: null,
});

describe('raw stack traces', () => {
  const post = frame({ filename: 'shop/api.py', function: 'post', lineno: 61 });
  const charge = frame({
    filename: 'shop/stripe.py',
    function: 'charge',
    lineno: 142,
    context_line: '        raise PaymentError()',
  });

  it('of Python end with the last call and the exception', () => {
    assert.equal(
      rawStack([thrown('PaymentError', 'declined', [charge, post]), thrown('Timeout', 'late', [post])], 'python'),
      [
        'Traceback (most recent call last):',
        '  File "shop/api.py", line 61, in post',
        'Timeout: late',
        '',
        'The above exception was the direct cause of the following exception:',
        '',
        'Traceback (most recent call last):',
        '  File "shop/api.py", line 61, in post',
        '  File "shop/stripe.py", line 142, in charge',
        '    raise PaymentError()',
        'PaymentError: declined',
      ].join('\n'),
    );
  });

  it('of Python have whole paths and modules, and tell causes from contexts', () => {
    const whole = frame({ filename: 'shop/api.py', abs_path: '/srv/shop/api.py', function: 'post', lineno: 61 });
    assert.equal(
      rawStack(
        [
          thrown('PaymentError', 'declined', [whole], 'shop.errors'),
          { ...thrown('KeyError', "'id'", [whole], 'builtins'), source: '__context__' },
        ],
        'python',
      ),
      [
        'Traceback (most recent call last):',
        '  File "/srv/shop/api.py", line 61, in post',
        "KeyError: 'id'",
        '',
        'During handling of the above exception, another exception occurred:',
        '',
        'Traceback (most recent call last):',
        '  File "/srv/shop/api.py", line 61, in post',
        'shop.errors.PaymentError: declined',
      ].join('\n'),
    );
  });

  it('of Java name package, class and method', () => {
    const parse = frame({ module: 'com.acme.Client', function: 'parse', filename: 'Client.java', lineno: 118 });
    const native = frame({ module: 'java.lang.Thread', function: 'run', lineno: -2 });
    assert.equal(
      rawStack(
        [thrown('PaymentException', 'no', [parse, native], 'com.acme'), thrown('IOException', 'x', [], 'java.io')],
        'java',
      ),
      'com.acme.PaymentException: no\n\tat com.acme.Client.parse(Client.java:118)\n\tat java.lang.Thread.run(Native Method)\nCaused by: java.io.IOException: x',
    );
  });

  it('of JavaScript have lines and columns', () => {
    const named = frame({ filename: 'src/pay.ts', function: 'pay', lineno: 1, colno: 2 });
    const nameless = frame({ filename: 'app.js', lineno: 9, colno: 99 });
    assert.equal(
      rawStack([thrown('TypeError', 'x is undefined', [named, nameless])], 'node'),
      'TypeError: x is undefined\n    at pay (src/pay.ts:1:2)\n    at app.js:9:99',
    );
  });

  it('of Node.js have causes in braces, of browsers below', () => {
    const at = frame({ filename: 'app.js', abs_path: '/srv/app.js', function: 'place', lineno: 3, colno: 9 });
    const both = [thrown('OrderError', 'not stored', [at]), thrown('Error', 'refused', [at])];
    assert.equal(
      rawStack(both, 'node'),
      [
        'OrderError: not stored',
        '    at place (/srv/app.js:3:9) {',
        '  [cause]: Error: refused',
        '      at place (/srv/app.js:3:9)',
        '}',
      ].join('\n'),
    );
    assert.match(rawStack(both, 'javascript'), /\nCaused by: Error: refused\n {4}at place/);
  });

  it('of Go, Ruby, PHP, Rust and .NET have their forms', () => {
    const go = frame({ module: 'acme/store', function: '(*Store).Charge', abs_path: '/src/charge.go', lineno: 77 });
    assert.equal(
      rawStack([thrown('*errors.errorString', 'no', [go])], 'go'),
      '*errors.errorString: no\n\ngoroutine 1 [running]:\nacme/store.(*Store).Charge(...)\n\t/src/charge.go:77',
    );
    const ruby = [
      frame({ filename: 'a.rb', function: 'charge', lineno: 3 }),
      frame({ filename: 'b.rb', function: 'main', lineno: 8 }),
    ];
    assert.equal(
      rawStack([thrown('PayError', 'no', ruby)], 'ruby'),
      "a.rb:3:in 'charge': no (PayError)\n\tfrom b.rb:8:in 'main'",
    );
    const php = [
      frame({ abs_path: '/srv/cart.php', function: 'Cart::charge', lineno: 12 }),
      frame({ abs_path: '/srv/index.php', lineno: 4 }),
    ];
    assert.equal(
      rawStack([thrown('PayError', 'no', php)], 'php'),
      'PayError: no in /srv/cart.php:12\nStack trace:\n#0 /srv/index.php(4): Cart::charge()\n#1 {main}',
    );
    assert.equal(
      rawStack([thrown('PayError', 'no', []), thrown('PDOException', 'refused', [])], 'php'),
      'PDOException: refused\nStack trace:\n#0 {main}\n\nNext PayError: no\nStack trace:\n#0 {main}',
    );
    const rust = frame({ filename: './src/pay.rs', function: 'shop::pay', lineno: 42, colno: 5 });
    assert.equal(
      rawStack([thrown('panic', 'no', [rust])], 'native'),
      "thread 'main' panicked at ./src/pay.rs:42:5:\nno\nstack backtrace:\n   0: shop::pay\n             at ./src/pay.rs:42:5",
    );
    const withParameters = frame({ module: 'Acme.Client', function: 'Parse(String text)' });
    assert.equal(frameText(withParameters, 'csharp'), 'at Acme.Client.Parse(String text)');
    const net = frame({ module: 'Acme.Client', function: 'Parse', abs_path: 'C:\\Client.cs', lineno: 9 });
    assert.equal(
      rawStack([thrown('PayException', 'no', [net], 'Acme'), thrown('IOException', 'x', [net], 'System.IO')], 'csharp'),
      [
        'Acme.PayException: no',
        ' ---> System.IO.IOException: x',
        '   at Acme.Client.Parse() in C:\\Client.cs:line 9',
        '   --- End of inner exception stack trace ---',
        '   at Acme.Client.Parse() in C:\\Client.cs:line 9',
      ].join('\n'),
    );
  });

  it('of unknown platforms follow the file, and single frames are texts too', () => {
    assert.match(rawStack([thrown('E', 'x', [charge])], 'other'), /^Traceback/);
    assert.equal(frameText(post, 'python'), 'File "shop/api.py", line 61, in post');
    assert.equal(rawStack([thrown('', '', [])], 'other'), 'Error');
  });

  it('name the module of a frame only where the file does not tell it', () => {
    const java = frame({ module: 'com.acme.Client', function: 'parse' });
    assert.equal(qualifierOf(java, 'java'), 'com.acme.Client.');
    assert.equal(qualifierOf(frame({ module: 'a.B', function: 'a.B.run' }), 'java'), '');
    assert.equal(qualifierOf(java, 'python'), '');
  });
});
