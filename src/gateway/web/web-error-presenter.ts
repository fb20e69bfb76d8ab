import type { TrackedError, TrackedErrorDetail } from '../../domain/tracked-error.ts';
import { errorUrl, projectUrl, type ErrorContext } from '../api/shared/error-place.ts';
import { staleMember } from '../api/shared/stale.ts';
import { isoTime } from '../http/iso-time.ts';

/** Presents one row of the list in the form of the host's pages. */
export function presentWebError(error: TrackedError) {
  return {
    id: error.id,
    title: error.title,
    type: error.type,
    user_count: error.userCount,
    count: error.count,
    first_seen: isoTime(error.firstSeen),
    last_seen: isoTime(error.lastSeen),
    message: error.message,
    culprit: error.culprit,
    external_url: error.externalUrl,
    // Members of the project in the external tracker; null for errors that errgate stores.
    project_id: error.tracker?.projectId ?? null,
    project_name: error.tracker?.projectName ?? null,
    project_slug: error.tracker?.projectSlug ?? null,
    short_id: error.tracker?.shortId ?? null,
    status: error.status,
    frequency: error.frequency ?? [],
  };
}

/**
 * Presents an error. `externalBaseUrl`: address of the linked project in the external tracker; null for the integrated
 * backend.
 */
export function presentWebErrorDetail(
  error: TrackedErrorDetail,
  context: ErrorContext,
  externalBaseUrl: string | null,
) {
  return {
    error: {
      ...presentWebError(error),
      external_url: error.externalUrl ?? errorUrl(context, error.id),
      external_base_url: externalBaseUrl ?? projectUrl(context),
      integrated: context.integrated,
      first_release_version: error.firstRelease,
      first_release_short_version: error.tracker?.firstRelease?.shortVersion ?? null,
      first_release_last_commit: error.tracker?.firstRelease?.lastCommit ?? null,
      last_release_version: error.lastRelease,
      last_release_short_version: error.tracker?.lastRelease?.shortVersion ?? null,
      last_release_last_commit: error.tracker?.lastRelease?.lastCommit ?? null,
      host_issue: null,
      host_commit: null,
      host_commit_path: null,
      tags: { level: error.level, logger: error.tracker?.logger ?? null },
    },
    ...staleMember(error),
  };
}
