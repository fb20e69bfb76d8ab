import { join } from 'node:path';
import type { JournalFiles } from '../../domain/ports/journal-files.ts';

/**
 * Queues of one project. Requests with an error event wait while the target takes no errors; others go on meanwhile,
 * without the items of categories that the target refuses.
 */
export const LANES = ['events', 'other'] as const;
export type Lane = (typeof LANES)[number];

/** Folder of the spool in a data dir. */
export function spoolDir(dataDir: string): string {
  return join(dataDir, 'forward');
}

export function projectDir(spool: string, projectId: number): string {
  return join(spool, String(projectId));
}

/** Folder of a lane: holds `segments/` and the position of the worker. */
export function laneDir(spool: string, projectId: number, lane: Lane): string {
  return join(projectDir(spool, projectId), lane);
}

/** Ids of the projects that have a folder, ascending. */
export async function spooledProjects(files: Pick<JournalFiles, 'list'>, spool: string): Promise<number[]> {
  const names = await files.list(spool);
  return names
    .filter((name) => /^[1-9]\d{0,14}$/.test(name))
    .map(Number)
    .sort((a, b) => a - b);
}
