import { AppError } from '../domain/app-error.ts';
import { withSearch } from '../domain/fold-search.ts';
import { parseSearch, searchNeeds } from '../domain/parse-search.ts';
import type { Project } from '../domain/project.ts';
import type { SearchCondition } from '../domain/search-condition.ts';
import type { IntegratedErrors } from '../domain/ports/error-backend.ts';
import type { ErrorSelection } from '../domain/tracked-error.ts';
import type { ProjectCall } from './route.ts';

type Tracked = { readonly integratedErrors: Pick<IntegratedErrors, 'tagNames' | 'filterValues'> | null };

async function membersByName({ deps, project }: ProjectCall<unknown>): Promise<ReadonlyMap<string, number>> {
  const members = await deps.store.listMembers(project.id);
  return new Map(members.map(({ username, userId }) => [username.toLowerCase(), userId]));
}

/**
 * Replaces releases that are only a version, `2.33.0`, by the newest release `name@2.33.0`, unless a release has that
 * name. Looks at the newest releases of `filterValues`.
 */
async function withWholeReleases(
  project: Project,
  errors: Pick<IntegratedErrors, 'filterValues'>,
  conditions: readonly SearchCondition[],
): Promise<readonly SearchCondition[]> {
  if (!conditions.some(({ field }) => field === 'release')) return conditions;
  const { releases } = await errors.filterValues(project);
  const whole = (version: string): string =>
    releases.includes(version) ? version : (releases.find((name) => name.endsWith(`@${version}`)) ?? version);
  return conditions.map((condition) =>
    condition.field === 'release' ? { ...condition, value: whole(condition.value) } : condition,
  );
}

/**
 * Reads the conditions in the search of a query. Throws `invalid_search` for unknown keys and values. In projects with
 * an external tracker every key that is nearly none of the known ones is a tag: their tags are not known here.
 */
export async function withSearchOf<Q extends ErrorSelection>(
  call: ProjectCall<unknown>,
  { integratedErrors }: Tracked,
  query: Q,
): Promise<Q> {
  const { search } = query;
  if (search === null) return query;
  const needs = searchNeeds(search);
  const [people, tags] = await Promise.all([
    needs.people ? membersByName(call) : new Map<string, number>(),
    needs.tags && integratedErrors !== null ? integratedErrors.tagNames(call.project) : [],
  ]);
  const { text, conditions, problem } = parseSearch(search, {
    now: call.deps.clock.now(),
    me: call.principal.user.id,
    people,
    tags: integratedErrors === null ? null : new Set(tags),
  });
  if (problem !== null) throw new AppError('invalid_search', problem);
  const whole =
    integratedErrors === null ? conditions : await withWholeReleases(call.project, integratedErrors, conditions);
  return withSearch(query, text, whole);
}
