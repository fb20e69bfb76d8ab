import { different, same, type RawEvent } from '../pair.ts';
import { dotnet } from '../shapes/dotnet.ts';
import { go } from '../shapes/go.ts';
import { android, javaWithIncludes } from '../shapes/java.ts';
import { browser, node } from '../shapes/javascript.ts';
import { cocoa, native } from '../shapes/native.ts';
import { php } from '../shapes/php.ts';
import { rust } from '../shapes/rust.ts';

const thrownIn = (call: string, value?: string, line = 40) =>
  javaWithIncludes({
    type: 'IllegalStateException',
    module: 'java.lang',
    value,
    stack: `com.acme.shop.${call}(Cart.java:${line})\ncom.acme.shop.Main.main(Main.java:9)`,
  });
const onAndroid = (call: string, value: string) =>
  android({ type: 'Exception', module: 'java.lang', value, stack: `com.acme.app.${call}(MainActivity.kt:40)` });
const inGo = (name: string, value: string) =>
  go({ type: '*net.OpError', value, stack: `main.${name} /build/main.go:12\nmain.main /build/main.go:20` });
const inNet = (name: string, value: string) =>
  dotnet({ type: 'System.InvalidOperationException', value, stack: `Acme.Shop.Cart::${name} in /src/Cart.cs:line 12` });
const inSwift = (name: string, value: string) =>
  cocoa({ type: 'NSInternalInconsistencyException', value, stack: `0x1 Shop ${name}\n0x2 Shop Feed.load()` });
const inCpp = (name: string, value: string) =>
  native({ type: 'std::runtime_error', value, stack: `0x71 /opt/shop/shopd ${name}\n0x72 /opt/shop/shopd main` });
const elsewhere = (platform: string, name: string, value: string): RawEvent => ({
  platform,
  exception: {
    values: [
      {
        type: 'StateError',
        value,
        stacktrace: {
          frames: [
            { function: 'main', filename: 'main.x', in_app: true },
            { function: name, filename: 'cart.x', in_app: true },
          ],
        },
      },
    ],
  },
});
const inBrowser = (call: string, value: string) =>
  browser({ type: 'TypeError', value, stack: `${call}\nsubmitOrder (https://a.example/app.js:1:190000)` });
const arrow = (column: number) => `? (https://a.example/app.js:1:${column})`;
const inNode = (line: number, value: string) =>
  node({
    type: 'Error',
    value,
    stack: `<anonymous> (/app/dist/index.js:${line}:11)\nsubmitOrder (/app/dist/index.js:9:3)`,
  });
const withCause = (value: string): RawEvent =>
  javaWithIncludes([
    { type: 'SQLException', module: 'java.sql', value: 'timeout', stack: 'com.acme.shop.Store.read(Store.java:8)' },
    {
      type: 'IllegalStateException',
      module: 'java.lang',
      value,
      stack: 'com.acme.shop.Cart.lambda$add$0(Cart.java:4)\ncom.acme.shop.Cart.add(Cart.java:2)',
    },
  ]);

