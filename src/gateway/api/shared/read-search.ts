import { AppError } from '../../../domain/app-error.ts';
import { withSearch } from '../../../domain/search/fold-search.ts';
import { parseSearch, searchNeeds } from '../../../domain/search/parse-search.ts';
import type { IntegratedErrors } from '../../../domain/ports/error-backend.ts';
import type { Project } from '../../../domain/projects/project.ts';
import { asksForVersion, withReleases } from '../../../domain/search/release-versions.ts';
import type { SearchCondition } from '../../../domain/search/search-condition.ts';
import type { ErrorSelection } from '../../../domain/search/error-query.ts';
import type { ProjectCall } from '../../http/route.ts';

type Names = Pick<IntegratedErrors, 'tagNames' | 'releaseNames'>;
type Tracked = { readonly integratedErrors: Names | null };

async function membersByName({ deps, project }: ProjectCall<unknown>): Promise<ReadonlyMap<string, number>> {
  const members = await deps.store.listMembers(project.id);
  return new Map(members.map(({ username, userId }) => [username.toLowerCase(), userId]));
}

/** Replaces versions by the releases of all packages that have them. */
async function withPackages(
  project: Project,
  errors: Names,
  conditions: readonly SearchCondition[],
): Promise<readonly SearchCondition[]> {
  if (!conditions.some(asksForVersion)) return conditions;
  const releases = await errors.releaseNames(project);
  return conditions.map((condition) => withReleases(condition, releases));
}

/** Search that was read: the query with its conditions, and a hint about how it was read; null: none. */
export interface ReadSearch<Q> {
  readonly query: Q;
  readonly hint: string | null;
}

/**
 * Reads the conditions in the search of a query. Throws `invalid_search` for unknown keys and values. In projects with
 * an external tracker every key that is nearly none of the known ones is a tag: their tags are not known here.
 */
export async function readSearch<Q extends ErrorSelection>(
  call: ProjectCall<unknown>,
  { integratedErrors }: Tracked,
  query: Q,
): Promise<ReadSearch<Q>> {
  const { search } = query;
  if (search === null) return { query, hint: null };
  const needs = searchNeeds(search);
  const [people, tags] = await Promise.all([
    needs.people ? membersByName(call) : new Map<string, number>(),
    needs.tags && integratedErrors !== null ? integratedErrors.tagNames(call.project) : [],
  ]);
  const { text, conditions, problem, hint } = parseSearch(search, {
    now: call.deps.clock.now(),
    me: call.principal.user.id,
    people,
    tags: integratedErrors === null ? null : new Set(tags),
  });
  if (problem !== null) throw new AppError('invalid_search', problem);
  const whole = integratedErrors === null ? conditions : await withPackages(call.project, integratedErrors, conditions);
  return { query: { ...withSearch(query, text, whole, integratedErrors === null), asked: query }, hint };
}

/** Like `readSearch`, for answers without a place for hints. */
export async function withSearchOf<Q extends ErrorSelection>(
  call: ProjectCall<unknown>,
  tracked: Tracked,
  query: Q,
): Promise<Q> {
  return (await readSearch(call, tracked, query)).query;
}
