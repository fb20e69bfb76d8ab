import { decide } from '../../../auth/policy.ts';
import type { Principal } from '../../../auth/principal.ts';
import { AppError } from '../../../domain/app-error.ts';
import { NEW_FOR_MS, NO_TRACKER_MARKS } from '../../../domain/errors/error-marks.ts';
import { mattersRank } from '../../../domain/errors/matters-rank.ts';
import { MAX_PROJECTS_AT_ONCE, NO_ACCESS, type ProjectAccess } from '../../../domain/ports/stores/overview-store.ts';
import type { Project } from '../../../domain/projects/project.ts';
import type { TrackedError } from '../../../domain/errors/tracked-error.ts';
import type { ErrorQuery } from '../../../domain/search/error-query.ts';
import type { TrackingSettings } from '../../../domain/projects/tracking-settings.ts';
import { within } from '../../../lib/within.ts';
import type { ParametersSchema } from '../../../schemas/parameters.ts';
import { problems } from '../../http/common-schema.ts';
import { objectSchema } from '../../http/object-schema.ts';
import { pageSize } from '../../http/page-links.ts';
import type { CommonDeps, ProjectDeps } from '../../http/route-deps.ts';
import { accountRoute, type Route } from '../../http/route.ts';
import { perPage } from '../shared/error-filters-schema.ts';
import { presentError } from './error-presenter.ts';
import { errorSchema } from './error-schema.ts';

const projectSchema = objectSchema({
  title: 'StreamProject',
  properties: { id: { type: 'integer' }, name: { type: 'string' }, path_with_namespace: { type: 'string' } },
});

const errorStreamSchema = objectSchema({
  title: 'ErrorStream',
  properties: {
    errors: {
      type: 'array',
      description: 'Unresolved errors, what matters first; at most 10 of a project',
      items: {
        title: 'StreamedError',
        type: 'object',
        properties: { ...errorSchema.properties, project: projectSchema },
        required: [...errorSchema.required, 'project'],
        additionalProperties: false,
      },
    },
    missing: {
      type: 'array',
      description: 'Projects whose external tracker did not answer within 2 seconds, or not at all',
      items: objectSchema({ properties: { project: projectSchema, reason: { type: 'string' } } }),
    },
    left_out: { type: 'integer', description: 'Projects beyond the 100 that one answer looks at' },
  },
});

const listStreamSchema = {
  type: 'object',
  properties: {
    sort: { type: 'string', enum: ['matters'], default: 'matters', description: 'The only order of this list' },
    favourites: { type: 'boolean', description: 'Only errors of the projects that you marked' },
    per_page: perPage,
  },
  required: ['per_page'],
  additionalProperties: false,
} as const satisfies ParametersSchema;

/** Maximum errors per project. */
const MAX_PER_PROJECT = 10;
/** Milliseconds that the whole stream waits for external trackers. */
const TRACKERS_MS = 2_000;
/** Query sent to external trackers. */
const ASKED: Omit<ErrorQuery, 'limit'> = {
  ...{ status: 'unresolved', search: null, environment: null, release: null, level: null },
  ...{ sort: 'last_seen', cursor: null },
};

/** Error of the stream, with its project. */
interface StreamedError {
  readonly project: Project;
  readonly integrated: boolean;
  readonly error: TrackedError;
}

/** Project whose errors could not be read in time. */
interface MissingProject {
  readonly project: Project;
  readonly reason: string;
}

interface ErrorStream {
  /** What matters first. */
  readonly errors: readonly StreamedError[];
  readonly missing: readonly MissingProject[];
  /** Projects that were not looked at, because there are more than MAX_PROJECTS_AT_ONCE. */
  readonly leftOut: number;
}

interface StreamDeps extends Pick<CommonDeps, 'store' | 'clock' | 'integratedOffered'> {
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
async function errorsOfAllProjects(
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

const presentPlace = ({ id, name, path }: Project) => ({ id, name, path_with_namespace: path });

export const errorsOfAllProjectsRoutes: readonly Route[] = [
  accountRoute({
    method: 'GET',
    path: '/api/v4/error_tracking/errors',
    operationId: 'listStream',
    summary: 'List the unresolved errors that matter most, of all projects whose errors you may read',
    action: 'read_self',
    parameters: listStreamSchema,
    responses: {
      200: { description: 'The first errors of all projects', schema: errorStreamSchema },
      400: problems[400],
      401: problems[401],
      403: problems[403],
    },
    async handle({ deps, principal, params }) {
      const limit = pageSize(params.per_page);
      const { errors, missing, leftOut } = await errorsOfAllProjects(
        deps,
        principal,
        limit,
        params.favourites === true,
      );
      const externalUrl = deps.externalUrl();
      const body = {
        errors: errors.map(({ error, project, integrated }) => ({
          ...presentError(error, { project, integrated, externalUrl }),
          project: presentPlace(project),
        })),
        missing: missing.map(({ project, reason }) => ({ project: presentPlace(project), reason })),
        left_out: leftOut,
      };
      return { status: 200, body };
    },
  }),
];
