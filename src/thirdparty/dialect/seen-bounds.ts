import type { SeenBounds, SeenFilter } from '../../domain/search/error-query.ts';

/** How a tracker takes bounds of times: words of its query, or the parameters `start` and `end` for the first event. */
export type BoundsPlace = 'query' | 'parameters';

const FILTERS: Readonly<Record<keyof SeenBounds, SeenFilter>> = {
  firstSeenAfter: 'first_seen_after',
  firstSeenBefore: 'first_seen_before',
  lastSeenAfter: 'last_seen_after',
  lastSeenBefore: 'last_seen_before',
};

const NAMES = Object.keys(FILTERS) as readonly (keyof SeenBounds)[];

const WORDS: Readonly<Record<keyof SeenBounds, string>> = {
  firstSeenAfter: 'firstSeen:>=',
  firstSeenBefore: 'firstSeen:<=',
  lastSeenAfter: 'lastSeen:>=',
  lastSeenBefore: 'lastSeen:<=',
};

const PARAMETERS: Readonly<Partial<Record<keyof SeenBounds, string>>> = {
  firstSeenAfter: 'start',
  firstSeenBefore: 'end',
};

/** Returns a bound in ISO 8601. Trackers keep microseconds, of which errgate shows none: those of the upper bound count. */
function timeOf(name: keyof SeenBounds, at: number): string {
  const text = new Date(at).toISOString();
  return name.endsWith('Before') ? text.replace('Z', '999Z') : text;
}

function given(bounds: SeenBounds): (readonly [keyof SeenBounds, string])[] {
  return NAMES.flatMap((name) => {
    const at = bounds[name];
    return at === undefined ? [] : [[name, timeOf(name, at)] as const];
  });
}

/** Filters by time of a tracker; null: it has none. */
export function seenFilters(place: BoundsPlace | null): SeenFilter[] {
  if (place === null) return [];
  return NAMES.filter((name) => place === 'query' || name in PARAMETERS).map((name) => FILTERS[name]);
}

/** Returns a bound that a tracker cannot filter by; null: it can filter by all of them. */
export function missingBound(bounds: SeenBounds, place: BoundsPlace | null): SeenFilter | null {
  const known = seenFilters(place);
  return (
    NAMES.map((name) => (bounds[name] === undefined ? null : FILTERS[name])).find(
      (filter) => filter !== null && !known.includes(filter),
    ) ?? null
  );
}

/** Words of the query. */
export function boundWords(bounds: SeenBounds): string[] {
  return given(bounds).map(([name, time]) => WORDS[name] + time);
}

/** Parameters beside the query. */
export function boundParameters(bounds: SeenBounds): [string, string][] {
  return given(bounds).flatMap(([name, time]): [string, string][] => {
    const parameter = PARAMETERS[name];
    return parameter === undefined ? [] : [[parameter, time]];
  });
}
