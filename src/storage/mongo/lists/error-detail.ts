import type { TimeRange } from '../../../domain/search/time-range.ts';
import type { TagSpread, TrackedErrorDetail } from '../../../domain/errors/tracked-error.ts';
import { chartSpan, countWithin } from '../../errors/chart-span.ts';
import { hourOf } from '../../fold.ts';
import { mergeTagSpreads } from '../../merge/merge-tag-spreads.ts';
import type { MongoContext } from '../engine/context.ts';
import { errorHoursKey, groupHashOf } from '../documents/document-keys.ts';
import type { ErrorTagsDocument } from '../documents/error-documents.ts';
import { reading } from '../engine/operation-options.ts';
import { groupOf, type GroupRow } from '../errors/error-groups.ts';
import { withMergedTotals, ERROR_ROW, toTrackedError, type ErrorRow } from '../errors/error-rows.ts';
import { originOf, shownImports } from '../errors/import-views.ts';
import { assigneesOf } from '../status/triage-views.ts';
import { chartPoints, dailyPoints, firstDayShown, importedIn, type HourCounts } from '../errors/hour-counts.ts';
import { DAY_MS } from '../../../domain/durations.ts';

export async function errorById(
  context: MongoContext,
  projectId: number,
  errorId: string,
  now: number,
  range?: TimeRange,
): Promise<TrackedErrorDetail | null> {
  const { collections } = context;
  const group = await groupOf<keyof ErrorRow>(context, projectId, errorId, { ...ERROR_ROW, g: 1 });
  if (group === null) return null;
  const { root, members, moved } = group;
  const hour = hourOf(now);
  const span = chartSpan(range, now);
  const firstDay = Math.min(firstDayShown(hour), Math.floor(span.first / 24));
  const keys = members.map(({ _id }) => _id);
  const rows = members.map((member) => ({ ...member, shownAs: root.id }));
  const [days, imports, imported, counted, assignee] = await Promise.all([
    hoursOf(context, projectId, members, firstDay, hour),
    shownImports(context, projectId, rows),
    originOf(context, projectId, members),
    collections.errorTags.find({ _id: { $in: keys }, p: projectId }, reading('tags.of_error', { t: 1 })).toArray(),
    assigneesOf(context, [root]),
  ]);
  const tags = mergeTagSpreads(counted.map(tagSpreads));
  const row = withMergedTotals(root);
  const there = imports(root.id);
  const points = chartPoints([...days, ...importedIn(there, span)], span);
  return {
    ...toTrackedError(row, points, there.externalIds, assignee(root), {
      now,
      rangeCount: countWithin(points, range, now),
    }),
    frequency30d: dailyPoints([...days, ...there.days], hour),
    tags,
    environments: valuesOf(tags, 'environment'),
    releases: valuesOf(tags, 'release'),
    merged: members.slice(1).map(({ id, last, c }) => ({ id: String(id), title: last.title, count: c })),
    mergedInto: moved ? String(root.id) : null,
    imported,
  };
}

/** Queries for hours that run at once: there is one per member. */
const PARALLEL = 50;

/** Reads the hours shown of all members, from the day `firstDay` on. Those whose last event is older have none. */
async function hoursOf(
  { collections }: MongoContext,
  projectId: number,
  members: readonly GroupRow[],
  firstDay: number,
  hour: number,
): Promise<HourCounts[]> {
  const recent = members.filter(({ last }) => last.at >= firstDay * DAY_MS);
  const days: HourCounts[] = [];
  for (let from = 0; from < recent.length; from += PARALLEL) {
    const finds = recent.slice(from, from + PARALLEL).map(({ _id }) => {
      const groupHash = groupHashOf(_id);
      const range = {
        $gte: errorHoursKey(projectId, groupHash, firstDay),
        $lte: errorHoursKey(projectId, groupHash, Math.floor(hour / 24)),
      };
      const filter = { _id: range, p: projectId };
      return collections.errorHours.find(filter, reading('hours.of_error', { d: 1, h: 1 })).toArray();
    });
    days.push(...(await Promise.all(finds)).flat());
  }
  return days;
}

/** Returns keys and values, most frequent first; equal ones by name. */
function tagSpreads({ t }: Pick<ErrorTagsDocument, 't'>): TagSpread[] {
  const spreads = Object.values(t).map(({ k, n, v }) => {
    const values = Object.values(v ?? {})
      .map((each) => ({ value: each.v, count: each.c }))
      .sort((a, b) => b.count - a.count || compareText(a.value, b.value));
    const listed = values.reduce((sum, { count }) => sum + count, 0);
    return { key: k, total: n, values, other: n - listed };
  });
  return spreads.sort((a, b) => b.total - a.total || compareText(a.key, b.key));
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function valuesOf(tags: readonly TagSpread[], key: string): string[] {
  return tags.find((tag) => tag.key === key)?.values.map(({ value }) => value) ?? [];
}
