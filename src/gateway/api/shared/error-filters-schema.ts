export const statusValues = ['unresolved', 'resolved', 'ignored'] as const;
export const sortValues = ['last_seen', 'first_seen', 'frequency', 'users', 'matters'] as const;
/** Names of filters that a backend may have. */
export const filterValues = [
  ...(['search', 'status', 'environment', 'release', 'level'] as const),
  ...(['first_seen_after', 'first_seen_before', 'last_seen_after', 'last_seen_before'] as const),
  ...(['range', 'for_review', 'conditions'] as const),
] as const;
/** Keys of conditions in a search. */
export const searchKeyValues = [
  ...(['is', 'level', 'environment', 'release', 'user', 'file', 'function', 'type', 'url.host', 'url.path'] as const),
  ...(['assigned', 'first-seen', 'last-seen', 'tag', 'has'] as const),
] as const;
export const rangeValues = ['1h', '24h', '7d', '14d', '30d'] as const;
export const levelValues = ['fatal', 'error', 'warning', 'info', 'debug'] as const;

export const perPage = {
  type: 'integer',
  minimum: 1,
  default: 20,
  description: 'Entries per page; values above 100 count as 100',
} as const;

/** Cursors are opaque; longer ones are invalid. */
export const cursor = {
  type: 'string',
  maxLength: 1024,
  description: 'Cursor from the Link header of an earlier response to the same query',
} as const;

const text = (description: string, maxLength = 200) => ({ type: 'string', maxLength, description }) as const;

const instant = (description: string) => ({ type: 'string', format: 'date-time', description }) as const;

export const range = {
  type: 'string',
  enum: rangeValues,
  description:
    'Time until now that range_count and frequency are about: buckets of one hour for 1h and 24h (25), six hours for 7d (29), twelve hours for 14d (29), a day for 30d (31). Events are counted by the hour: the hour in which a range begins counts as a whole, and is the first bucket alone',
} as const;

/** Filters of a list of errors. */
export const errorFilters = {
  status: {
    type: 'string',
    enum: [...statusValues, 'all'],
    default: 'unresolved',
    description: 'State of the errors',
  },
  search: text(
    'Conditions such as is:regressed level:fatal release:1.4.2 !user:bot (see search_keys), and words that must occur in title, message, type or culprit. In an integrated project also an id or short id of a former tracker, or an event id. A status in it replaces the parameter status',
    500,
  ),
  environment: text('Only errors seen in this environment'),
  release: text('Only errors seen in this release'),
  level: { type: 'string', enum: levelValues, description: 'Only errors of this level' },
  first_seen_after: instant('Only errors first seen at this time or later'),
  first_seen_before: instant('Only errors first seen at this time or earlier'),
  last_seen_after: instant('Only errors last seen at this time or later'),
  last_seen_before: instant('Only errors last seen at this time or earlier'),
  range: { ...range, description: `Only errors seen within this time. ${range.description}` },
  for_review: {
    type: 'boolean',
    description: 'True: only errors that became new, regressed or escalating, and that no member has reviewed since',
  },
} as const;
