import { join } from 'node:path';
import { addFile, folderOf, makeFolder, programText } from './made-folder.ts';
import { runProgram } from './run-program.ts';
import type { SdkClient } from './sdk-client.ts';

const MODULE = 'github.com/getsentry/sentry-go';

/**
 * Options of a build without optimisation and debug information, which takes two thirds of the processor time. Stack
 * traces need neither. The same for every program, so that they share the packages that are built.
 */
export const GO_SMALL = ['-gcflags=all=-N -l -dwarf=false', '-ldflags=-s -w'];

export function goSdk(version: string): SdkClient {
  const name = `go-${version}`;
  return {
    name: 'sentry-go',
    version,
    story: {
      exception: {
        title: '*main.paymentError: checkout failed',
        culprit: 'main in checkout',
        cause: '*errors.errorString',
        functions: ['main', 'checkout'],
      },
      message: 'hello from go',
      sessions: null,
    },
    complaints: /\b(?:panic|WARN|fail|dropp|denied|refused|rate.?limit|status|could ?n.t|ERROR )/,
    async prepare() {
      const missing = await makeFolder({
        name,
        toolchain: ['go', 'version'],
        advice: 'install Go 1.25 or later',
        files: { 'main.go': programText('go/main.go'), 'go.mod': 'module shop\n\ngo 1.21\n' },
        steps: [
          { command: ['go', 'get', `${MODULE}@v${version}`], env: { GOTOOLCHAIN: 'local' }, fetches: true },
          { command: ['go', 'build', '-p', '1', ...GO_SMALL, '-o', 'shop', '.'] },
        ],
      });
      return missing ?? ((dsn) => runProgram(join(folderOf(name), 'shop'), [dsn]));
    },
    runText(text) {
      addFile(name, 'snippet/main.go', text);
      return runProgram('go', ['run', '-p', '1', ...GO_SMALL, './snippet'], {
        cwd: folderOf(name),
        env: { GOTOOLCHAIN: 'local' },
        patienceMs: 480_000,
      });
    },
  };
}
