import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../../domain/app-error.ts';
import { replacePrivateFile } from '../../lib/private-file.ts';

/** Owner-only mode: the data dir holds events, hashes and keys. */
const PRIVATE_DIR = 0o700;
const PRIVATE_FILE = 0o600;
const LOCK_FILE = 'owner.lock';
const OWNER_FILE = 'owner.json';
const RUN_FILE = 'run.json';

/** Milliseconds that a starting owner waits for another process that only tests the lock. */
const LOCK_PATIENCE_MS = 500;

/** The running `serve` of a data dir. */
export interface RunInfo {
  readonly pid: number;
  readonly url: string;
  /** RFC 3339. */
  readonly started_at: string;
}

export interface DataDirOwner {
  readonly dir: string;
  /** Writes `run.json`: from now on the others find the service. */
  publish(url: string, startedAt: number): void;
  /** Removes `run.json` and lets the next owner in; safe to repeat. */
  release(): void;
}

/**
 * Creates the folder with mode 0700, or tightens an existing one where this user may: a volume of Kubernetes belongs to
 * root, and is writable through its group. Throws `invalid_configuration` for a folder that cannot be written to.
 */
export function ensureDataDir(dir: string): void {
  try {
    mkdirSync(dir, { recursive: true, mode: PRIVATE_DIR });
    if ((statSync(dir).mode & 0o077) !== 0) tighten(dir);
    // The owner locks this file; who may not write it may write nothing here.
    closeSync(openSync(join(dir, LOCK_FILE), 'a', PRIVATE_FILE));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `the data dir ${dir} cannot be used (ERRGATE_DATA_DIR): ${reason}${adviceFor(dir, cause)}`;
    throw new AppError('invalid_configuration', message, { cause });
  }
}

function tighten(dir: string): void {
  try {
    chmodSync(dir, PRIVATE_DIR);
  } catch (error) {
    if (codeOf(error) !== 'EPERM') throw error;
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

function adviceFor(dir: string, cause: unknown): string {
  const code = codeOf(cause);
  if (code === 'EROFS') return '; make the file system writable, or choose another folder';
  // Another code may mean that there is no folder to look at.
  if (code !== 'EACCES') return '';
  const owner = statSync(dir, { throwIfNoEntry: false })?.uid;
  const own = process.geteuid?.();
  if (owner === undefined || owner === own) return '';
  return `; it belongs to user ${owner} and errgate runs as user ${own}: run "chown -R ${own} ${dir}" as root`;
}

/**
 * Makes this process the only owner of the data dir until `release` or its end, however it ends: the
 * operating system holds the lock, so a killed owner leaves none behind and a reused process id deceives
 * nobody. `purpose` is what the refusal of a second owner says: `serve`, `restore`.
 * Throws `data_dir_in_use` and names the owner's process id.
 */
export async function acquireDataDir(dir: string, purpose: string): Promise<DataDirOwner> {
  ensureDataDir(dir);
  const { lockFile } = await import('../../storage/sqlite/files/file-lock.ts');
  const unlock = lockFile(join(dir, LOCK_FILE), 'exclusive', LOCK_PATIENCE_MS);
  if (unlock === null) throw await inUse(dir);
  // Removes files that a killed owner left.
  for (const file of [RUN_FILE, OWNER_FILE]) rmSync(join(dir, file), { force: true });
  replacePrivateFile(join(dir, OWNER_FILE), JSON.stringify({ pid: process.pid, purpose }));
  let held = true;
  return {
    dir,
    publish(url, startedAt) {
      const info: RunInfo = { pid: process.pid, url, started_at: new Date(startedAt).toISOString() };
      replacePrivateFile(join(dir, RUN_FILE), `${JSON.stringify(info)}\n`);
    },
    release() {
      if (!held) return;
      held = false;
      rmSync(join(dir, RUN_FILE), { force: true });
      rmSync(join(dir, OWNER_FILE), { force: true });
      unlock();
    },
  };
}

/** Returns true while a process owns the data dir. */
export async function isDataDirOwned(dir: string): Promise<boolean> {
  if (!existsSync(join(dir, LOCK_FILE))) return false;
  const { lockFile } = await import('../../storage/sqlite/files/file-lock.ts');
  // A shared lock, so that two such tests never take each other for an owner.
  const unlock = lockFile(join(dir, LOCK_FILE), 'shared', 0);
  unlock?.();
  return unlock === null;
}

/** Reads `run.json`; null when no `serve` runs, also when a killed one left the file behind. */
export async function readRunInfo(dir: string): Promise<RunInfo | null> {
  const info = readJsonObject(join(dir, RUN_FILE));
  if (info === null || !isRunInfo(info)) return null;
  return (await isDataDirOwned(dir)) ? info : null;
}

function isRunInfo(value: object): value is RunInfo {
  const { pid, url, started_at: startedAt } = value as Record<string, unknown>;
  return typeof pid === 'number' && typeof url === 'string' && typeof startedAt === 'string';
}

function readJsonObject(file: string): object | null {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

async function inUse(dir: string): Promise<AppError> {
  // An owner takes the lock first and names itself a moment later.
  for (let attempt = 0; attempt < 10; attempt++) {
    const owner = readJsonObject(join(dir, OWNER_FILE)) as { pid?: unknown; purpose?: unknown } | null;
    if (typeof owner?.pid === 'number' && typeof owner.purpose === 'string') {
      const message = `the data dir ${dir} is in use by errgate ${owner.purpose}, process ${owner.pid}; stop it first`;
      return new AppError('data_dir_in_use', message, { details: { pid: owner.pid } });
    }
    await delay(20);
  }
  return new AppError('data_dir_in_use', `the data dir ${dir} is in use by another errgate process; stop it first`);
}
