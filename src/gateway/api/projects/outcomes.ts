import { AppError } from '../../../domain/app-error.ts';
import type { OutcomeCount } from '../../../domain/ingest/digest.ts';
import { DAY_MS, HOUR_MS } from '../../../domain/durations.ts';
import { decodeCursorText, encodeCursorText } from '../../../lib/text/cursor-text.ts';
import { problems } from '../../http/common-schema.ts';
import { isoTime } from '../../http/iso-time.ts';
import { cursorLinks } from '../../http/page-links.ts';
import { projectRoute, type Route } from '../../http/route.ts';
import { listOutcomesSchema, outcomesSchema, type ListOutcomes } from './outcome-schema.ts';
import {
  OUTCOME_DIMENSIONS,
  sumOutcomes,
  type OutcomePlace,
  type OutcomeDimension,
  type OutcomeSum,
} from './outcome-sums.ts';

/** End of a page, and the span of its list: later pages use the same span although time passes. */
interface OutcomeCursor {
  readonly since: number;
  readonly until: number;
  readonly place: OutcomePlace;
}

/** Encodes a cursor. `query`: all parameters of the list except its span, as one text. */
function encodeOutcomeCursor({ since, until, place }: OutcomeCursor, query: string): string {
  return encodeCursorText([query, since, until, ...place]);
}

/**
 * Decodes a cursor. Throws `bad_request` for anything that `encodeOutcomeCursor` did not create for the same query and
 * number of dimensions. Throws it for spans over `maxSpanMs` too, which no list has.
 */
function decodeOutcomeCursor(text: string, query: string, dimensions: number, maxSpanMs: number): OutcomeCursor {
  const [madeFor, since, until, ...place] = decodeCursorText(text);
  const scalar = place.every((value) => typeof value === 'string' || Number.isSafeInteger(value));
  const length = Number.isSafeInteger(since) && Number.isSafeInteger(until) ? Number(until) - Number(since) : -1;
  if (typeof madeFor !== 'string' || length < 0 || length > maxSpanMs || !scalar) {
    throw new AppError('bad_request', 'cursor is not a cursor of this list');
  }
  if (madeFor !== query || place.length !== dimensions) {
    throw new AppError(
      'bad_request',
      'cursor belongs to another query: after changing the query, start without a cursor',
    );
  }
  return { since: since as number, until: until as number, place: place as (string | number)[] };
}

function presentOutcome({ place, quantity }: OutcomeSum, groupBy: readonly OutcomeDimension[]) {
  const members = groupBy.map((dimension, index) => {
    const value = place[index];
    const isTime = (dimension === 'hour' || dimension === 'day') && typeof value === 'number';
    return [dimension, isTime ? isoTime(value) : value] as const;
  });
  return { ...Object.fromEntries(members), quantity };
}

/** Maximum span of one answer in milliseconds; older outcomes are removed. */
const MAX_SPAN_MS = 90 * DAY_MS;
/** Maximum rows per page. */
const MAX_PER_PAGE = 1000;

interface Span {
  readonly since: number;
  readonly until: number;
}

/** Returns the span of a query. Counts are stored by whole hours, so it begins with the hour of `since`. */
function spanOf({ since, until }: ListOutcomes, now: number): Span {
  const end = until === undefined ? now : Date.parse(until);
  const start = since === undefined ? end - DAY_MS : Date.parse(since);
  if (start > end) throw new AppError('invalid_parameter', 'since must not be after until');
  if (end - start > MAX_SPAN_MS) throw new AppError('invalid_parameter', 'since must be at most 90 days before until');
  return { since: Math.floor(start / HOUR_MS) * HOUR_MS, until: end };
}

/** Returns the dimensions in their sort order, in any order of the request. */
function dimensionsOf(groupBy: string): OutcomeDimension[] {
  const names = groupBy.split(',').map((name) => name.trim());
  const known: readonly string[] = OUTCOME_DIMENSIONS;
  if (!names.every((name) => known.includes(name)) || (names.includes('hour') && names.includes('day'))) {
    const choice = 'hour or day, key_id, category, outcome, reason';
    throw new AppError('invalid_parameter', `group_by does not have a valid value: use some of ${choice}`);
  }
  return OUTCOME_DIMENSIONS.filter((dimension) => names.includes(dimension));
}

/**
 * Values that were dropped from kept events are no items: they count only where the answer or the filter names their
 * category or reason.
 */
function matching(
  { key_id, category, outcome, reason }: ListOutcomes,
  groupBy: readonly OutcomeDimension[],
): (count: OutcomeCount) => boolean {
  const hasValues = groupBy.includes('category') || groupBy.includes('reason') || category !== undefined;
  return (count) =>
    (hasValues || reason !== undefined || count.category !== 'value') &&
    (key_id === undefined || count.keyId === key_id) &&
    (category === undefined || count.category === category) &&
    (outcome === undefined || count.outcome === outcome) &&
    (reason === undefined || count.reason === reason);
}

export const outcomeRoutes: readonly Route[] = [
  projectRoute({
    method: 'GET',
    path: '/api/v4/projects/:id/error_tracking/outcomes',
    operationId: 'listOutcomes',
    summary:
      'Count what was accepted from SDKs and what was discarded and why, paged by the cursors of the Link header',
    action: 'read_outcomes',
    parameters: listOutcomesSchema,
    responses: { 200: { description: 'Counts, oldest first', schema: outcomesSchema }, ...problems },
    async handle(call) {
      const { deps, project, params } = call;
      const groupBy = dimensionsOf(params.group_by);
      const { key_id, category, outcome, reason, since, until } = params;
      const query = JSON.stringify([groupBy, key_id, category, outcome, reason, since, until]);
      const cursor =
        params.cursor === undefined
          ? null
          : decodeOutcomeCursor(params.cursor, query, groupBy.length, MAX_SPAN_MS + HOUR_MS);
      const span = cursor ?? spanOf(params, deps.clock.now());
      const limit = Math.min(params.per_page, MAX_PER_PAGE);
      const sums = await sumOutcomes((from, to) => deps.store.listOutcomes(project.id, from, to), {
        since: span.since,
        until: span.until,
        groupBy,
        matches: matching(params, groupBy),
        after: cursor?.place ?? null,
        limit,
      });
      const page = sums.slice(0, limit);
      const last = page.at(-1);
      const more = sums.length > limit && last !== undefined;
      const next = more ? encodeOutcomeCursor({ ...span, place: last.place }, query) : null;
      return {
        status: 200,
        headers: cursorLinks(call, { previous: null, next }, limit),
        body: {
          since: isoTime(span.since),
          until: isoTime(span.until),
          outcomes: page.map((sum) => presentOutcome(sum, groupBy)),
        },
      };
    },
  }),
];
