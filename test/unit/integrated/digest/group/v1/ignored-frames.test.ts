import type { Frame } from '../../../../../../src/domain/events/event.ts';
import { systemFrame, thrown } from './events.ts';
import { on, without } from './frame-pairs.ts';
import { mustGroup, mustNotGroup } from './pairs.ts';

describe('group v1: ignored frames', () => {
  describe('frames that never count for the group', () => {
    const cases: [string, Partial<Frame>, Partial<Frame>][] = [
      ['python', { function: '<listcomp>' }, { function: '<genexpr>' }],
      ['python', { module: 'sentry_sdk.integrations.wsgi' }, { module: 'sentry_sdk_helper' }],
      ['python', { filename: '/venv/site-packages/sentry_sdk/hub.py' }, { filename: '/app/my_sentry_sdk/hub.py' }],
      [
        'node',
        { filename: '/app/node_modules/@sentry/node/cjs/index.js' },
        { filename: '/app/node_modules/sentry/index.js' },
      ],
      ['node', { module: '@sentry.core.build:sdk' }, { module: 'sentry.core:sdk' }],
      ['node', { filename: '/app/node_modules/tslib/tslib.js' }, { filename: '/app/tslib/tslib.js' }],
      [
        'javascript',
        { filename: 'webpack:///./node_modules/core-js/internals/a.js' },
        { filename: 'webpack:///./core/a.js' },
      ],
      [
        'node',
        { function: 'process.processTicksAndRejections', filename: 'node:internal/process/task_queues' },
        { function: 'ticks' },
      ],
      [
        'node',
        { function: 'process.nextTick', filename: 'node:internal/process/next_tick' },
        { function: 'nextTick', filename: '/app/vue.js' },
      ],
      ['javascript', { function: 'sentryWrapped', filename: '/a.js' }, { function: 'wrapped', filename: '/a.js' }],
      ['javascript', { function: 'async Promise.all', filename: 'index 3' }, { function: 'all', filename: 'index.js' }],
      ['java', { module: 'app.Pay$$FastClassBySpringCGLIB$$1a2b' }, { module: 'app.FastClass' }],
      ['java', { module: 'app.Pay$$Lambda$14/0x0000000800c03000' }, { module: 'app.Lambda' }],
      ['java', { module: 'jdk.proxy2.$Proxy45' }, { module: 'jdk.proxy2.Proxy' }],
      ['php', { function: 'Proxies\\__CG__\\App\\Cart::total' }, { function: 'Proxies\\Cart::total' }],
      ['php', { function: 'ContainerAb3dE5g\\CartGhostEbeb667::total' }, { function: 'App\\Ghost::total' }],
      ['ruby', { filename: '<internal:array>' }, { filename: 'internal.rb' }],
      ['ruby', { filename: '/app/bin/rails' }, { filename: '/app/bin/import' }],
      ['python', { filename: '<frozen importlib._bootstrap>' }, { filename: 'frozen.py' }],
      ['javascript', { function: 'renderWithHooks', filename: '/a.js' }, { function: 'render', filename: '/a.js' }],
      [
        'javascript',
        { function: 'Object.callWithErrorHandling', filename: '/a.js' },
        { function: 'call', filename: '/a.js' },
      ],
      ['java', { module: 'io.sentry.Sentry' }, { module: 'io.sentryapp.Main' }],
      ['php', { function: 'Sentry\\State\\Hub::captureException' }, { function: 'SentryGun\\Hub::fire' }],
      [
        'php',
        { filename: '/srv/vendor/sentry/sentry/src/Client.php' },
        { filename: '/srv/vendor/other/src/Client.php' },
      ],
      [
        'ruby',
        { filename: 'sentry/hub.rb', abs_path: '/gems/sentry-ruby-5.9.0/lib/sentry/hub.rb' },
        { filename: 'hub.rb', abs_path: '/app/hub.rb' },
      ],
      [
        'go',
        { module: 'github.com/getsentry/sentry-go', function: 'Recover' },
        { module: 'github.com/getsentry/sentry-gopher' },
      ],
      ['go', { module: 'runtime', function: 'gopanic' }, { module: 'runtime', function: 'ReadMemStats' }],
      ['native', { function: 'std::panicking::begin_panic' }, { function: 'std::collections::get' }],
      ['native', { function: 'core::option::unwrap_failed' }, { function: 'core::option::unwrap_or' }],
      ['rust', { function: 'sentry_panic::panic_handler' }, { function: 'sentrygun::fire' }],
      ['rust', { function: '__rust_begin_short_backtrace' }, { function: 'rust_thing' }],
      ['csharp', { module: 'Sentry.Hub' }, { module: 'SentryGun.Hub' }],
    ];
    for (const [platform, ignored, kept] of cases) {
      const name = ignored.module ?? ignored.filename ?? ignored.function ?? '';
      mustGroup([[`${platform} without ${name}`, on(platform, ignored), without(platform)]]);
      mustNotGroup([
        [
          `${platform} with ${kept.module ?? kept.filename ?? kept.function ?? ''}`,
          on(platform, kept),
          without(platform),
        ],
      ]);
    }
    mustGroup([
      [
        'nor in the system variant',
        thrown('java', [systemFrame({ module: 'a.B' }), systemFrame({ module: 'io.sentry.Hub' })]),
        thrown('java', [systemFrame({ module: 'a.B' })]),
      ],
    ]);
  });
});
