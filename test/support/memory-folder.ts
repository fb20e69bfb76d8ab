import { accessSync, constants, statfsSync } from 'node:fs';

/** File system in memory that most Linux systems mount. */
const MEMORY = '/dev/shm';
/** Type that Linux gives to a file system in memory. */
const TMPFS = 0x0102_1994;
/** Free bytes that a run needs at least. The service itself refuses events where less than half a GB is free. */
const LEAST_FREE = 4 * 1024 ** 3;

/**
 * Puts the temporary folders of tests and of their child processes into memory, where waiting for a disk costs no time.
 * Kills of a process lose as little there as on a disk. Does nothing where there is no such memory, where `TMPDIR` names
 * another folder, or with `ERRGATE_TEST_ON_DISK` (`npm run test:full`).
 */
export function useMemoryForFolders(): void {
  const { env } = process;
  if (process.platform !== 'linux' || env['TMPDIR'] !== undefined || (env['ERRGATE_TEST_ON_DISK'] ?? '') !== '') return;
  try {
    const { type, bavail, bsize } = statfsSync(MEMORY);
    accessSync(MEMORY, constants.W_OK);
    if (type === TMPFS && bavail * bsize >= LEAST_FREE) env['TMPDIR'] = MEMORY;
  } catch {
    // There is no such folder, or it cannot be written: the usual folder is used.
  }
}
