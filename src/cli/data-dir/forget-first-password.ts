import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashAccessToken } from '../../auth/access-token.ts';
import { verifyPassword } from '../../auth/password.ts';
import type { Store } from '../../domain/ports/stores/store.ts';
import { replacePrivateFile } from '../../lib/private-file.ts';
import type { StoredFirstStart } from './first-start.ts';

const FIRST_START_FILES = /^first-start(-\d{8}T\d{6}Z)?\.json$/;

type Accounts = Pick<Store, 'tokenByHash' | 'passwordHash'>;

function readFirstStart(file: string): StoredFirstStart | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as StoredFirstStart;
  } catch {
    return null;
  }
}

/**
 * Returns true when the password in the file no longer works. A file whose token is not in this store belongs to
 * another one.
 */
async function isOver(accounts: Accounts, { token, password }: StoredFirstStart): Promise<boolean> {
  if (typeof password !== 'string' || typeof token !== 'string') return false;
  const owner = await accounts.tokenByHash(hashAccessToken(token));
  const hash = owner === null ? null : await accounts.passwordHash(owner.userId);
  return hash !== null && !(await verifyPassword(password, hash));
}

/** Removes changed passwords from the files of first starts; the rest of the files stays. */
export async function forgetFirstPasswords(accounts: Accounts, dataDir: string): Promise<void> {
  for (const name of readdirSync(dataDir).filter((entry) => FIRST_START_FILES.test(entry))) {
    const file = join(dataDir, name);
    const start = readFirstStart(file);
    if (start === null || !(await isOver(accounts, start))) continue;
    const { password: _password, ...rest } = start;
    replacePrivateFile(file, `${JSON.stringify(rest, null, 2)}\n`);
  }
}
