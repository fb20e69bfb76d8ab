import { join } from 'node:path';
import { addFile, folderOf, makeFolder, programText } from './made-folder.ts';
import { runProgram } from './run-program.ts';
import type { SdkClient } from './sdk-client.ts';

/** Pinned plugin version; Maven would otherwise use the newest. */
const COPY = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy';

/** Options for programs that run for seconds only: the faster compiler, no threads of a collector. */
const SHORT_RUN = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

export function javaSdk(version: string): SdkClient {
  const name = `java-${version}`;
  const jar = `sentry-${version}.jar`;
  return {
    name: 'io.sentry:sentry',
    version,
    story: {
      exception: {
        title: 'IllegalStateException: checkout failed',
        culprit: 'Shop in checkout',
        cause: 'IllegalArgumentException',
        functions: ['main', 'checkout'],
      },
      message: 'hello from java',
      sessions: { total: 1, errored: 1, users: 0 },
    },
    complaints: /^(?:WARNING|ERROR|FATAL):|Exception in thread|rate.?limit|not retry/im,
    async prepare() {
      const missing = await makeFolder({
        name,
        toolchain: ['mvn', '--version'],
        advice: 'install Maven and a JDK, 17 or later',
        files: { 'Shop.java': programText('java/Shop.java') },
        steps: [
          {
            command: ['mvn', '-q', '-B', COPY, `-Dartifact=io.sentry:sentry:${version}`, '-DoutputDirectory=.'],
            env: { MAVEN_OPTS: SHORT_RUN.join(' ') },
            fetches: true,
          },
          { command: ['javac', ...SHORT_RUN.map((option) => `-J${option}`), '-cp', jar, '-d', '.', 'Shop.java'] },
        ],
      });
      const folder = folderOf(name);
      return (
        missing ?? ((dsn) => runProgram('java', [...SHORT_RUN, '-cp', `${join(folder, jar)}:${folder}`, 'Shop', dsn]))
      );
    },
    runText: (text) =>
      runProgram('java', [...SHORT_RUN, '-cp', join(folderOf(name), jar), addFile(name, 'snippet/App.java', text)]),
  };
}
