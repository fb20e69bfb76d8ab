import type { AccessLevel } from '../../projects/account.ts';
import type { ProjectNews } from '../../projects/project-news.ts';
import type { TrackedError } from '../../errors/tracked-error.ts';
import type { TrackingSettings } from '../../projects/tracking-settings.ts';

/** Maximum of projects that one call reads. */
export const MAX_PROJECTS_AT_ONCE = 100;

/** What decides what a user may read of a project. */
export interface ProjectAccess {
  /** Null: error tracking was never set up. */
  readonly settings: TrackingSettings | null;
  /** The highest role of the user; null: none. */
  readonly level: AccessLevel | null;
}

/** Access to an unknown project. */
export const NO_ACCESS: ProjectAccess = { settings: null, level: null };

/** How many errors a stream of many projects has. */
export interface MattersLimits {
  readonly limit: number;
  /** Of one project. */
  readonly perProject: number;
}

/**
 * What pages about many projects read, at most MAX_PROJECTS_AT_ONCE in a call, which throws `bad_request` for more.
 * Answers are by project id; those of unknown projects are empty.
 */
export interface OverviewStore {
  projectAccess(projectIds: readonly number[], userId: number): Promise<ReadonlyMap<number, ProjectAccess>>;
  /** Cost is independent of the number of errors that are neither unresolved, nor new, nor came back. */
  projectNews(projectIds: readonly number[], now: number): Promise<ReadonlyMap<number, ProjectNews>>;
  /** Unresolved errors of all these projects in the order `matters`, as of the last ranking. */
  errorsThatMatter(projectIds: readonly number[], limits: MattersLimits, now: number): Promise<TrackedError[]>;
}
