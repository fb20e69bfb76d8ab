import { spawn } from 'node:child_process';
import type { ProgramRun } from './sdk-client.ts';

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Whether `env` is the whole environment; otherwise it is added to that of this process. */
  readonly only?: boolean;
  /** Time limit in milliseconds. A program that exceeds it is killed and has no status. */
  readonly patienceMs?: number;
}

/** Runs a program and waits for its end. A missing program has the status 127, as in a shell. */
export function runProgram(command: string, args: readonly string[], options: RunOptions = {}): Promise<ProgramRun> {
  const child = spawn(command, args, {
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    env: { ...(options.only === true ? {} : process.env), ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // The `timeout` of `spawn` would stay active for a missing program.
  const patience = setTimeout(() => child.kill('SIGKILL'), options.patienceMs ?? 60_000);
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (log += chunk.toString()));
  return new Promise<ProgramRun>((resolve) => {
    child.once('error', (error) => resolve({ status: 127, log: `${log}\n${error.message}` }));
    child.once('close', (status) => resolve({ status, log }));
  }).finally(() => clearTimeout(patience));
}
