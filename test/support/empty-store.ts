import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore, sqliteFile } from '../../src/storage/open/open-store.ts';

let content: Promise<Buffer> | undefined;

/** Returns the content of a store file that the program has just created. */
async function createStore(): Promise<Buffer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'errgate-empty-'));
  try {
    await (await openStore({ url: 'sqlite:', dataDir })).close();
    const file = sqliteFile('sqlite:', dataDir);
    const log = `${file}-wal`;
    assert.ok(!existsSync(log) || statSync(log).size === 0, 'the file holds the whole store');
    return await readFile(file);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/**
 * Puts a new, empty store into a data dir: a copy of one that this process created before. To create one takes 24 ms
 * of processor time, most of it for migrations, and suites use hundreds. Suites of processes and commands, and those of
 * opening and migrating, let the program create theirs.
 */
export async function placeEmptyStore(dataDir: string): Promise<void> {
  await writeFile(sqliteFile('sqlite:', dataDir), await (content ??= createStore()), { mode: 0o600 });
}
