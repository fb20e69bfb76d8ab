import { different, same } from '../pair.ts';
import { native } from '../shapes/native.ts';

const abort = { type: 'SIGABRT', value: 'Abort', mechanism: { type: 'signalhandler', handled: false } };

export const nativePairs = [
  same(
    'the path of the build host and a C++ clone suffix',
    native({
      ...abort,
      stack: `
        0x7f01 /lib/x86_64-linux-gnu/libc.so.6 abort
        0x5501 /opt/shop/shopd flush_log.constprop.0 at /build/a/log.c:77
        0x5502 /opt/shop/shopd main at /build/a/main.c:12`,
    }),
    native({
      ...abort,
      stack: `
        0x7fa1 /lib/x86_64-linux-gnu/libc.so.6 abort
        0x5a01 /opt/shop/shopd flush_log.isra.3 at /build/b/log.c:79
        0x5a02 /opt/shop/shopd main at /build/b/main.c:12`,
    }),
  ),
  same(
    'MSVC lambdas with other hashes',
    native({
      type: 'EXCEPTION_ACCESS_VIOLATION_READ',
      value: 'Fatal Error: EXCEPTION_ACCESS_VIOLATION_READ',
      stack: `
        0x7ff6a1 C:\\shop\\shop.exe shop::<lambda_0f1e2d3c4b5a69788796a5b4c3d2e1f0>::operator()
        0x7ff6a0 C:\\shop\\shop.exe shop::Pool::Run`,
    }),
    native({
      type: 'EXCEPTION_ACCESS_VIOLATION_READ',
      value: 'Fatal Error: EXCEPTION_ACCESS_VIOLATION_READ',
      stack: `
        0x7ff7b1 C:\\shop\\shop.exe shop::<lambda_a1b2c3d4e5f60718293a4b5c6d7e8f90>::operator()
        0x7ff7b0 C:\\shop\\shop.exe shop::Pool::Run`,
    }),
  ),
  different(
    'one static function name in two source files',
    native({
      ...abort,
      stack:
        '0x5501 /opt/shop/shopd fail at /build/reader.c:7\n0x5502 /opt/shop/shopd reader_next at /build/reader.c:90',
    }),
    native({
      ...abort,
      stack:
        '0x5501 /opt/shop/shopd fail at /build/writer.c:9\n0x5502 /opt/shop/shopd writer_next at /build/writer.c:91',
    }),
  ),
  different(
    'another caller',
    native({ ...abort, stack: '0x5501 /opt/shop/shopd shop::check(bool)\n0x5502 /opt/shop/shopd shop::Cart::open()' }),
    native({ ...abort, stack: '0x5501 /opt/shop/shopd shop::check(bool)\n0x5502 /opt/shop/shopd shop::Index::open()' }),
  ),
  same(
    'recursion of another depth',
    native({
      ...abort,
      stack: `${'0x5501 /opt/shop/shopd shop::Node::free(shop::Node*) at /build/node.cc:7\n'.repeat(12)}0x5502 /opt/shop/shopd main`,
    }),
    native({
      ...abort,
      stack: `${'0x6601 /opt/shop/shopd shop::Node::free(shop::Node*) at /build/node.cc:7\n'.repeat(30)}0x6602 /opt/shop/shopd main`,
    }),
  ),
];
