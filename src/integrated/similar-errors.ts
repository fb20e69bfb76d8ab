import type { NormalisedEvent } from '../domain/events/event.ts';
import type { ErrorStore } from '../domain/ports/stores/error-store.ts';
import type { SearchCondition } from '../domain/search/search-condition.ts';
import { MAX_SIMILAR, SIMILARITIES, type SimilarError, type Similarity } from '../domain/errors/similar-error.ts';
import type { TrackedError } from '../domain/errors/tracked-error.ts';
import type { ErrorQuery } from '../domain/search/error-query.ts';
import { shownFrames } from './digest/shown-stack.ts';

/** Errors read for each thing in common. */
const READ = 25;
/** Innermost functions of the application that are compared. */
const MAX_FUNCTIONS = 3;

/** Weight of each thing in common, for the order. */
const WEIGHTS: Readonly<Record<Similarity, number>> = { type: 1, culprit: 2, functions: 3 };

const EVERYTHING: Omit<ErrorQuery, 'search'> = {
  ...{ status: 'all', sort: 'last_seen', environment: null, release: null, level: null, cursor: null },
  limit: READ,
};

/** Names that say nothing about the cause. */
const COMMON_NAMES = new Set(['', '?', '<anonymous>', 'anonymous', '<module>', 'main', 'run', 'call', 'apply', 'then']);

/** Returns the innermost functions of the application in the shown stack, at most MAX_FUNCTIONS. */
function functionsOf(event: NormalisedEvent): string[] {
  const names = shownFrames(event).flatMap(({ in_app, function: name }) =>
    in_app && name !== null && !COMMON_NAMES.has(name.toLowerCase()) ? [name] : [],
  );
  return [...new Set(names.reverse())].slice(0, MAX_FUNCTIONS);
}

/**
 * Returns errors with the same type, culprit or functions as an error, those with most in common first, then the one
 * seen last. Reads at most 25 errors for each.
 */
export async function similarErrors(
  store: Pick<ErrorStore, 'listErrors' | 'latestEvent'>,
  now: number,
  error: TrackedError,
): Promise<SimilarError[]> {
  const { projectId, type, culprit } = error;
  const list = async (search: string | null, conditions: readonly SearchCondition[]) =>
    (await store.listErrors(projectId, { ...EVERYTHING, search, conditions }, now)).items;

  const latest = await store.latestEvent(projectId, error.id);
  const functions = latest === null ? [] : functionsOf(latest.event as NormalisedEvent);
  const [ofType, ofCulprit, ...ofFunctions] = await Promise.all([
    type === null ? [] : list(null, [{ not: false, field: 'type', value: type }]),
    culprit === null ? [] : list(culprit, []),
    ...functions.map((name) => list(null, [{ not: false, field: 'function', value: name }])),
  ]);
  const shared = new Map<string, number>();
  for (const { id } of ofFunctions.flat()) shared.set(id, (shared.get(id) ?? 0) + 1);
  const needed = Math.min(2, functions.length);

  const reasonsOf = (other: TrackedError): Similarity[] => {
    const has: Readonly<Record<Similarity, boolean>> = {
      type: type !== null && other.type === type,
      culprit: culprit !== null && other.culprit === culprit,
      functions: needed > 0 && (shared.get(other.id) ?? 0) >= needed,
    };
    return SIMILARITIES.filter((reason) => has[reason]);
  };
  const others = new Map([...ofType, ...ofCulprit, ...ofFunctions.flat()].map((other) => [other.id, other]));
  others.delete(error.id);
  const weight = ({ reasons }: SimilarError) => reasons.reduce((sum, reason) => sum + WEIGHTS[reason], 0);
  return [...others.values()]
    .map((other) => ({ error: other, reasons: reasonsOf(other) }))
    .filter(({ reasons }) => reasons.length > 0)
    .sort((a, b) => weight(b) - weight(a) || b.error.lastSeen - a.error.lastSeen)
    .slice(0, MAX_SIMILAR);
}