/** E2: where the crashing call of the application has no name, the value counts. */
export const namelessPairs = [
  different(
    'two lambdas of one Java method',
    onAndroid('MainActivity.lambda$onCreate$0$MainActivity', 'first button pressed'),
    onAndroid('MainActivity.lambda$onCreate$1$MainActivity', 'second button pressed'),
  ),
  different(
    'lambdas as javac names them',
    thrownIn('Cart.lambda$add$0', 'no apples'),
    thrownIn('Cart.lambda$add$1', 'no price'),
  ),
  different('nested lambdas', thrownIn('Cart.lambda$null$0', 'no apples'), thrownIn('Cart.lambda$null$1', 'no price')),
  different(
    'anonymous classes of one Java class',
    thrownIn('Cart$1.run', 'no apples'),
    thrownIn('Cart$2.run', 'no price'),
  ),
  different('a text and none', thrownIn('Cart.lambda$add$0', 'no apples'), thrownIn('Cart.lambda$add$1')),
  different('the wrapper of one cause', withCause('no apples'), withCause('no price')),
  different(
    'lambdas of Kotlin',
    onAndroid('MainActivity.onCreate$lambda$0', 'first button pressed'),
    onAndroid('MainActivity.onCreate$lambda$1', 'second button pressed'),
  ),
  different(
    'coroutines of one Kotlin function',
    onAndroid('CartModel$load$1.invokeSuspend', 'no network'),
    onAndroid('CartModel$load$2.invokeSuspend', 'bad token'),
  ),
  different(
    'closures of one Go function',
    inGo('serve.func1', 'connection refused'),
    inGo('serve.func2', 'no such host'),
  ),
  different('lambdas of one C# method', inNet('<Add>b__0_0', 'No apples'), inNet('<Add>b__0_1', 'No price')),
  different(
    'closures of one Swift function',
    inSwift('closure #1 in Feed.load()', 'no rows'),
    inSwift('closure #2 in Feed.load()', 'bad index'),
  ),
  different(
    'blocks of one Objective-C method',
    inSwift('__12-[Feed load]_block_invoke', 'no rows'),
    inSwift('__12-[Feed load]_block_invoke_2', 'bad index'),
  ),
  different(
    'lambdas of one C++ function',
    inCpp('shop::Pool::run()::{lambda()#1}::operator()() const', 'queue is full'),
    inCpp('shop::Pool::run()::{lambda()#2}::operator()() const', 'no worker'),
  ),
  different(
    'closures of one PHP file without source lines',
    php({ type: 'RuntimeException', value: 'no apples', stack: 'Shop::{closure} /var/www/html/src/Shop.php:4' }),
    php({ type: 'RuntimeException', value: 'no price', stack: 'Shop::{closure} /var/www/html/src/Shop.php:9' }),
  ),
  different(
    'functions without a name in a script',
    inBrowser('? (https://a.example/app.js:12:11)', 'no apples'),
    inBrowser('? (https://a.example/app.js:22:11)', 'no price'),
  ),
  different(
    'functions without a name in a bundle, near each other',
    inBrowser(arrow(200000), "Cannot read properties of undefined (reading 'price')"),
    inBrowser(arrow(230000), "Cannot read properties of undefined (reading 'name')"),
  ),
  different(
    'minified names in a bundle',
    inBrowser('t (https://a.example/app.js:1:200000)', 'no apples'),
    inBrowser('n (https://a.example/app.js:1:210000)', 'no price'),
  ),
  different('functions without a name in a bundle of a server', inNode(12, 'no apples'), inNode(22, 'no price')),
  same('one function without a name of a server', inNode(12, 'order 7 is lost'), inNode(14, 'order 91 is lost')),
  same(
    'one function without a name in two builds',
    inBrowser(arrow(200000), 'e.total is not a function'),
    inBrowser(arrow(200900), 't.total is not a function'),
  ),
  same(
    'one function without a name in two browsers',
    inBrowser(arrow(200000), "Cannot read properties of undefined (reading 'price')"),
    inBrowser('<anonymous> (https://a.example/app.js:1:200000)', "undefined is not an object (evaluating 'e.price')"),
  ),
  same(
    'a named function in a bundle, whatever the text',
    inBrowser('addToCart (https://a.example/app.js:1:200000)', 'no apples'),
    inBrowser('addToCart (https://a.example/app.js:1:200000)', 'no price'),
  ),
  ...(
    [
      ['Dart', 'dart', '_CartState.build.<fn>'],
      ['Elixir', 'elixir', 'anonymous fn/1 in Shop.Cart.add/2'],
      ['Perl', 'perl', 'Shop::Cart::__ANON__'],
      ['PowerShell', 'powershell', '<ScriptBlock>'],
    ] as const
  ).flatMap(([language, platform, name]) => [
    different(
      `functions without a name of ${language}`,
      elsewhere(platform, name, 'no apples'),
      elsewhere(platform, name, 'no price'),
    ),
    same(
      `one function without a name of ${language}`,
      elsewhere(platform, name, 'order 7 has no apples'),
      elsewhere(platform, name, 'order 91 has no apples'),
    ),
  ]),
  same(
    'a named function of Dart, whatever the text',
    elsewhere('dart', '_CartState.add', 'no apples'),
    elsewhere('dart', '_CartState.add', 'no price'),
  ),
  same(
    'one lambda, renumbered',
    thrownIn('Cart.lambda$add$0', 'order 7 has no apples'),
    thrownIn('Cart.lambda$add$4', 'order 91 has no apples', 52),
  ),
  same('a lambda without a text, renumbered', thrownIn('Cart.lambda$add$0'), thrownIn('Cart.lambda$add$3')),
  same('one anonymous class, renumbered', thrownIn('Cart$1.run', 'no apples'), thrownIn('Cart$3.run', 'no apples')),
  same('a named method, whatever the text', thrownIn('Cart.add', 'no apples'), thrownIn('Cart.add', 'no price')),
  same(
    'a named method that a lambda calls',
    thrownIn('Cart.add(Cart.java:3)\n    com.acme.shop.Cart.lambda$all$0', 'no apples'),
    thrownIn('Cart.add(Cart.java:3)\n    com.acme.shop.Cart.lambda$all$1', 'no price'),
  ),
  same(
    'one closure of Go, renumbered',
    inGo('serve.func1', 'dial tcp 10.0.0.7:80: refused'),
    inGo('serve.func3', 'dial tcp 10.0.9.9:80: refused'),
  ),
  same('a named local function of C#', inNet('<Add>g__Check|0_0', 'No apples'), inNet('<Add>g__Check|0_1', 'No price')),
  same(
    'panics of one closure of Rust, whose texts are data',
    rust({ type: 'panic', value: 'no stock for apples', stack: 'shop::add::{{closure}} at /build/src/a.rs:9' }),
    rust({ type: 'panic', value: 'no stock for pears', stack: 'shop::add::{{closure}} at /build/src/a.rs:9' }),
  ),
  same(
    'one closure of PHP that its source line names',
    php({
      type: 'RuntimeException',
      value: 'no apples',
      stack: 'Shop::{closure} /var/www/html/src/Shop.php:4 | throw new RuntimeException($why);',
    }),
    php({
      type: 'RuntimeException',
      value: 'no pears',
      stack: 'Shop::{closure} /var/www/html/src/Shop.php:9 | throw new RuntimeException($why);',
    }),
  ),
];
