import { app, std, crate, rust, panic, panicking } from '../shapes/rust.ts';
import { both } from '../event.ts';
import { different, same } from '../../pair.ts';

export const rustPairs = [
  // One index into one table; another compiler commit, registry folder and bounds.
  same(
    'other bounds, toolchain and registry directory',
    rust([
      {
        type: 'panic',
        value: 'index out of bounds: the len is 12 but the index is 12',
        mechanism: panic,
        frames: [
          crate(
            'rayon::iter::plumbing::bridge_producer_consumer::helper',
            'rayon-1.8.0/src/iter/plumbing/mod.rs',
            437,
            'github.com-1ecc6299db9ec823',
          ),
          app('tilemill::raster::Palette::color_at', 'src/raster/palette.rs', 61),
          std(
            'core::panicking::panic_bounds_check',
            'core/src/panicking.rs',
            208,
            '9fc6b43126469e3858e2fe86cafb4f0fd5068869',
          ),
        ],
      },
    ]),
    rust(
      [
        {
          type: 'panic',
          value: 'index out of bounds: the len is 256 but the index is 300',
          mechanism: panic,
          frames: [
            crate('rayon_core::join::join_context::{{closure}}', 'rayon-core-1.12.1/src/join/mod.rs', 132),
            crate(
              'rayon::iter::plumbing::bridge_producer_consumer::helper',
              'rayon-1.10.0/src/iter/plumbing/mod.rs',
              438,
            ),
            app(
              'tilemill::raster::Palette::color_at',
              'src/raster/palette.rs',
              64,
              '/home/runner/work/tilemill/tilemill',
              0x7f20_11a0_0000,
            ),
            std('core::panicking::panic_bounds_check', 'core/src/panicking.rs', 273),
          ],
        },
      ],
      '0.35.0',
    ),
  ),
  // The server moved from one scheduler of Tokio to the other; the handler is one.
  same(
    'another Tokio scheduler below one async function',
    ...both(
      [
        crate(
          'tokio::runtime::scheduler::current_thread::CoreGuard::block_on',
          'tokio-1.36.0/src/runtime/scheduler/current_thread/mod.rs',
          675,
        ),
        crate('tokio::runtime::task::harness::Harness<T,S>::poll', 'tokio-1.36.0/src/runtime/task/harness.rs', 153),
      ],
      [
        std('std::sys::pal::unix::thread::Thread::new::thread_start', 'std/src/sys/pal/unix/thread.rs', 108),
        crate(
          'tokio::runtime::scheduler::multi_thread::worker::Context::run_task',
          'tokio-1.41.1/src/runtime/scheduler/multi_thread/worker.rs',
          596,
        ),
        crate('tokio::runtime::task::raw::poll', 'tokio-1.41.1/src/runtime/task/raw.rs', 271),
      ],
      (runtime) =>
        rust([
          {
            type: 'panic',
            value: 'attempt to divide by zero',
            mechanism: panic,
            frames: [
              ...runtime,
              app('tilemill::http::preview::{{closure}}', 'src/http/preview.rs', 28),
              app('tilemill::geo::scale_for_zoom', 'src/geo.rs', 90),
              std('core::panicking::panic_const::panic_const_div_by_zero', 'core/src/panicking.rs', 180),
            ],
          },
        ]),
    ),
  ),
  // `unwrap` on nothing in two functions, with one message and one tail of frames.
  different(
    'unwrap on None in two functions',
    ...both(
      [app('tilemill::style::Layer::source', 'src/style/layer.rs', 77)],
      [app('tilemill::auth::bearer_token', 'src/auth.rs', 19)],
      (frames) =>
        rust([
          {
            type: 'panic',
            value: 'called `Option::unwrap()` on a `None` value',
            mechanism: panic,
            frames: [
              crate('tokio::runtime::task::raw::poll', 'tokio-1.41.1/src/runtime/task/raw.rs', 271),
              ...frames,
              ...panicking,
              std('core::option::unwrap_failed', 'core/src/option.rs', 1984),
            ],
          },
        ]),
    ),
  ),
  // anyhow without stacks: the context is one, the roots are a permission and a syntax error.
  different(
    'one context around two roots',
    ...both(
      { type: 'Os', value: 'Permission denied (os error 13)' },
      { type: 'TomlError', value: 'TOML parse error at line 3, column 9: invalid string, expected `"`' },
      (root) => rust([root, { type: 'Context', value: 'failed to load the style sheet' }]),
    ),
  ),
];
