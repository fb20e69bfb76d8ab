import { decide } from '../../../auth/policy.ts';
import type { Principal } from '../../../auth/principal.ts';
import { AppError } from '../../../domain/app-error.ts';
import { NEW_FOR_MS, NO_TRACKER_MARKS } from '../../../domain/error-marks.ts';
import { mattersRank } from '../../../domain/matters-rank.ts';
import { MAX_PROJECTS_AT_ONCE, NO_ACCESS, type ProjectAccess } from '../../../domain/ports/overview-store.ts';
import type { Project } from '../../../domain/project.ts';
import type { ErrorQuery, TrackedError } from '../../../domain/tracked-error.ts';
import type { TrackingSettings } from '../../../domain/tracking-settings.ts';
import { within } from '../../../lib/within.ts';
import type { CommonDeps, ProjectDeps } from '../../http/route-deps.ts';

/** Maximum errors per project. */
const MAX_PER_PROJECT = 10;
/** Milliseconds that the whole stream waits for external trackers. */
const TRACKERS_MS = 2_000;
/** What trackers are asked for. */
const ASKED: Omit<ErrorQuery, 'limit'> = {
  ...{ status: 'unresolved', search: null, environment: null, release: null, level: null },
  ...{ sort: 'last_seen', cursor: null },
};

/** Error of the stream, with its project. */
export interface StreamedError {
  readonly project: Project;
  readonly integrated: boolean;
  readonly error: TrackedError;
}

/** Project whose errors could not be read in time. */
export interface MissingProject {
  readonly project: Project;
  readonly reason: string;
}

export interface ErrorStream {
  /** What matters first. */
  readonly errors: readonly StreamedError[];
  readonly missing: readonly MissingProject[];
  /** Projects that were not looked at, because there are more than MAX_PROJECTS_AT_ONCE. */
  readonly leftOut: number;
}

export interface StreamDeps extends Pick<CommonDeps, 'store' | 'clock' | 'integratedOffered'> {
  readonly backendFor: ProjectDeps['backendFor'];
}

interface Readable {
  readonly project: Project;
  readonly settings: TrackingSettings;
}

/**
 * Returns the unresolved errors that matter most, of all projects whose errors the user may read: the first ones of each
 * project by its own order, merged by rank. External trackers have no ranks; the first ones seen last count by what is
 * known of them. Of more than MAX_PROJECTS_AT_ONCE projects favourites are looked at first, then the newest.
 */
export async function errorStream(
  deps: StreamDeps,
  principal: Principal,
  limit: number,
  onlyFavourites: boolean,
): Promise<ErrorStream> {
  const { user } = principal;
  const [all, marked] = await Promise.all([
    user.admin ? deps.store.listProjects() : deps.store.projectsOfUser(user.id),
    deps.store.favourites(user.id),
  ]);
  const favourites = new Set(marked);
  const ordered = all
    .filter(({ id }) => !onlyFavourites || favourites.has(id))
    .sort((a, b) => Number(favourites.has(b.id)) - Number(favourites.has(a.id)) || b.id - a.id);
  const chosen = ordered.slice(0, MAX_PROJECTS_AT_ONCE);
  const access = await deps.store.projectAccess(
    chosen.map(({ id }) => id),
    user.id,
  );
  const readable = chosen.flatMap((project) => readableProject(deps, principal, project, access.get(project.id)));
  const stored = new Map(
    readable.filter(({ settings }) => settings.integrated).map(({ project }) => [project.id, project]),
  );
  const linked = readable.filter(({ settings }) => !settings.integrated);
  const missing: MissingProject[] = [];
  const ended = deadline();
  const limits = { limit, perProject: Math.min(limit, MAX_PER_PROJECT) };
  const ask = async ({ project, settings }: Readable): Promise<StreamedError[]> => {
    const backend = deps.backendFor(project, settings, true);
    const answer = await within(
      ended(),
      async (signal) => (await backend.list(project, { ...ASKED, limit: limits.perProject }, signal)).items,
      () => 'The tracker did not answer in time.',
    ).catch((error: unknown) => reasonOf(error));
    if (typeof answer === 'string') {
      missing.push({ project, reason: answer });
      return [];
    }
    return answer.map((error) => ({ project, integrated: false, error }));
  };
  const [here, there] = await Promise.all([
    deps.store.errorsThatMatter([...stored.keys()], limits, deps.clock.now()),
    // Trackers answer side by side: none waits for another one.
    Promise.all(linked.map(ask)),
  ]);
  const own = here.flatMap((error): StreamedError[] => {
    const project = stored.get(error.projectId);
    return project === undefined ? [] : [{ project, integrated: true, error }];
  });
  const now = deps.clock.now();
  const ranked = [...own, ...there.flat()].map((each) => ({ each, rank: rankOf(each.error, now) }));
  return {
    errors: ranked
      .sort((a, b) => b.rank - a.rank)
      .slice(0, limit)
      .map(({ each }) => each),
    missing,
    leftOut: ordered.length - chosen.length,
  };
}

/** Returns the project, or nothing where the user may not read its errors, or it has none. */
function readableProject(
  deps: StreamDeps,
  principal: Principal,
  project: Project,
  { settings, level }: ProjectAccess = NO_ACCESS,
): Readable[] {
  if (settings?.active !== true || (settings.integrated && !deps.integratedOffered)) return [];
  return decide(principal, 'read_errors', project, level) === 'ok' ? [{ project, settings }] : [];
}

/** Returns a function that gives the milliseconds left of TRACKERS_MS, at least one. */
function deadline(): () => number {
  const end = performance.now() + TRACKERS_MS;
  return () => Math.max(1, end - performance.now());
}

function reasonOf(error: unknown): string {
  if (error instanceof AppError) return error.message;
  throw error;
}

/** Rank of an error by what is known of it. */
function rankOf(error: TrackedError, now: number): number {
  const { marks, frequency, rangeCount, userCount, lastSeen, firstSeen, level } = error;
  return mattersRank({
    events: rangeCount ?? frequency?.reduce((sum, [, count]) => sum + count, 0) ?? 0,
    users: userCount ?? 0,
    lastSeen,
    level,
    marks: marks ?? { ...NO_TRACKER_MARKS, isNew: firstSeen > now - NEW_FOR_MS },
  });
}
