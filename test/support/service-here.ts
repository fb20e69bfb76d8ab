import { EventEmitter, once } from 'node:events';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import type * as Program from '../../src/cli/program.ts';
import { Kept } from './cli-call.ts';
import { buildOnce } from './cli-process.ts';
import { usePlainThreads } from './plain-threads.ts';
import { type FirstStart, readStarted, type StartedService } from './service-process.ts';

const BUILT = pathToFileURL(join(import.meta.dirname, '..', '..', 'dist', 'src', 'cli', 'program.js')).href;
let built: Promise<typeof Program> | undefined;

/** Loads the built program. Its threads start in a third of the time of the sources. */
function builtProgram(): Promise<typeof Program> {
  if (built === undefined) usePlainThreads();
  return (built ??= buildOnce().then(() => import(BUILT) as Promise<typeof Program>));
}

/** Running `errgate serve` inside this process. */
export interface ServeCall {
  /** Output on stdout so far; the log is not kept. */
  readonly stdout: string;
  readonly stderr: string;
  /** Waits for the first match in the output; throws when the service ends without it. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  /** Waits until the service is ready and returns its address. */
  url(): Promise<string>;
  /** Exit code. */
  readonly ended: Promise<number>;
  /** Stops the service and returns its exit code. */
  end(): Promise<number>;
}

/**
 * Runs the built `errgate serve` inside this process, which starts in a fifth of the processor time of a new one. Not suitable
 * for tests of crashes, memory or the log.
 */
export async function callServe(env: NodeJS.ProcessEnv): Promise<ServeCall> {
  const { runCli } = await builtProgram();
  const changes = new EventEmitter();
  const onChange = (): boolean => changes.emit('change');
  const [stdout, stderr] = [new Kept(onChange), new Kept(onChange)];
  const signals = new EventEmitter();
  let over = false;
  const ended = runCli(['serve'], {
    env: { ...process.env, ERRGATE_PORT: '0', ...env, ERRGATE_LOG_LEVEL: 'silent' },
    stdin: Readable.from([]),
    stdout,
    stderr,
    signals,
  }).finally(() => {
    over = true;
    onChange();
  });
  const text = (): string => `${stdout.text()}\n${stderr.text()}`;
  const call: ServeCall = {
    get stdout() {
      return stdout.text();
    },
    get stderr() {
      return stderr.text();
    },
    ended,
    async printed(pattern) {
      for (;;) {
        const match = pattern.exec(text());
        if (match !== null) return match;
        if (over) throw new Error(`ended without ${String(pattern)}:${text()}`);
        await once(changes, 'change');
      }
    },
    async url() {
      const [, url = ''] = await call.printed(/is ready on (\S+)/);
      return url;
    },
    end() {
      signals.emit('SIGTERM');
      return ended;
    },
  };
  return call;
}

/**
 * Starts the built service on a data dir inside this process and waits for its ready line. `shared`: output of the first
 * start of a shared store, for further gateways.
 */
export async function startServiceHere(
  dataDir: string,
  env: NodeJS.ProcessEnv = {},
  shared?: FirstStart,
): Promise<StartedService> {
  const call = await callServe({ ERRGATE_DATA_DIR: dataDir, ...env });
  await call.printed(/is ready on/);
  const log = (): string => `${call.stdout}\n${call.stderr}`;
  return Object.assign(readStarted(dataDir, call.stdout, shared), { log, end: () => call.end() });
}
