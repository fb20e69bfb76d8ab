import type { TimeRange } from '../../../domain/search/time-range.ts';
import type { TrackedError } from '../../../domain/errors/tracked-error.ts';
import { chartSpan, countWithin } from '../../errors/chart-span.ts';
import type { MongoContext } from '../engine/context.ts';
import { errorHoursKey, groupHashOf, projectIdOf } from '../documents/document-keys.ts';
import { reading } from '../engine/operation-options.ts';
import { membersOf } from '../errors/error-groups.ts';
import { toTrackedError, type ErrorRow } from '../errors/error-rows.ts';
import { chartPoints, importedIn, type HourCounts } from '../errors/hour-counts.ts';
import { shownImports } from '../errors/import-views.ts';
import { assigneesOf } from '../status/triage-views.ts';

/**
 * Returns the items of a page's rows, of one project or several, with the charts of a range and names in a former
 * tracker: one query each for all errors of the page.
 */
export async function itemsOf(
  context: MongoContext,
  rows: readonly ErrorRow[],
  range: TimeRange | undefined,
  now: number,
): Promise<(row: ErrorRow) => TrackedError> {
  const p = oneOrMore(rows);
  const merged = rows.filter(({ g }) => g !== undefined).map(({ id }) => id);
  const members = merged.length === 0 ? [] : await membersOf(context, p, merged);
  const shownAs = new Map(
    [...rows.map(({ _id, id }) => ({ _id, into: id })), ...members].map(({ _id, into }) => [groupHashOf(_id), into]),
  );
  const span = chartSpan(range, now);
  const [first, last] = [Math.floor(span.first / 24), Math.floor(span.last / 24)];
  const days = Array.from({ length: last - first + 1 }, (_, day) => first + day);
  const keys = [...rows, ...members].flatMap(({ _id }) =>
    days.map((day) => errorHoursKey(projectIdOf(_id), groupHashOf(_id), day)),
  );
  const [found, imports, assignee] = await Promise.all([
    keys.length === 0
      ? []
      : context.collections.errorHours
          .find({ _id: { $in: keys }, p }, reading('hours.of_page', { d: 1, h: 1 }))
          .batchSize(keys.length)
          .toArray(),
    shownImports(context, p, [
      ...rows.filter(({ g }) => g === undefined).map((row) => ({ ...row, shownAs: row.id })),
      ...members.map((row) => ({ ...row, shownAs: row.into ?? 0 })),
    ]),
    assigneesOf(context, rows),
  ]);
  const counted = new Map<number, HourCounts[]>();
  for (const document of found) {
    const shown = shownAs.get(groupHashOf(document._id)) ?? 0;
    counted.set(shown, [...(counted.get(shown) ?? []), document]);
  }
  return (row) => {
    const there = imports(row.id);
    const points = chartPoints([...(counted.get(row.id) ?? []), ...importedIn(there, span)], span);
    const rangeCount = countWithin(points, range, now);
    return toTrackedError(row, points, there.externalIds, assignee(row), { now, rangeCount });
  };
}

/** Returns the filter of the projects of rows. */
function oneOrMore(rows: readonly Pick<ErrorRow, 'p'>[]): number | { readonly $in: number[] } {
  const projects = [...new Set(rows.map(({ p }) => p))];
  const [only] = projects;
  return only !== undefined && projects.length === 1 ? only : { $in: projects };
}
