import { join } from 'node:path';

/** Acknowledged events that the store does not have yet. */
export function journalDir(dataDir: string): string {
  return join(dataDir, 'journal');
}

/** Records that could not be digested. */
export function quarantineDir(dataDir: string): string {
  return join(dataDir, 'quarantine');
}

/** Uploads of build tools that are being opened. */
export function uploadsDir(dataDir: string): string {
  return join(dataDir, 'uploads');
}
