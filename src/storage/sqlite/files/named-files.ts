import { constants } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ifAbsent, makeDurableDir, syncPath } from '../../../lib/durable-files.ts';
import { requireFileName } from '../../file-names.ts';
import { sqlite } from '../engine/driver.ts';

/** Names of files of the file area in rows, by table. */
const NAMED_IN: Readonly<Record<string, string>> = {
  artifact_bundles: 'SELECT DISTINCT file FROM artifact_bundles ORDER BY file',
  artifact_maps: 'SELECT DISTINCT file FROM artifact_maps WHERE file IS NOT NULL ORDER BY file',
  pending_uploads: 'SELECT DISTINCT value AS file FROM pending_uploads, json_each(chunks) ORDER BY file',
};

/** Returns the files that the rows of a store file name. Earlier schemas have no such rows. */
export function namedFiles(storeFile: string): string[] {
  const db = new sqlite.DatabaseSync(storeFile);
  try {
    const present = db.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?');
    const rows = Object.entries(NAMED_IN).flatMap(([table, sql]) =>
      present.get(table) === undefined ? [] : db.prepare(sql).all(),
    );
    return [...new Set(rows.map(({ file }) => requireFileName(file as string)))];
  } finally {
    db.close();
  }
}

/**
 * Copies files from one file area to another, durably; those that are there stay. Returns the names of missing ones,
 * which were removed since the rows were read.
 */
export async function copyNamedFiles(names: readonly string[], from: string, to: string): Promise<string[]> {
  const missing: string[] = [];
  const folders = new Set(names.map((name) => dirname(join(to, name))));
  for (const folder of folders) await makeDurableDir(folder);
  for (const name of names) {
    const target = join(to, name);
    try {
      await copyFile(join(from, name), target, constants.COPYFILE_FICLONE);
      await syncPath(target);
    } catch (error) {
      missing.push(ifAbsent(error, name));
    }
  }
  for (const folder of folders) await syncPath(folder);
  return missing;
}
