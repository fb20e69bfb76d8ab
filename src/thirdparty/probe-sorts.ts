import { AppError } from '../domain/app-error.ts';
import { listIssues } from './endpoints/list-issues.ts';
import type { TrackerSession } from './session.ts';

/** Number of rows that reveals an ignored sort. */
const PROBE_ROWS = 25;

/** Last seen is the default sort of all trackers. */
const PROBED = ['frequency', 'first_seen', 'users'] as const;

/** Requests each sort once to learn which ones work; failed ones are tested at the next call. */
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
