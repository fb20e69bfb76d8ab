import type { TagSpread, TrackedErrorDetail } from '../../../domain/tracked-error.ts';
import { hourOf } from '../../fold.ts';
import { mergeTagSpreads } from '../../merge/merge-tag-spreads.ts';
import type { MongoContext } from '../context.ts';
import { errorHoursKey, leafOf, type ErrorTagsDocument } from '../documents.ts';
import { reading } from '../operation-options.ts';
import { groupOf } from './error-groups.ts';
import { asShown, ERROR_ROW, toTrackedError, type ErrorRow } from './error-rows.ts';
import { dailyPoints, firstDayShown, hourlyPoints } from './hour-counts.ts';

export async function errorById(
  context: MongoContext,
  projectId: number,
  errorId: string,
  now: number,
): Promise<TrackedErrorDetail | null> {
  const { collections } = context;
  const group = await groupOf<keyof ErrorRow>(context, projectId, errorId, { ...ERROR_ROW, g: 1 });
  if (group === null) return null;
  const { root, members, moved } = group;
  const hour = hourOf(now);
  const ranges = members.map(({ _id }) => ({
    _id: {
      $gte: errorHoursKey(projectId, leafOf(_id), firstDayShown(hour)),
      $lte: errorHoursKey(projectId, leafOf(_id), Math.floor(hour / 24)),
    },
    p: projectId,
  }));
  const keys = members.map(({ _id }) => _id);
  const [days, counted] = await Promise.all([
    Promise.all(
      ranges.map((range) => collections.errorHours.find(range, reading('hours.of_error', { d: 1, h: 1 })).toArray()),
    ),
    collections.errorTags.find({ _id: { $in: keys }, p: projectId }, reading('tags.of_error', { t: 1 })).toArray(),
  ]);
  const tags = mergeTagSpreads(counted.map(tagSpreads));
  const row = asShown(root);
  return {
    ...toTrackedError(row, hourlyPoints(days.flat(), hour)),
    frequency30d: dailyPoints(days.flat(), hour),
    tags,
    environments: valuesOf(tags, 'environment'),
    releases: valuesOf(tags, 'release'),
    merged: members.slice(1).map(({ id, last, c }) => ({ id: String(id), title: last.title, count: c })),
    mergedInto: moved ? String(root.id) : null,
  };
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
