import { AppError } from '../domain/app-error.ts';
import { listIssues } from './endpoints/list-issues.ts';
import type { TrackerSession } from './session.ts';

/** Rows with which a sort that the tracker passes over shows as such. */
const PROBE_ROWS = 25;

/** Last seen first is every tracker's default. */
const PROBED = ['frequency', 'first_seen', 'users'] as const;

/** Sorts once by everything, to find out what the tracker can do; one that cannot be asked now is asked next time. */
export async function probeSorts(session: TrackerSession): Promise<void> {
  for (const sort of PROBED) {
    try {
      await listIssues(session, { query: '', sort, environment: null, limit: PROBE_ROWS, cursor: null });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.code.startsWith('tracker_')) return;
      if (error.code !== 'unsupported_by_tracker') throw error;
    }
  }
  session.dialect.sortsProbed = true;
}
