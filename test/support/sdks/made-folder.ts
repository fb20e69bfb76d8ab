import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { lockFile } from '../../../src/storage/sqlite/files/file-lock.ts';
import { recordResult } from '../record-result.ts';
import { eventually } from '../service-process.ts';
import { keepArchive, unpackArchive } from './built-archives.ts';
import { runProgram } from './run-program.ts';
import type { Missing } from './sdk-client.ts';

/** Folder of built clients, inside the checkout and ignored by git. */
const CACHE = resolve(import.meta.dirname, '../../../.cache/sdks');
const MARK = '.made-from';

/** Milliseconds per step: enough for a cold build on a busy machine. */
const PATIENCE_MS = 480_000;

export interface Step {
  readonly command: readonly [string, ...string[]];
  readonly env?: NodeJS.ProcessEnv;
  /**
   * Whether the step needs the network. Its failure means a missing client; failures of other steps fail the test.
   */
  readonly fetches?: boolean;
}

export interface MadeFolder {
  /** `<SDK>-<version>`. */
  readonly name: string;
  /** Command that checks whether the toolchain is installed. */
  readonly toolchain: readonly [string, ...string[]];
  /** Advice for a missing toolchain. */
  readonly advice: string;
  /** Initial files, by their path in the folder. */
  readonly files: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
  /** False: the client is missing unless it was built before, here or in another checkout. */
  readonly mayBuild?: boolean;
}

/** Path of a client's folder. */
export function folderOf(name: string): string {
  return join(CACHE, name);
}

/** Writes a file into a built folder and returns its path. */
export function addFile(name: string, file: string, text: string): string {
  const path = join(folderOf(name), file);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
  return path;
}

/** Source text of one of the programs. */
export function programText(file: string): string {
  return readFileSync(join(import.meta.dirname, '../../sdk/programs', file), 'utf8');
}

/**
 * Builds the folder unless it exists with the same input, here or in another checkout, and logs the duration. Null on
 * success. An interrupted build starts again. Test files that run beside each other and need the same folder wait for
 * the one that builds it; throws when that takes longer than a step may.
 */
export async function makeFolder(wanted: MadeFolder): Promise<Missing | null> {
  const folder = folderOf(wanted.name);
  const mark = createHash('sha256')
    .update(JSON.stringify([wanted.files, wanted.steps]))
    .digest('hex');
  if (markOf(folder) === mark) return null;
  mkdirSync(CACHE, { recursive: true });
  const unlock = await eventually(
    () => Promise.resolve(lockFile(`${folder}.lock`, 'exclusive', 0)),
    (lock) => lock !== null,
    PATIENCE_MS,
  );
  try {
    return await makeLocked(wanted, folder, mark);
  } finally {
    unlock?.();
  }
}

/** Unpacks or builds the folder while no other process does. */
async function makeLocked(wanted: MadeFolder, folder: string, mark: string): Promise<Missing | null> {
  if (markOf(folder) === mark) return null;
  if ((await unpackArchive(wanted.name, folder)) && markOf(folder) === mark) return null;
  if (wanted.mayBuild === false) return { missing: 'its build takes a minute: `npm run test:sdk` builds and keeps it' };
  const [tool, ...toolArgs] = wanted.toolchain;
  if ((await runProgram(tool, toolArgs)).status !== 0) return { missing: `there is no ${tool}: ${wanted.advice}` };
  const begun = Date.now();
  console.log(`      making ${wanted.name}`);
  rmSync(folder, { recursive: true, force: true });
  for (const [path, text] of Object.entries(wanted.files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  for (const { command, env, fetches } of wanted.steps) {
    const [program, ...args] = command;
    const run = await runProgram(program, args, {
      cwd: folder,
      patienceMs: PATIENCE_MS,
      ...(env === undefined ? {} : { env }),
    });
    if (run.status === 0) continue;
    const said = run.log.trim().split('\n').slice(-12).join('\n');
    const what = `\`${command.join(' ')}\` ${run.status === null ? `took longer than ${PATIENCE_MS / 1000} s` : 'failed'}`;
    if (fetches === true || run.status === null) return { missing: `${what}: ${said}` };
    throw new Error(`${what}:\n${said}`);
  }
  const seconds = Math.round((Date.now() - begun) / 100) / 10;
  console.log(`      made ${wanted.name} in ${seconds} s`);
  recordResult('sdk-making', { sdk: wanted.name, seconds });
  writeFileSync(join(folder, MARK), mark);
  await keepArchive(wanted.name, folder);
  return null;
}

function markOf(folder: string): string | null {
  try {
    return readFileSync(join(folder, MARK), 'utf8');
  } catch {
    return null;
  }
}
