import { AppError } from '../domain/app-error.ts';
import { withSearch } from '../domain/fold-search.ts';
import { parseSearch, searchNeeds } from '../domain/parse-search.ts';
import { withReleases } from '../domain/release-versions.ts';
import type { Project } from '../domain/project.ts';
import type { SearchCondition } from '../domain/search-condition.ts';
import { commonStart, spelledTexts, withSpellings } from '../domain/spellings.ts';
import type { IntegratedErrors } from '../domain/ports/error-backend.ts';
import type { ErrorSelection } from '../domain/tracked-error.ts';
import type { ProjectCall } from './route.ts';

type Values = Pick<IntegratedErrors, 'tagNames' | 'tagValues' | 'releaseNames' | 'filterValues'>;
type Tracked = { readonly integratedErrors: Values | null };

async function membersByName({ deps, project }: ProjectCall<unknown>): Promise<ReadonlyMap<string, number>> {
  const members = await deps.store.listMembers(project.id);
  return new Map(members.map(({ username, userId }) => [username.toLowerCase(), userId]));
}

/** Values of the tags that conditions name, by tag, with a common beginning in any case; not all there are. */
async function knownValues(
  project: Project,
  errors: Values,
  conditions: readonly SearchCondition[],
  releases: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const texts = new Map<string, string[]>();
  for (const { tag, text } of conditions.flatMap(spelledTexts)) texts.set(tag, [...(texts.get(tag) ?? []), text]);
  const values = async (tag: string, start: string): Promise<readonly string[]> => {
    if (tag === 'release') return releases;
    if (tag === 'environment') return (await errors.filterValues(project)).environments;
    return errors.tagValues(project, tag, start, false);
  };
  const read = [...texts].map(async ([tag, of]) => {
    return [tag, await values(tag, commonStart(of))] as const;
  });
  return new Map(await Promise.all(read));
}

/**
 * Replaces versions by the releases of all packages that have them, and adds the other spellings of values, so that
 * case does not matter.
 */
async function withKnownValues(
  project: Project,
  errors: Values,
  conditions: readonly SearchCondition[],
): Promise<readonly SearchCondition[]> {
  const tags = new Set(conditions.flatMap(spelledTexts).map(({ tag }) => tag));
  if (tags.size === 0) return conditions;
  const releases = tags.has('release') ? await errors.releaseNames(project) : [];
  const whole = conditions.map((condition) => withReleases(condition, releases));
  const known = await knownValues(project, errors, whole, releases);
  return whole.map((condition) => withSpellings(condition, known));
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
  const whole =
    integratedErrors === null ? conditions : await withKnownValues(call.project, integratedErrors, conditions);
  return { query: { ...withSearch(query, text, whole), asked: query }, hint };
}

/** Like `readSearch`, for answers without a place for hints. */
export async function withSearchOf<Q extends ErrorSelection>(
  call: ProjectCall<unknown>,
  tracked: Tracked,
  query: Q,
): Promise<Q> {
  return (await readSearch(call, tracked, query)).query;
}
