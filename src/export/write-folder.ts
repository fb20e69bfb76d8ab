import { randomBytes } from 'node:crypto';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../domain/app-error.ts';
import { ifAbsent, renameDurably, replaceDurably } from '../lib/durable-files.ts';
import { MANIFEST_FILE } from './manifest.ts';

/**
 * Writes files into a new folder: first beside it under another name, which an interrupted export keeps, then renamed.
 * The manifest, which `write` returns, is written last. Throws `conflict` when the folder exists and is not empty.
 */
export async function writeFolder<M extends object>(dir: string, write: (dir: string) => Promise<M>): Promise<M> {
  const entries = await readdir(dir).catch((error: unknown) => ifAbsent(error, []));
  if (entries.length > 0) {
    throw new AppError('conflict', `${dir} is not empty: name a new folder for the export`);
  }
  const unfinished = `${dir}.unfinished-${randomBytes(4).toString('hex')}`;
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  const manifest = await write(unfinished);
  await replaceDurably(join(unfinished, MANIFEST_FILE), Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`));
  await renameDurably(unfinished, dir);
  return manifest;
}
