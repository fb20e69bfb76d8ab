import { randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createPrivateFile } from '../../lib/private-file.ts';

/**
 * Names a data dir as the owner of its journals: the same as long as the folder lives, on whatever machine
 * its disk is mounted, and another one for a copy of the folder, which gets the text but not the inode.
 */
export function dataDirOwner(dataDir: string): string {
  const file = join(dataDir, 'store-owner');
  createPrivateFile(file, randomBytes(16).toString('hex'));
  return `${readFileSync(file, 'utf8').trim()}.${statSync(file).ino}`;
}
