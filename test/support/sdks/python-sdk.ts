import { join } from 'node:path';
import { addFile, folderOf, makeFolder, programText } from './made-folder.ts';
import { runProgram } from './run-program.ts';
import type { SdkClient } from './sdk-client.ts';

/** Folder of the packages. A virtual environment would take three times the processor time. */
const PACKAGES = 'packages';
const PROGRAM = 'shop.py';

export function pythonSdk(version: string): SdkClient {
  const name = `python-${version}`;
  const run = (...args: string[]) =>
    runProgram('python3', args, { cwd: folderOf(name), env: { PYTHONPATH: join(folderOf(name), PACKAGES) } });
  return {
    name: 'sentry-sdk',
    version,
    story: {
      exception: {
        title: 'ValueError: checkout failed',
        culprit: '__main__ in checkout',
        cause: 'KeyError',
        functions: ['<module>', 'checkout'],
      },
      message: 'hello from python',
      // One session of the process, and one of a request; neither has a user.
      sessions: { total: 2, errored: 1, users: 1 },
    },
    complaints: /WARNING|ERROR|Traceback|Unexpected status|rate-limit/,
    async prepare() {
      const missing = await makeFolder({
        name,
        toolchain: ['python3', '--version'],
        advice: 'install Python 3',
        files: { [PROGRAM]: programText('python_sdk.py') },
        steps: [
          {
            command: [
              ...['python3', '-m', 'pip', 'install', '-q', '--disable-pip-version-check', '--no-compile'],
              ...['--target', PACKAGES, `sentry-sdk==${version}`],
            ] as const,
            fetches: true,
          },
        ],
      });
      return missing ?? ((dsn) => run(PROGRAM, dsn));
    },
    runText: (text) => run(addFile(name, 'app.py', text)),
  };
}
