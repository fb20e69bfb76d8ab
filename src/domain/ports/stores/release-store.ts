import type { InCommit } from '../../errors/error-state.ts';
import type { ReleaseDetail, ReleaseErrors, ReleaseHealth, ReleaseQuery } from '../../releases/session.ts';
import type { Page } from '../../page.ts';

/** Error that is resolved in a commit alone. */
export interface ResolvedInCommit {
  readonly errorId: string;
  readonly inCommit: InCommit;
}

/** Releases: their health, and the errors that occurred or are resolved in them. */
export interface ReleaseStore {
  /**
   * Newest first, by first occurrence or by version. `now` ends the 24-hour window. Throws `bad_request` for a cursor of
   * another query. By version only the MAX_RELEASES_SORTED releases first seen last are listed.
   */
  listReleases(projectId: number, query: ReleaseQuery, now: number): Promise<Page<ReleaseHealth>>;
  /** One release with its hours and its neighbours; null when it is unknown, or was never seen in the environment. */
  releaseByName(
    projectId: number,
    release: string,
    environment: string | null,
    now: number,
  ): Promise<ReleaseDetail | null>;
  /**
   * Errors with events in any of the one or two releases, in no order; with an environment only those seen there. Of
   * each release at most MAX_RELEASE_ERRORS, those with the greatest numbers. Merged errors count as one.
   */
  releaseErrors(projectId: number, releases: readonly string[], environment: string | null): Promise<ReleaseErrors>;
  /**
   * Errors that are resolved in the release, or in the next one after `previous`; at most `limit`, 1 to 100. Their
   * counts are empty.
   */
  resolvedInRelease(projectId: number, release: string, previous: string | null, limit: number): Promise<ReleaseErrors>;
  /**
   * Errors that are resolved in a commit alone, whose name begins with these hexadecimal digits in any case; at most
   * `limit`, 1 to 100. Members of merged errors by their own status.
   */
  resolvedInCommit(projectId: number, digits: string, limit: number): Promise<readonly ResolvedInCommit[]>;
  /**
   * Adds the release that names their commit to up to MAX_BULK_STEP errors, and an activity to each. Only the details
   * change, also those of merged members: the time of the resolution stays, and it is no change by a person. Of a member
   * whose root waits for something else the own details change, without an activity. Passes over errors that are not
   * resolved in this commit alone any more, which is compared within the write. Returns the number of changed ones; throws
   * `bad_request` for more.
   */
  resolveInRelease(
    projectId: number,
    errors: readonly ResolvedInCommit[],
    release: string,
    now: number,
  ): Promise<number>;
}
