import { join } from 'node:path';
import { addFile, folderOf, makeFolder, programText } from './made-folder.ts';
import { runProgram } from './run-program.ts';
import type { SdkClient } from './sdk-client.ts';

/**
 * System packages of the interpreter and the SDK. They are unpacked into the folder, so that nothing is installed.
 */
const PACKAGES = [
  'ruby3.1',
  'libruby3.1',
  'rubygems-integration',
  'ruby-concurrent',
  'ruby-sentry-ruby-core',
  'ruby-sentry-ruby',
];
const LIBRARIES = [
  'usr/lib/ruby/vendor_ruby',
  'usr/lib/ruby/3.1.0',
  'usr/lib/x86_64-linux-gnu/ruby/3.1.0',
  'usr/share/rubygems-integration/all/gems/concurrent-ruby-1.1.6/lib/concurrent-ruby',
];
/** Program path: the SDK treats code in a folder of this name as the application's. */
const PROGRAM = 'app/shop.rb';

/** Ruby SDK in the version of Debian 12; the registry of gems is not used. */
export function rubySdk(version: string): SdkClient {
  const name = `ruby-${version}`;
  const root = join(folderOf(name), 'root');
  const gems = ['sentry-ruby-core', 'sentry-ruby'].map(
    (gem) => `usr/share/rubygems-integration/all/gems/${gem}-${version}/lib`,
  );
  const env = {
    LD_LIBRARY_PATH: join(root, 'usr/lib/x86_64-linux-gnu'),
    RUBYLIB: [...LIBRARIES, ...gems].map((path) => join(root, path)).join(':'),
  };
  const run = (args: readonly string[]) =>
    runProgram(join(root, 'usr/bin/ruby3.1'), args, { cwd: folderOf(name), env });
  return {
    name: 'sentry-ruby',
    version,
    story: {
      exception: {
        title: 'ArgumentError: checkout failed',
        culprit: `${PROGRAM} in rescue in checkout`,
        cause: 'KeyError',
        functions: ['checkout', 'rescue in checkout'],
      },
      message: 'hello from ruby',
      // Aggregated sessions have no user.
      sessions: { total: 1, errored: 1, users: 0 },
    },
    complaints: /^[WEF], |rate.?limit|not sent|failed to/im,
    async prepare() {
      const missing = await makeFolder({
        name,
        toolchain: ['apt-get', '--version'],
        advice: 'the SDK is taken from the packages of Debian 12',
        files: { [PROGRAM]: programText('ruby_sdk.rb') },
        steps: [
          { command: ['apt-get', 'download', '-q', ...PACKAGES], fetches: true },
          { command: ['sh', '-c', 'for package in *.deb; do dpkg -x "$package" root || exit 1; done'] },
        ],
      });
      return missing ?? ((dsn) => run([PROGRAM, dsn]));
    },
    runText: (text) => run([addFile(name, 'app/app.rb', text)]),
  };
}
