import { different, same } from '../pair.ts';
import { native } from '../shapes/native.ts';

const segv = {
  type: 'SIGSEGV',
  value: 'Segfault',
  mechanism: {
    type: 'signalhandler',
    handled: false,
    synthetic: true,
    meta: { signal: { number: 11, name: 'SIGSEGV' } },
  },
};

export const nativePairs = [
  same(
    'other addresses and lines',
    native({
      ...segv,
      stack: `
        0x55d0c0a1b2c3 /opt/shop/shopd shop::Cart::add(shop::Item const&) at /build/src/cart.cc:42
        0x55d0c0a1aaaa /opt/shop/shopd main at /build/src/main.cc:9
        0x7f03c1a29d90 /lib/x86_64-linux-gnu/libc.so.6 __libc_start_call_main`,
    }),
    native({
      ...segv,
      stack: `
        0x5622beefbeef /opt/shop/shopd shop::Cart::add(shop::Item const&) at /home/ci/src/cart.cc:47
        0x5622beefaaaa /opt/shop/shopd main at /home/ci/src/main.cc:9
        0x7fa11be29d90 /lib/x86_64-linux-gnu/libc.so.6 __libc_start_call_main`,
    }),
  ),
  same(
    'function with and without its parameters',
    native({
      ...segv,
      stack:
        '0x55d0c0a1b2c3 /opt/shop/shopd shop::Cart::add(shop::Item const&, int)\n0x55d0c0a1b200 /opt/shop/shopd main',
    }),
    native({ ...segv, stack: '0x55d0c0a1b2c3 /opt/shop/shopd shop::Cart::add\n0x55d0c0a1b200 /opt/shop/shopd main' }),
  ),
  same(
    'template arguments and the inlined namespace of the library',
    native({
      ...segv,
      stack: `
        0x7f1 /opt/shop/shopd std::__1::vector<int, std::__1::allocator<int> >::at(unsigned long) const
        0x7f2 /opt/shop/shopd shop::Grid<int>::cell(int)`,
    }),
    native({
      ...segv,
      stack: `
        0x9a1 /opt/shop/shopd std::vector<int, std::allocator<int> >::at(unsigned long) const
        0x9a2 /opt/shop/shopd shop::Grid<int>::cell(int)`,
    }),
  ),
  same(
    'lambdas: numbers of gcc',
    native({
      ...segv,
      stack:
        '0x71 /opt/shop/shopd shop::Pool::run()::{lambda()#1}::operator()() const\n0x72 /opt/shop/shopd shop::Pool::start()',
    }),
    native({
      ...segv,
      stack:
        '0x81 /opt/shop/shopd shop::Pool::run()::{lambda()#2}::operator()() const\n0x82 /opt/shop/shopd shop::Pool::start()',
    }),
  ),
  same(
    'system frames below from another libc',
    native({
      ...segv,
      stack: `
        0x71 /opt/shop/shopd shop::Codec::decode(char const*)
        0x72 /lib/x86_64-linux-gnu/libpthread.so.0 start_thread
        0x73 /lib/x86_64-linux-gnu/libc.so.6 clone`,
    }),
    native({
      ...segv,
      stack: `
        0x91 /opt/shop/shopd shop::Codec::decode(char const*)
        0x92 /lib/x86_64-linux-gnu/libc.so.6 start_thread
        0x93 /lib/x86_64-linux-gnu/libc.so.6 __clone3`,
    }),
  ),
  same(
    'an access violation of another address, no stack',
    native({
      type: 'EXCEPTION_ACCESS_VIOLATION_WRITE',
      value: 'Fatal Error: EXCEPTION_ACCESS_VIOLATION_WRITE / 0x0000000000000018',
    }),
    native({
      type: 'EXCEPTION_ACCESS_VIOLATION_WRITE',
      value: 'Fatal Error: EXCEPTION_ACCESS_VIOLATION_WRITE / 0x000000003f2a1090',
    }),
  ),
  different(
    'two functions',
    native({
      ...segv,
      stack: '0x55d0c0a1b2c3 /opt/shop/shopd shop::Cart::add(int)\n0x55d0c0a1b200 /opt/shop/shopd main',
    }),
    native({
      ...segv,
      stack: '0x55d0c0a1b2c3 /opt/shop/shopd shop::Cart::clear()\n0x55d0c0a1b200 /opt/shop/shopd main',
    }),
  ),
  different(
    'one method name of two classes',
    native({ ...segv, stack: '0x71 /opt/shop/shopd shop::Reader::next()' }),
    native({ ...segv, stack: '0x71 /opt/shop/shopd shop::Writer::next()' }),
  ),
  different(
    'two signals in one function',
    native({ ...segv, stack: '0x71 /opt/shop/shopd shop::Math::divide(int, int)' }),
    native({
      ...segv,
      type: 'SIGFPE',
      value: 'FloatingPointException',
      stack: '0x71 /opt/shop/shopd shop::Math::divide(int, int)',
    }),
  ),
];
