import { answered, api } from './client.ts';
import type { components } from './schema.d.ts';

/** Commits of the release of an event that changed the files in which it happened. */
export type SuspectCommits = components['schemas']['SuspectCommits'];

export async function getSuspectCommits(
  project: string,
  errorId: string,
  eventId: string,
  signal: AbortSignal,
): Promise<SuspectCommits> {
  const params = { path: { id: project, error_id: errorId }, query: { event_id: eventId } };
  return (
    await answered(
      api.GET('/api/v4/projects/{id}/error_tracking/errors/{error_id}/suspect_commits', { params, signal }),
    )
  ).data;
}
