import { createHash } from 'node:crypto';

/** Grouping version of imported errors: no event has it. */
export const IMPORTED_GROUPING_VERSION = 0;

/** Event id of an occurrence that only the tracker knows. Before every other id, so events of that time go first. */
export const NO_EVENT_ID = '0'.repeat(32);

/**
 * Returns the group hash of an imported error, 32 hex digits. It is made of the source and the id of the issue there,
 * so that each pass finds the same error, and no grouping key leads to it.
 */
export function importedGroupHash(projectId: number, sourceId: number, issueId: string): string {
  const text = `imported\0${projectId}\0${sourceId}\0${issueId}`;
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
