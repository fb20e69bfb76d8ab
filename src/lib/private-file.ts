import { randomBytes } from 'node:crypto';
import { linkSync, closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Mode for access by the owner only, because such files contain secrets or control processes. */
const PRIVATE = 0o600;

function writeBeside(path: string, content: string): string {
  const beside = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  const file = openSync(beside, 'wx', PRIVATE);
  try {
    writeSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return beside;
}

function syncFolder(path: string): void {
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Replaces a file with mode 0600. Readers see the old or the new content, even after a power cut. */
export function replacePrivateFile(path: string, content: string): void {
  const beside = writeBeside(path, content);
  renameSync(beside, path);
  syncFolder(path);
}

/** Writes as `replacePrivateFile`, but returns false without a change when the file exists. */
export function createPrivateFile(path: string, content: string): boolean {
  const beside = writeBeside(path, content);
  try {
    // Unlike a rename, a link never replaces an existing file.
    linkSync(beside, path);
    syncFolder(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(beside, { force: true });
  }
}
