import { different, same } from '../pair.ts';
import { rust } from '../shapes/rust.ts';

export const rustPairs = [
  same(
    'a future polled by another runtime version',
    rust({
      type: 'SendError',
      value: 'channel closed',
      stack: `
        shop::feed::poll::{{closure}} at /build/src/feed.rs:31
        <core::pin::Pin<P> as core::future::future::Future>::poll at /rustc/90c541806f23a127002de5b4038be731ba1458ca/library/core/src/future/future.rs:125
        tokio::runtime::task::core::Core<T,S>::poll::{{closure}} at /home/ci/.cargo/registry/src/github.com-1ecc6299db9ec823/tokio-1.28.0/src/runtime/task/core.rs:223
        shop::main at /build/src/main.rs:12`,
    }),
    rust({
      type: 'SendError',
      value: 'channel closed',
      stack: `
        shop::feed::poll::{{closure}}::h1f2e3d4c5b6a7988 at /build/src/feed.rs:33
        tokio::runtime::task::core::Core<T,S>::poll::{{closure}} at /home/ci/.cargo/registry/src/index.crates.io-6f17d22bba15001f/tokio-1.38.0/src/runtime/task/core.rs:328
        shop::main::h0f1e2d3c4b5a6978 at /build/src/main.rs:12`,
    }),
  ),
  same(
    'no stack: a path and an os error',
    rust({
      type: 'Error',
      value: 'cannot open "/var/lib/shop/seg-000017.log": No such file or directory (os error 2)',
    }),
    rust({ type: 'Error', value: 'cannot open "/srv/shop/seg-000918.log": No such file or directory (os error 2)' }),
  ),
  different(
    'two modules with one function name',
    rust({
      type: 'panic',
      value: 'explicit panic',
      stack: 'shop::cart::load at /build/src/cart.rs:3\nshop::main at /build/src/main.rs:2',
    }),
    rust({
      type: 'panic',
      value: 'explicit panic',
      stack: 'shop::order::load at /build/src/order.rs:3\nshop::main at /build/src/main.rs:2',
    }),
  ),
  different(
    'two error enums from one function',
    rust({
      type: 'ParseIntError',
      value: 'invalid digit found in string',
      stack: 'shop::env::port at /build/src/env.rs:3',
    }),
    rust({
      type: 'VarError',
      value: 'environment variable not found',
      stack: 'shop::env::port at /build/src/env.rs:2',
    }),
  ),
  same(
    'a newer SDK tells the module apart from the type',
    rust(
      {
        type: 'panic',
        value: 'assertion failed: total > 0',
        stack: 'shop::cart::check at /build/src/cart.rs:3\nshop::main at /build/src/main.rs:2',
      },
      { sdk: { name: 'sentry.rust', version: '0.23.0' } },
    ),
    rust(
      {
        type: 'panic',
        value: 'assertion failed: total > 0',
        mechanism: { type: 'panic', handled: false },
        stack: 'shop::cart::check at src/cart.rs:5\nshop::main at src/main.rs:2',
      },
      { sdk: { name: 'sentry.rust', version: '0.34.0' } },
    ),
  ),
];
