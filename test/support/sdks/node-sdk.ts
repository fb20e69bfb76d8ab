import { addFile, folderOf, makeFolder, programText } from './made-folder.ts';
import { runProgram } from './run-program.ts';
import type { SdkClient } from './sdk-client.ts';

const PROGRAM = 'shop.mjs';

/** Node SDK. `module`: name of the program's file in the SDK's frames. */
export function nodeSdk(version: string, module: string): SdkClient {
  const name = `node-${version}`;
  return {
    name: '@sentry/node',
    version,
    story: {
      exception: {
        title: 'RangeError: checkout failed',
        culprit: `checkout(${module})`,
        cause: 'TypeError',
        functions: ['?', 'checkout'],
      },
      message: 'hello from node',
      sessions: { total: 1, errored: 1, users: 1 },
    },
    complaints: /\[(?:warn|error)\]:|rate.?limit|Warning:/i,
    async prepare() {
      const missing = await makeFolder({
        name,
        toolchain: ['npm', '--version'],
        advice: 'install npm',
        files: {
          [PROGRAM]: programText('node_sdk.mjs'),
          'package.json': JSON.stringify({ private: true, dependencies: { '@sentry/node': version } }),
        },
        steps: [{ command: ['npm', 'install', '--no-audit', '--no-fund', '--ignore-scripts'], fetches: true }],
      });
      return missing ?? ((dsn) => runProgram(process.execPath, [PROGRAM, dsn], { cwd: folderOf(name) }));
    },
    runText: (text) => runProgram(process.execPath, [addFile(name, 'app.mjs', text)]),
  };
}
