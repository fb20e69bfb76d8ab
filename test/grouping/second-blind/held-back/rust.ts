import { app, std, rust, panic, panicking } from '../shapes/rust.ts';
import { both } from '../event.ts';
import { different, same } from '../../pair.ts';

export const rustPairs = [
  // One closure of one function, as the old and the new mangling write it.
  same(
    'a closure in the legacy and the v0 mangling',
    ...both('tilemill::fetch::download_all::{{closure}}', 'tilemill::fetch::download_all::{closure#0}', (name) =>
      rust([
        {
          type: 'panic',
          value: 'called `Result::unwrap()` on an `Err` value: InvalidDigit',
          mechanism: panic,
          frames: [
            app('tilemill::fetch::download_all', 'src/fetch.rs', 40),
            app(name, 'src/fetch.rs', 44),
            ...panicking,
            std('core::result::unwrap_failed', 'core/src/result.rs', 1679),
          ],
        },
      ]),
    ),
  ),
  // No stack; the same file format error at another offset of another file.
  same(
    'no stack: another path and offset',
    rust([
      { type: 'Error', value: 'unexpected tag 0x8f at offset 10422' },
      { type: 'Context', value: 'cannot index tileset /var/tiles/se/2024-11-02.mbtiles' },
    ]),
    rust([
      { type: 'Error', value: 'unexpected tag 0x03 at offset 99' },
      { type: 'Context', value: 'cannot index tileset /mnt/pool2/tiles/pt/2024-11-19.mbtiles' },
    ]),
  ),
  // One function, two defects: an overflow, and a lock that a panic poisoned.
  different(
    'two panics of one function',
    ...both(
      {
        value: 'attempt to subtract with overflow',
        lineno: 50,
        last: std('core::panicking::panic_const::panic_const_sub_overflow', 'core/src/panicking.rs', 180),
      },
      {
        value: 'called `Result::unwrap()` on an `Err` value: PoisonError { .. }',
        lineno: 33,
        last: std('core::result::unwrap_failed', 'core/src/result.rs', 1679),
      },
      ({ value, lineno, last }) =>
        rust([
          {
            type: 'panic',
            value,
            mechanism: panic,
            frames: [
              app('tilemill::main', 'src/main.rs', 22),
              app('tilemill::cache::Lru::evict', 'src/cache.rs', lineno),
              last,
            ],
          },
        ]),
    ),
  ),
];
