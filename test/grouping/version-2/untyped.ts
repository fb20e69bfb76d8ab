import { different, same, type RawEvent } from '../pair.ts';
import { browser, node } from '../shapes/javascript.ts';
import { cocoa, native } from '../shapes/native.ts';

const invented = { mechanism: { type: 'generic', handled: true, synthetic: true } };
const helper = 'handler (/app/report.js:3:9)\nmain (/app/index.js:10:3)';

/** `captureException('E_DB_DOWN')`: the SDK of Node invents type and stack. */
const text = (value: string, stack = helper) => node({ type: 'Error', value, stack, ...invented });
/** The same of SDKs that leave the type out. */
const bare = (value: string, line = 3): RawEvent => ({
  platform: 'node',
  exception: {
    values: [
      {
        type: null,
        value,
        stacktrace: { frames: [{ filename: '/app/report.js', function: 'handler', lineno: line, in_app: true }] },
      },
    ],
  },
});
const crash = (value: string, image: string) =>
  native({
    type: '',
    value,
    stack: `0x71 ${image} shop::Cart::add(int)\n0x72 ${image} main\n0x73 /lib/libc.so.6 __libc_start_main`,
    ...invented,
  });
const thrownObject = (keys: string, column: number) =>
  browser({
    type: 'Error',
    value: `Object captured as exception with keys: ${keys}`,
    stack: `submit (https://shop.example/assets/pay.js:1:${column})\nonClick (https://shop.example/assets/pay.js:1:90)`,
    ...invented,
  });

/** C1: of exceptions without a type the value counts. */
export const untypedPairs = [
  different('two codes that Node reports from one helper', text('E_DB_DOWN'), text('E_CARD_DECLINED')),
  different('two values without a type in one helper', bare('E_TIMEOUT'), bare('E_DB_DOWN')),
  different(
    'two texts of one native crash handler',
    crash('out of memory', '/opt/shop/shopd'),
    crash('bad pointer', '/opt/shop/shopd'),
  ),
  different('objects with other keys from one place', thrownObject('code, reason', 40), thrownObject('status', 40)),
  different('one text from two places', text('E_DB_DOWN'), text('E_DB_DOWN', 'login (/app/login.js:8:1)')),
  different(
    'reasons of two application hangs of one function',
    cocoa({ type: 'App Hanging', value: 'main thread waits for a lock', stack: '0x1 Shop Feed.load()', ...invented }),
    cocoa({ type: 'App Hanging', value: 'main thread reads a file', stack: '0x1 Shop Feed.load()', ...invented }),
  ),
  same(
    'one text with another number',
    text('upstream answered 502 after 31 ms'),
    text('upstream answered 503 after 7 ms'),
  ),
  same('one value without a type, lines moved', bare('E_TIMEOUT', 3), bare('E_TIMEOUT', 44)),
  same('one text with another id', bare('no session V1StGXR8_Z5jdHi6B-myT'), bare('no session Qf3kLp9XwT2_sVn8RbYz0')),
  same(
    'one native text, image in another folder',
    crash('out of memory', '/opt/shop/shopd'),
    crash('out of memory', '/srv/releases/9/shopd'),
  ),
  same('the same keys of another object', thrownObject('code, reason', 40), thrownObject('code, reason', 77)),
  same(
    'hangs of other lengths',
    cocoa({
      type: 'App Hanging',
      value: 'App hanging for at least 2000 ms.',
      stack: '0x1 Shop Feed.load()',
      ...invented,
    }),
    cocoa({
      type: 'App Hanging',
      value: 'App hanging for at least 5000 ms.',
      stack: '0x1 Shop Feed.load()',
      ...invented,
    }),
  ),
  same(
    'a signal, whose type the system gave, at two addresses',
    native({
      type: 'SIGSEGV',
      value: 'Segfault at 0x10',
      stack: '0x71 /opt/shop/shopd shop::Cart::add(int)',
      ...invented,
    }),
    native({
      type: 'SIGSEGV',
      value: 'Segfault at 0xdead0',
      stack: '0x71 /opt/shop/shopd shop::Cart::add(int)',
      ...invented,
    }),
  ),
];
