import type { Frame, NormalisedEvent } from '../../../../../../src/domain/events/event.ts';
import { frame, thrown } from './events.ts';
import { files, functions, modules, on, without } from './frame-pairs.ts';
import { mustGroup, mustNotGroup } from './pairs.ts';

describe('group v1: frames of engines and virtual machines', () => {
  describe('javascript', () => {
    const url = (name: string, members: Partial<Frame> = {}) =>
      on('javascript', { filename: `/${name}`, abs_path: `https://cdn.example/${name}`, ...members });
    const functionsOfScripts = (a: string | null, b: string | null): [string, NormalisedEvent, NormalisedEvent] => [
      `${String(a)} | ${String(b)} of a script`,
      url('app.js', { function: a }),
      url('app.js', { function: b }),
    ];
    mustGroup([
      ['scripts in whatever folder', url('a.js'), url('b/a.js')],
      [
        'scripts named by their address alone',
        on('javascript', { filename: 'https://x.example/a.js', abs_path: null }),
        url('a.js'),
      ],
      [
        'scripts of a blob',
        on('javascript', { filename: 'x', abs_path: 'blob:https://x.example/1-2' }),
        url('cart/17'),
      ],
      ['pages with inline scripts', url('cart/17'), url('login.html')],
      ['scripts of two builds', url('app.3f2a1b9c.js?v=1'), url('app.99ce01aa.js?v=2')],
      ['numbered chunks', url('281.3f2a1b9c.chunk.js'), url('77.99ce01aa.chunk.js')],
      ['hashes of vite with a dash', url('index-Bx-3_9aZ.js'), url('index-C0w7RtYq.js')],
      functionsOfScripts('t', 'n'),
      functionsOfScripts('e.Sn', null),
      functionsOfScripts('$e1', '?'),
      functions('javascript', 'Object.pay', 'pay'),
      functions('node', 'Cart.pay [as run]', 'Object.pay'),
      functions('node', 'async Cart.pay', 'Cart.pay'),
      functions('node', 'async pay', 'pay'),
      functions('node', 'new Cart', 'Cart'),
      functions('node', 'Object.<anonymous>', 'Object.?'),
      functions('javascript', '?', null),
      functions('javascript', '<anonymous>', 'Anonymous function'),
      functions('javascript', '<anonymous function>', 'value/<'),
      functions('javascript', 'global code', 'module code'),
      functions('javascript', 'anonymous', '?'),
      [
        'a module that is the end of the path',
        on('javascript', { module: 'js/a', abs_path: 'https://x.example/js/a', filename: '/js/a' }),
        url('cart/17'),
      ],
      [
        'module names of two builds',
        on('node', { module: 'dist:main.3f2a1b' }),
        on('node', { module: 'dist:main.99ce01' }),
      ],
      ['without evaluated code', on('javascript', { function: 'eval', filename: 'x.js' }), without('javascript')],
      ['without engine frames', on('javascript', { filename: '[native code]' }), without('javascript')],
      ['without frames that have no file', on('javascript', { abs_path: '<anonymous>' }), without('javascript')],
      [
        'a lone inline script by its value',
        thrown('javascript', [frame({ function: '?', abs_path: 'https://x.example/a' })], { value: 'v' }),
        thrown('javascript', [frame({ function: null, abs_path: 'https://x.example/b' })], { value: 'v' }),
      ],
      [
        'minified variables in the value',
        thrown('javascript', [frame({ function: 't', filename: 'https://x.example/a.js' })], {
          value: "undefined is not an object (evaluating 'e.cart.items')",
        }),
        thrown('javascript', [frame({ function: 'n', filename: 'https://x.example/a.js' })], {
          value: "undefined is not an object (evaluating 't.cart.items')",
        }),
      ],
    ]);
    mustNotGroup([
      functions('javascript', 'Cart.pay', 'Cart.refund'),
      functions('javascript', 'pay', '?'),
      ['scripts of two names', url('cart.js'), url('login.js')],
      ['scripts of two names, minified', url('cart.js', { function: 't' }), url('login.js', { function: 't' })],
      functions('node', 'is', 'at'),
      files('node', 'a.js', 'b.js'),
      ['modules that are no path', on('node', { module: 'app:a' }), on('node', { module: 'app:b' })],
      [
        'lone script frames by function',
        thrown('javascript', [frame({ function: 'pay', abs_path: 'https://x.example/a.js' })]),
        thrown('javascript', [frame({ function: 'refund', abs_path: 'https://x.example/a.js' })]),
      ],
      [
        'lone script frames without a function by value',
        thrown('javascript', [frame({ function: '?', abs_path: 'https://x.example/a.js' })], { value: 'v' }),
        thrown('javascript', [frame({ function: '?', abs_path: 'https://x.example/a.js' })], { value: 'w' }),
      ],
    ]);
  });

  describe('java', () => {
    mustGroup([
      modules(
        'java',
        'jdk.internal.reflect.GeneratedMethodAccessor12',
        'jdk.internal.reflect.GeneratedMethodAccessor345',
      ),
      modules(
        'java',
        'sun.reflect.GeneratedSerializationConstructorAccessor1',
        'sun.reflect.GeneratedSerializationConstructorAccessor2',
      ),
      modules('java', 'app.Pay$$EnhancerBySpringCGLIB$$1a2b3c4d', 'app.Pay$$EnhancerBySpringCGLIB$$ff00aa11'),
      modules('java', 'app.Pay$$EnhancerBySpringCGLIB$$1a2b3c4d', 'app.Pay$$SpringCGLIB$$0'),
      modules('java', 'app.Pay_Subclass', 'app.Pay'),
      modules('java', 'app//shop.Pay', 'shop.Pay'),
      functions('java', 'lambda$pay$3', 'lambda$pay$12'),
      functions('java', 'lambda$null$3', 'lambda$null$1'),
      functions('java', 'CGLIB$pay$0', 'pay'),
      modules('java', 'app.Pay$$FastClassBySpringCGLIB$$1a2b_1', 'app.Pay$$FastClassBySpringCGLIB$$9f2b_2'),
      modules('java', 'app.Pay$$SpringCGLIB$$0', 'app.Pay$$SpringCGLIB$$1'),
      modules('java', 'app.Pay_$$_javassist_seam_1', 'app.Pay_$$_javassist_27'),
      modules('java', 'app.Pay_$$_jvst1a2_0', 'app.Pay_$$_jvstff9_3'),
      modules('java', 'app.Pay$HibernateProxy$a1B2c3', 'app.Pay$HibernateProxy$zZ9'),
      modules('groovy', 'app.Pay$_run_closure1', 'app.Pay$_run_closure12'),
      modules('java', 'java.lang.invoke.LambdaForm$MH/0x000000080012', 'java.lang.invoke.LambdaForm$MH/0x0000000801ff'),
      modules('java', 'com.sun.proxy.$Proxy45', 'com.sun.proxy.$Proxy7'),
      modules('java', 'user$handler$fn__123', 'user$handler$fn__98'),
      modules('kotlin', 'app.Pay$$ExternalSyntheticLambda3', 'app.Pay$$ExternalSyntheticLambda12'),
      modules('java', 'app.Pay$$Lambda$14/0x0000000800c03000', 'app.Pay$$Lambda/0x00007f1234567890'),
      files('java', 'Pay_$$_javassist_1.java', 'Pay_$$_javassist_2.java'),
      functions('java', 'lambda$main$0', 'lambda$main$12'),
      functions('scala', '$anonfun$main$1', '$anonfun$main$2'),
      functions('java', 'access$000', 'access$100'),
      functions('java', 'onViewCreated$lambda-2', 'onViewCreated$lambda-11'),
      functions('java', '$r8$lambda$Zk3nBqYt7cF0o2', '$r8$lambda$9QwLm1pXaa8-UE'),
      modules('java', 'app.Repo$load$2', 'app.Repo$load$3'),
      modules('java', 'app.Player$1$2', 'app.Player$3$1'),
    ]);
    mustNotGroup([
      modules('java', 'app.Pay', 'app.Refund'),
      modules('java', 'app.Pay$Card', 'app.Pay$Bank'),
      functions('java', 'lambda$pay$3', 'lambda$refund$3'),
      modules('java', 'app.Pay$$EnhancerBySpringCGLIB$$1a2b3c4d', 'app.Refund$$EnhancerBySpringCGLIB$$1a2b3c4d'),
      functions('java', 'charge', 'refund'),
      modules('java', 'app.Repo$load$2', 'app.Repo$save$2'),
      functions('java', 'charge', 'lambda$charge$0'),
      functions('scala', '$anonfun$main$1', '$anonfun$other$1'),
    ]);
  });

  describe('ruby', () => {
    mustGroup([
      functions('ruby', 'block in pay', 'block (2 levels) in refund'),
      functions('ruby', '_app_views_pay_erb__1746462339_70010', '_app_views_pay_erb___2315344123_98760'),
      functions('ruby', '<main>', '<top (required)>'),
      functions('ruby', 'Shop::Cart#pay', 'pay'),
      functions('ruby', 'Cart.load', 'load'),
      functions('ruby', '__tempfile_4711', '__tempfile_815'),
      functions('ruby', 'rescue in Cart#pay', 'rescue in pay'),
      functions('ruby', 'rescue in <main>', 'rescue in <top (required)>'),
      files('ruby', '(eval at /app/a.rb:12)', '(eval at /app/b.rb:99)'),
      [
        'the class that newer engines know',
        on('ruby', { filename: 'shop/cart.rb' }),
        on('ruby', { filename: 'shop/cart.rb', module: 'Shop::Cart' }),
      ],
      ...[
        ["undefined method `iban' for nil:NilClass", "undefined method 'iban' for nil"],
        ["undefined method `iban' for #<Cart:0x000078e1>", "undefined method 'iban' for an instance of Cart"],
      ].map(
        ([old = '', today = '']) =>
          [
            `${old} | ${today}`,
            thrown('ruby', [], { type: 'NoMethodError', value: old }),
            thrown('ruby', [], { type: 'NoMethodError', value: today }),
          ] as const,
      ),
      ['without the command line', on('ruby', { filename: '-e', function: 'load' }), without('ruby')],
    ]);
    mustNotGroup([
      functions('ruby', 'pay', 'refund'),
      functions('ruby', 'block in pay', 'pay'),
      functions('ruby', '_app_views_pay_erb__1746462339_70010', '_app_views_cart_erb__1746462339_70010'),
    ]);
  });

  describe('php', () => {
    mustGroup([
      functions('php', 'class@anonymous/srv/a.php:12$0::handle', 'class@anonymous/srv/b.php:40$3::handle'),
      functions('php', 'class@anonymous/srv/a.php:12$0::handle', 'handle'),
      functions('php', 'App\\Job@anonymous/srv/a.php:12$0::handle', 'App\\Job@anonymous/srv/a.php:99$1::handle'),
      functions('php', 'ContainerXa1b2C3\\Kernel::get', 'ContainerZZ9y8x7\\Kernel::get'),
      functions('php', '[Anonymous function]', null),
      functions('php', 'class@anonymous/srv/a.php:12$0', null),
      functions('php', '{closure:App\\Pay::run():12}', '{closure:App\\Pay::run():40}'),
    ]);
    mustNotGroup([
      functions('php', 'class@anonymous/srv/a.php:12$0::handle', 'class@anonymous/srv/a.php:12$0::other'),
      functions('php', 'App\\Job@anonymous/srv/a.php:12$0::handle', 'App\\Mail@anonymous/srv/a.php:12$0::handle'),
      functions('php', 'App\\Pay::run', 'App\\Pay::stop'),
      functions('php', 'ContainerBuilder\\Kernel::get', 'ContainerRegistry\\Kernel::get'),
      functions('php', '{closure:App\\Pay::run():12}', '{closure:App\\Cart::run():12}'),
    ]);
  });
});
