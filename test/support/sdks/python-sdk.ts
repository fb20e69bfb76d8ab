import { addFile, folderOf, makeFolder, programText } from './made-folder.ts';
import { runProgram } from './run-program.ts';
import type { SdkClient } from './sdk-client.ts';

const PYTHON = 'bin/python';
const PROGRAM = 'shop.py';

export function pythonSdk(version: string): SdkClient {
  const name = `python-${version}`;
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
          { command: ['python3', '-m', 'venv', '.'], fetches: true },
          {
            command: [PYTHON, '-m', 'pip', 'install', '-q', '--disable-pip-version-check', `sentry-sdk==${version}`],
            fetches: true,
          },
        ],
      });
      return missing ?? ((dsn) => runProgram(`${folderOf(name)}/${PYTHON}`, [PROGRAM, dsn], { cwd: folderOf(name) }));
    },
    runText: (text) => runProgram(`${folderOf(name)}/${PYTHON}`, [addFile(name, 'app.py', text)]),
  };
}
