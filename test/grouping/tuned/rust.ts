import { different, same } from '../pair.ts';
import { rust } from '../shapes/rust.ts';

const panicking = `
  rust_begin_unwind at /rustc/90c541806f23a127002de5b4038be731ba1458ca/library/std/src/panicking.rs:578 0x55d0c0a1b2c3
  core::panicking::panic_fmt at /rustc/90c541806f23a127002de5b4038be731ba1458ca/library/core/src/panicking.rs:67 0x55d0c0a1b333`;
const add = `${panicking}
  shop::cart::Cart::add at /build/src/cart.rs:42 0x55d0c0a1aaaa
  shop::main at /build/src/main.rs:9 0x55d0c0a1aa00
  std::rt::lang_start at /rustc/90c541806f23a127002de5b4038be731ba1458ca/library/std/src/rt.rs:166 0x55d0c0a1a000`;
const panic = { type: 'panic', value: 'called `Option::unwrap()` on a `None` value', stack: add };

export const rustPairs = [
  same(
    'another compiler, addresses and lines',
    rust(panic),
    rust({
      ...panic,
      stack: `
        rust_begin_unwind at /rustc/25ef9e3d85d934b27d9dada2f9dd52b1dc63bb04/library/std/src/panicking.rs:647 0x5622beefbeef
        core::panicking::panic_fmt at /rustc/25ef9e3d85d934b27d9dada2f9dd52b1dc63bb04/library/core/src/panicking.rs:72 0x5622beefbe00
        core::option::unwrap_failed at /rustc/25ef9e3d85d934b27d9dada2f9dd52b1dc63bb04/library/core/src/option.rs:1978 0x5622beefbd00
        shop::cart::Cart::add at /home/ci/shop/src/cart.rs:47 0x5622beefaaaa
        shop::main at /home/ci/shop/src/main.rs:9 0x5622beefaa00
        std::rt::lang_start at /rustc/25ef9e3d85d934b27d9dada2f9dd52b1dc63bb04/library/std/src/rt.rs:165 0x5622beefa000`,
    }),
  ),
  same(
    'hashes of symbols',
    rust({
      ...panic,
      stack:
        'shop::cart::Cart::add::h0123456789abcdef at /build/src/cart.rs:42\nshop::main::hfedcba9876543210 at /build/src/main.rs:3',
    }),
    rust({
      ...panic,
      stack:
        'shop::cart::Cart::add::h9988776655443322 at /build/src/cart.rs:42\nshop::main::h0011223344556677 at /build/src/main.rs:3',
    }),
  ),
  same(
    'closures: numbered and not',
    rust({
      ...panic,
      stack: 'shop::jobs::run::{{closure}} at /build/src/jobs.rs:9\nshop::jobs::spawn at /build/src/jobs.rs:4',
    }),
    rust({
      ...panic,
      stack: 'shop::jobs::run::{closure#1} at /build/src/jobs.rs:9\nshop::jobs::spawn at /build/src/jobs.rs:4',
    }),
  ),
  same(
    'generic arguments',
    rust({
      ...panic,
      stack: 'shop::decode::body<shop::item::Item> at /build/src/decode.rs:9\nshop::web::create at /build/src/web.rs:4',
    }),
    rust({ ...panic, stack: 'shop::decode::body at /build/src/decode.rs:9\nshop::web::create at /build/src/web.rs:4' }),
  ),
  same(
    'an index of another length, no stack',
    rust({ type: 'panic', value: 'index out of bounds: the len is 3 but the index is 7' }),
    rust({ type: 'panic', value: 'index out of bounds: the len is 12 but the index is 12' }),
  ),
  same(
    'the panic handler of the SDK on top',
    rust(panic),
    rust({
      ...panic,
      stack: `
        sentry_panic::PanicIntegration::event_from_panic_info at /home/ci/.cargo/registry/src/index.crates.io-6f17d22bba15001f/sentry-panic-0.31.0/src/lib.rs:101
        sentry_panic::panic_handler at /home/ci/.cargo/registry/src/index.crates.io-6f17d22bba15001f/sentry-panic-0.31.0/src/lib.rs:60
        ${add}`,
    }),
  ),
  different('two functions', rust(panic), rust({ ...panic, stack: add.replace('Cart::add', 'Cart::remove') })),
  different(
    'two implementations of one trait',
    rust({ ...panic, stack: '<shop::card::Card as shop::pay::Pay>::charge at /build/src/card.rs:9' }),
    rust({ ...panic, stack: '<shop::cash::Cash as shop::pay::Pay>::charge at /build/src/cash.rs:9' }),
  ),
  different(
    'two messages of anyhow without a stack',
    rust({ type: 'anyhow::Error', value: 'failed to read the configuration' }),
    rust({ type: 'anyhow::Error', value: 'failed to bind the listener' }),
  ),
];
