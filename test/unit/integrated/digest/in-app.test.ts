import assert from 'node:assert/strict';
import { normalise } from './digest-support.ts';

function inApp(frames: object[], platform = 'python', rules = {}): (boolean | undefined)[] {
  const event = normalise(
    { platform, exception: { type: 'E', stacktrace: { frames } } },
    {},
    {
      inAppInclude: [],
      inAppExclude: [],
      ...rules,
    },
  );
  return event.exceptions[0]?.frames?.map((frame) => frame.in_app) ?? [];
}

describe('application frames', () => {
  it('the `in_app` mark of the SDK decides', () => {
    assert.deepEqual(
      inApp([
        { filename: '/usr/lib/x.py', in_app: true },
        { filename: 'app.py', in_app: false },
      ]),
      [true, false],
    );
  });

  it('when an SDK marks some frames as application, the unmarked ones are not', () => {
    assert.deepEqual(inApp([{ module: 'com.acme.A', in_app: true }, { module: 'com.other.B' }], 'java'), [true, false]);
  });

  it('when an SDK marks frames only as not application, the rules decide the others', () => {
    assert.deepEqual(inApp([{ filename: 'lib.py', in_app: false }, { filename: 'app.py' }]), [false, true]);
  });

  const rows: [platform: string, frame: Record<string, unknown>, expected: boolean][] = [
    ['python', { filename: 'app/views.py' }, true],
    ['python', { abs_path: '/venv/lib/python3.11/x.py' }, false],
    ['python', { abs_path: '/srv/site-packages/flask/app.py', filename: 'flask/app.py' }, false],
    ['python', { module: 'sentry_sdk.hub', filename: 'x.py' }, false],
    ['python', { abs_path: 'C:\\venv\\site-packages\\x.py' }, false],
    ['php', { abs_path: '/srv/vendor/a.php' }, false],
    ['php', { abs_path: '/srv/vendored/a.php' }, true],
    ['php', { function: 'x', module: 'Sentry\\Client' }, false],
    ['node', { filename: '/srv/node_modules/koa/index.js' }, false],
    ['node', { filename: 'node:internal/timers' }, false],
    ['node', { filename: '/srv/app.js' }, true],
    ['javascript', { filename: 'https://cdn.jsdelivr.net/npm/x.js' }, false],
    ['javascript', { filename: 'https://app.example/main.js' }, true],
    ['javascript', { filename: 'chrome-extension://x/y.js' }, false],
    ['javascript', { filename: '[native code]' }, false],
    ['ruby', { abs_path: '/usr/local/bundle/gems/rack-2/lib/rack.rb' }, false],
    ['go', { abs_path: '/home/ci/go/pkg/mod/github.com/x/y.go' }, false],
    ['go', { abs_path: '/usr/local/go/src/runtime/panic.go', module: 'runtime' }, false],
    ['java', { module: 'com.acme.Main' }, true],
    ['java', { module: 'Cap' }, true],
    ['java', { module: 'java.lang.Thread' }, false],
    ['java', { module: 'javax.servlet.Filter' }, false],
    ['java', { module: 'javassist.Thing' }, true],
    ['java', { module: 'org.springframework.web.X' }, false],
    ['java', { module: 'org.apacheish.X' }, true],
    ['java', { module: 'io.sentry.Hub' }, false],
    ['java', { module: 'kotlin.X' }, false],
    ['python', { module: 'java.lang.Thread' }, true],
    ['rust', { function: 'std::panicking::begin_panic' }, false],
    ['native', { function: '__rust_start_panic' }, false],
    ['rust', { function: 'app::run' }, true],
    ['csharp', { module: 'System.IO.File' }, false],
  ];
  for (const [platform, frame, expected] of rows) {
    it(`${platform} ${JSON.stringify(frame)}: ${expected ? 'application' : 'other'}`, () => {
      assert.deepEqual(inApp([frame], platform), [expected]);
    });
  }

  it('the mark of the Rust SDK is ignored for its own functions', () => {
    assert.deepEqual(
      inApp(
        [
          { function: 'shop::checkout', in_app: true },
          { function: 'sentry_tools::report', in_app: true },
          { function: '<sentry_backtrace::integration::X as Y>::process_event', in_app: true },
          { function: 'sentry_backtrace::current_stacktrace', in_app: true },
        ],
        'native',
      ),
      [true, true, false, false],
    );
  });

  const marked: [platform: string, frame: Record<string, unknown>, expected: boolean][] = [
    ['go', { abs_path: '/go/pkg/mod/github.com/jackc/pgx/v5@v5.5.3/conn.go' }, false],
    ['go', { abs_path: '/app/vendor/github.com/jackc/pgx/v5/conn.go' }, false],
    ['go', { abs_path: '/app/internal/store.go' }, true],
    ['rust', { abs_path: '/home/ci/.cargo/registry/src/index/hyper-1.0/src/a.rs', function: 'hyper::a' }, false],
    ['javascript', { filename: 'webpack:///./node_modules/react-dom/cjs/react-dom.js' }, false],
    ['javascript', { filename: 'https://shop.example/assets/react-dom.production.min.js' }, false],
    ['javascript', { filename: 'https://shop.example/js/chunk-vendors.4f81c0aa.js' }, false],
    ['javascript', { filename: 'chrome-extension://x/y.js' }, false],
    ['javascript', { filename: 'https://shop.example/assets/reactor.js' }, true],
    ['python', { abs_path: '/venv/site-packages/own/x.py' }, true],
  ];
  for (const [platform, frame, expected] of marked) {
    it(`${platform} ${JSON.stringify(frame)}, marked by the SDK: ${expected ? 'application' : 'other'}`, () => {
      assert.deepEqual(inApp([{ ...frame, in_app: true }], platform), [expected]);
    });
  }

  it('configured prefixes win over the SDK and the rules; included ones over excluded ones', () => {
    const rules = {
      inAppInclude: ['org.apache.acme', '/srv/vendor/own'],
      inAppExclude: ['com.acme.gen', 'org.apache'],
    };
    assert.deepEqual(
      inApp(
        [
          { module: 'org.apache.acme.X', in_app: false },
          { module: 'com.acme.gen.Y', in_app: true },
          { abs_path: '/srv/vendor/own/a.php' },
          { module: 'org.apache.Z', in_app: true },
        ],
        'java',
        rules,
      ),
      [true, false, true, false],
    );
  });
});
