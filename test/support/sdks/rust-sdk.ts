import { join } from 'node:path';
import { addFile, folderOf, makeFolder, programText } from './made-folder.ts';
import { runProgram } from './run-program.ts';
import type { SdkClient } from './sdk-client.ts';

/** Minimal features for the test program: no TLS, the smallest transport. */
const FEATURES = ['backtrace', 'contexts', 'panic', 'ureq'];

/** Rust SDK. `parts`: crates of the SDK that need the same version. */
export function rustSdk(version: string, features: readonly string[] = [], parts: readonly string[] = []): SdkClient {
  const name = `rust-${version}`;
  const manifest = [
    '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n',
    '[[bin]]\nname = "shop"\npath = "main.rs"\n',
    // Without debug information of dependencies, checks of arithmetic and unwinding: an eighth of the build.
    '[profile.dev]\ndebug = 0\ndebug-assertions = false\noverflow-checks = false\npanic = "abort"\nincremental = false\n',
    // Line numbers and module names, which frames need.
    '[profile.dev.package.shop]\ndebug = 1\n',
    '[dependencies]',
    `sentry = { version = "=${version}", default-features = false, features = ${JSON.stringify([...FEATURES, ...features])} }`,
    // Domain names in ASCII only: without the tables of Unicode, which are an eighth of the build.
    'idna_adapter = "=1.0.0"',
    ...parts.map((part) => `sentry-${part} = "=${version}"`),
  ].join('\n');
  return {
    name: 'sentry (Rust)',
    version,
    story: {
      exception: {
        title: 'CheckoutError: checkout failed',
        culprit: 'shop::checkout',
        cause: 'CardError',
        functions: ['shop::main', 'shop::checkout'],
      },
      message: 'hello from rust',
      sessions: { total: 1, errored: 1, users: 1 },
    },
    complaints: /\b(?:warning|error|panicked|failed|dropped|rate.?limit)\b/i,
    async prepare(mayTakeLong = true) {
      const missing = await makeFolder({
        name,
        toolchain: ['cargo', '--version'],
        advice: 'install Rust, 1.89 or later',
        mayBuild: mayTakeLong,
        files: { 'main.rs': programText('rust/main.rs'), 'Cargo.toml': `${manifest}\n` },
        steps: [
          { command: ['cargo', 'fetch', '--quiet'], fetches: true },
          { command: ['cargo', 'build', '--quiet', '--offline', '-j1'], env: { CARGO_TARGET_DIR: 'target' } },
        ],
      });
      return missing ?? ((dsn) => runProgram(join(folderOf(name), 'target/debug/shop'), [dsn]));
    },
    runText(text) {
      addFile(name, 'examples/snippet.rs', text);
      return runProgram('cargo', ['run', '--quiet', '--offline', '-j1', '--example', 'snippet'], {
        cwd: folderOf(name),
        env: { CARGO_TARGET_DIR: 'target' },
        patienceMs: 480_000,
      });
    },
  };
}
