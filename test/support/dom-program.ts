import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { buildOnce } from './cli-process.ts';
import type { PageGlobals } from './dom-window.ts';

const FILE = join(import.meta.dirname, '..', '..', '.cache', 'test-program', 'program.js');

interface Program {
  open(): () => void;
}

let script: Promise<Script> | undefined;

async function compiled(): Promise<Script> {
  await buildOnce('--tests');
  return new Script(`${readFileSync(FILE, 'utf8')}\nprogram;`, { filename: FILE });
}

/** Runs the program of the pages in a window, with a state of its own. The returned function removes it. */
export async function runProgram(window: PageGlobals): Promise<() => void> {
  script ??= compiled();
  return ((await script).runInContext(window) as Program).open();
}
