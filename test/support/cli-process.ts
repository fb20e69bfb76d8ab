import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { programEnv } from './program-env.ts';

const ROOT = join(import.meta.dirname, '..', '..');

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Builds `dist`, and with `--tests` the program of component tests, if it is older than the sources. */
export async function buildOnce(...flags: readonly '--tests'[]): Promise<void> {
  const { code, stderr } = await run(['scripts/build.js', ...flags], {}, '');
  if (code !== 0) throw new Error(`the build failed:\n${stderr}`);
}

/** Runs the built command line and waits for its end. */
export function runErrgate(args: readonly string[], env: NodeJS.ProcessEnv, input = ''): Promise<CliResult> {
  return run(['bin/errgate.js', ...args], env, input);
}

function run(args: readonly string[], env: NodeJS.ProcessEnv, input: string): Promise<CliResult> {
  const child = spawn(process.execPath, args, { cwd: ROOT, env: programEnv(env), stdio: 'pipe' });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      resolve({ code, stdout, stderr });
    });
  });
}
