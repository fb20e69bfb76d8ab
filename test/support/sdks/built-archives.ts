import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from './run-program.ts';

/** Folder of archives of built clients, which the checkouts of a user share. */
const ARCHIVES =
  process.env['ERRGATE_TEST_SDK_CACHE'] ??
  join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'errgate-test-sdks');

/** Path of the only archive of a client. */
const archiveOf = (name: string): string => join(ARCHIVES, `${name}.tar`);

/** Replaces a folder by the content of a client's archive, at once. False without a complete archive. */
export async function unpackArchive(name: string, folder: string): Promise<boolean> {
  if (!existsSync(archiveOf(name))) return false;
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  if ((await runProgram('tar', ['-xf', archiveOf(name), '-C', unfinished])).status !== 0) return false;
  rmSync(folder, { recursive: true, force: true });
  renameSync(unfinished, folder);
  return true;
}

/** Replaces the archive of a client at once, because other checkouts may be reading it. A failure leaves it as it was. */
export async function keepArchive(name: string, folder: string): Promise<void> {
  mkdirSync(ARCHIVES, { recursive: true });
  const unfinished = `${archiveOf(name)}.${process.pid}`;
  if ((await runProgram('tar', ['-cf', unfinished, '-C', folder, '.'])).status === 0) {
    renameSync(unfinished, archiveOf(name));
  } else {
    rmSync(unfinished, { force: true });
  }
}
