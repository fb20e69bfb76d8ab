import type { NormalisedEvent } from '../../../../../../src/domain/events/event.ts';
import { event, exception, frame, mechanism, message, systemFrame, thread, thrown } from './events.ts';

const id = (exceptionId: number, parentId: number | null, isGroup = false) =>
  mechanism({ exception_id: exceptionId, parent_id: parentId, is_exception_group: isGroup });

/** One event for each rule that shapes a key; the keys stand in the golden test. */
export const goldenEvents: Readonly<Record<string, NormalisedEvent>> = {
  nothing: event(),
  message: message('Order 4711 of bob@example.com failed after 12ms'),
  'message template': message('user bob failed', { logentry: { message: 'user %s failed', params: ['bob'] } }),
  'message of three lines': message('first 1\n\nsecond\nthird'),
  'message with every kind of parameter': message(
    "https://a.example/x db.example.com 10.0.0.1 ::1 550e8400-e29b-41d4-a716-446655440000 3f2a1b9 0x7f 1.5 -3 k='v' b=true " +
      'da39a3ee5e6b4b0d3255bfef95601890afd80709 d41d8cd98f00b204e9800998ecf8427e 2026-11-20T12:00:00Z ' +
      '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01 tx274a77a8975c4a66aeb24-0052d95365',
  ),
  'custom fingerprint': event({ fingerprint: ['payment', '{{ level }}'] }),
  'hybrid fingerprint': event({
    message: 'm',
    transaction: '/pay',
    fingerprint: ['{{ default }}', '{{ transaction }}'],
  }),
  'legacy checksum': event({ fingerprint: ['d41d8cd98f00b204e9800998ecf8427e'] }),
  'exception without a stack': event({ exceptions: [exception({ type: 'KeyError', value: "'missing-5'" })] }),
  python: thrown('python', [
    systemFrame({
      module: 'django.core.handlers',
      function: 'inner',
      context_line: 'response = get_response(request)',
    }),
    frame({ module: 'shop.views', function: 'pay', lineno: 7, context_line: '    charge( order )' }),
    frame({ module: 'sentry_sdk.hub', function: 'capture' }),
  ]),
  'system variant': thrown('python', [systemFrame({ module: 'lib.http', function: 'send', context_line: 'raise' })]),
  'message with a body and lists': message(
    'Order {"id": 7, "code": "gone"} of user "bob" in [3, 4] took 2m0s for 3 MB, pod api-6d5f7c9b8d-x2lqp, id IN (?, ?)',
  ),
  'template that says nothing': message('disk full', { logentry: { message: '%s', params: ['disk full'] } }),
  'stack that was used up': thrown(
    'python',
    Array.from({ length: 9 }, (_, index) => frame({ module: 'shop.tree', function: index % 2 === 0 ? 'up' : 'down' })),
    { type: 'RecursionError' },
  ),
  middleware: thrown('php', [
    frame({ filename: '/srv/app/Http/Middleware/Locale.php', function: 'App\\Http\\Middleware\\Locale::handle' }),
    systemFrame({ filename: '/srv/vendor/x/Pipeline.php', function: 'Pipeline::run' }),
    frame({ filename: '/srv/app/Pay.php', function: 'App\\Pay::run' }),
  ]),
  'script without names': thrown(
    'javascript',
    [frame({ filename: 'https://a.example/main.4f81c0aa.js', function: 't', lineno: 1, colno: 84_120 })],
    { type: 'TypeError', value: "Cannot read properties of undefined (reading 'id')" },
  ),
  recursion: thrown('python', [
    frame({ filename: '/srv/app/Walk.py', function: 'walk', lineno: 3 }),
    frame({ filename: '/srv/app/Walk.py', function: 'walk', lineno: 3 }),
  ]),
  chain: event({
    platform: 'java',
    exceptions: [
      exception({
        type: 'SQLException',
        value: 'x',
        frames: [systemFrame({ module: 'org.db.Pool', function: 'get' })],
      }),
      exception({ type: 'ShopException', frames: [frame({ module: 'shop.Pay$$SpringCGLIB$$0', function: 'pay' })] }),
    ],
  }),
  'exception group': event({
    exceptions: [
      exception({ type: 'TypeError', value: 'b', mechanism: id(2, 0) }),
      exception({ type: 'ValueError', value: 'a', mechanism: id(1, 0) }),
      exception({
        type: 'ExceptionGroup',
        frames: [frame({ module: 'm', function: 'f' })],
        mechanism: id(0, null, true),
      }),
    ],
  }),
  'exception group of one kind': event({
    exceptions: [
      exception({ type: 'ValueError', value: 'a', mechanism: id(2, 0) }),
      exception({ type: 'ValueError', value: 'a', mechanism: id(1, 0) }),
      exception({ type: 'ExceptionGroup', mechanism: id(0, null, true) }),
    ],
  }),
  synthetic: thrown('javascript', [frame({ module: 'app', function: 'run' })], {
    mechanism: mechanism({ synthetic: true }),
  }),
  thread: message('disk full on 3', {
    platform: 'java',
    threads: [thread({ crashed: true, frames: [frame({ module: 'shop.Main', function: 'main' })] }), thread()],
  }),
  browser: thrown('javascript', [
    frame({ filename: '/app.js', abs_path: 'https://shop.example/app.js', function: 'Cart.pay', colno: 5 }),
    frame({ filename: '/app.js', abs_path: 'https://shop.example/app.js', function: '?' }),
  ]),
  node: thrown('node', [
    frame({
      filename: '/srv/dist/main.3f2a1b.js',
      function: 'async Cart.pay [as run]',
      context_line: 'throw new Error(1)',
    }),
    frame({ module: 'routes:pay', function: 'Object.<anonymous>' }),
  ]),
  ruby: thrown('ruby', [
    frame({
      filename: 'app/views/pay.erb',
      function: '_app_views_pay_erb__1746462339_70010',
      context_line: '<%= x %>',
    }),
    frame({ filename: 'app/models/Cart.rb', function: 'block (2 levels) in pay' }),
    frame({ filename: 'cart.rb', function: '<top (required)>' }),
  ]),
  php: thrown('php', [
    frame({
      filename: '/src/Job.php',
      function: 'class@anonymous/srv/a.php:12$0::handle',
      context_line: '$this->pay();',
    }),
    frame({ filename: '/src/Job.php', function: '{closure:App\\Job::run():12}' }),
  ]),
  java: thrown('java', [
    frame({ module: 'shop.Pay$$EnhancerBySpringCGLIB$$1a2b3c4d', function: 'pay' }),
    frame({ module: 'shop.Pay$$Lambda$14/0x0000000800c03000', filename: 'Pay.java', function: 'lambda$pay$0' }),
    frame({ module: 'jdk.internal.reflect.GeneratedMethodAccessor12', function: 'invoke' }),
  ]),
  go: thrown('go', [
    frame({ module: 'main', function: 'serve.func2.1' }),
    frame({ module: 'main', function: 'Map[go.shape.int]' }),
    systemFrame({ module: 'runtime', function: 'gopanic' }),
  ]),
  rust: thrown('native', [
    frame({ function: '<app::Cart<T> as app::Pay>::run::{{closure}}::h0123456789abcdef', filename: 'src/Cart.rs' }),
    systemFrame({ function: 'std::panicking::begin_panic' }),
  ]),
  csharp: thrown('csharp', [frame({ module: 'App.Cart+<Pay>d__5', function: 'MoveNext()' })]),
};
