import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ImportSummary } from '../../src/import/import-run.ts';
import { programEnv } from '../../test/support/program-env.ts';

const ROOT = join(import.meta.dirname, '../..');

export interface ImportTarget {
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

export interface ImportEnd {
  /** Null: it was killed. */
  readonly code: number | null;
  /** Null without one, as after a kill. */
  readonly summary: ImportSummary | null;
  readonly stderr: string;
  readonly seconds: number;
}

/** Runs `errgate import … --json` to its end. `killWhen`: kills it with SIGKILL once it returns true. */
export async function runImportCommand({ args, env }: ImportTarget, killWhen?: () => boolean): Promise<ImportEnd> {
  const begun = Date.now();
  const child = spawn(process.execPath, ['bin/errgate.js', 'import', ...args, '--json'], {
    cwd: ROOT,
    env: programEnv(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const watch = setInterval(() => {
    if (killWhen?.() === true) child.kill('SIGKILL');
  }, 20);
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  let last = '';
  for await (const line of createInterface({ input: child.stdout })) last = line;
  const code = await ended;
  clearInterval(watch);
  const isWhole = code !== null && last.startsWith('{') && last.includes('"left_outs"');
  return {
    code,
    summary: isWhole ? (JSON.parse(last) as ImportSummary) : null,
    stderr,
    seconds: (Date.now() - begun) / 1000,
  };
}
