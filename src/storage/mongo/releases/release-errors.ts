import type { ResolvedInCommit } from '../../../domain/ports/stores/release-store.ts';
import { MAX_RELEASE_ERRORS, type ReleaseError, type ReleaseErrors } from '../../../domain/releases/session.ts';
import { parseDetails } from '../../../domain/errors/status-details.ts';
import { STATUS_CODES, statusName } from '../../errors/error-status.ts';
import { COMMIT_START, commitRanges, resolvedRanges } from '../../state/resolved-ranges.ts';
import type { MongoContext } from '../engine/context.ts';
import type { Binary } from '../documents/document-keys.ts';
import type { ErrorDocument } from '../documents/error-documents.ts';
import { tagHash } from '../documents/tag-terms.ts';
import { literal } from '../search/text-filter.ts';
import { reading } from '../engine/operation-options.ts';
import { errorsByNumber } from '../errors/errors-by-number.ts';

const ROW = {
  id: 1,
  st: 1,
  into: 1,
  'first.at': 1,
  'first.release': 1,
  'last.at': 1,
  'last.release': 1,
  'last.type': 1,
  'last.title': 1,
  'last.culprit': 1,
  'last.level': 1,
  reg: 1,
  'g.first': 1,
  'g.last': 1,
  'g.reg': 1,
} as const;

type Row = Pick<ErrorDocument, '_id' | 'id' | 'st' | 'into' | 'first' | 'last' | 'reg' | 'g'>;

const RELEASES = tagHash('release');

/** Returns the errors of one or two releases; see the port. */
export async function releaseErrors(
  context: MongoContext,
  projectId: number,
  releases: readonly string[],
  environment: string | null,
): Promise<ReleaseErrors> {
  const found = await Promise.all(releases.map((release) => errorsOf(context, projectId, release, environment)));
  const rows = new Map(found.flat().map((row) => [row.id, row]));
  const countsOf = await eventsIn(
    context,
    projectId,
    [...rows.values()].map(({ _id }) => _id),
    releases,
  );
  const sums = new Map<number, number[]>();
  for (const row of rows.values()) {
    const root = row.into ?? row.id;
    const own = countsOf(row._id);
    sums.set(
      root,
      (sums.get(root) ?? releases.map(() => 0)).map((sum, index) => sum + (own[index] ?? 0)),
    );
  }
  const absent = [...sums.keys()].filter((root) => !rows.has(root));
  for (const row of await rootsOf(context, projectId, absent)) rows.set(row.id, row);
  return {
    errors: [...sums].flatMap(([root, counts]) => {
      const row = rows.get(root);
      return row === undefined ? [] : [toReleaseError(row, counts)];
    }),
    complete: found.every((of) => of.length < MAX_RELEASE_ERRORS),
  };
}

/** Reads errors with the release among their tags, the greatest numbers first. */
function errorsOf(
  { collections }: MongoContext,
  p: number,
  release: string,
  environment: string | null,
): Promise<Row[]> {
  const seenIn = environment === null ? {} : { env: environment };
  return collections.errors
    .find<Row>({ p, rel: release, ...seenIn }, reading('errors.of_release', ROW))
    .sort({ id: -1 })
    .limit(MAX_RELEASE_ERRORS)
    .toArray();
}

/** Reads roots of merged errors whose own events are in no release of the question. */
async function rootsOf(context: MongoContext, p: number, ids: readonly number[]): Promise<Row[]> {
  return ids.length === 0 ? [] : errorsByNumber<Row>(context, p, ids, 'errors.by_number', ROW);
}

/** Returns a function that gives the events of an error per release. */
async function eventsIn(
  { collections }: MongoContext,
  p: number,
  ids: readonly Binary[],
  releases: readonly string[],
): Promise<(id: Binary) => readonly number[]> {
  if (ids.length === 0) return () => [];
  const values = releases.map((release) => `t.${RELEASES}.v.${tagHash(release)}.c`);
  const found = await collections.errorTags
    .find(
      { p, _id: { $in: [...ids] } },
      reading('tags.of_release', Object.fromEntries(values.map((value) => [value, 1]))),
    )
    .toArray();
  const counts = new Map(
    found.map(({ _id, t }) => [
      _id.toString('hex'),
      releases.map((release) => t[RELEASES]?.v?.[tagHash(release)]?.c ?? 0),
    ]),
  );
  return (id) => counts.get(id.toString('hex')) ?? [];
}

/** Returns the errors that are resolved in a commit alone; see the port. */
export async function resolvedInCommit(
  { collections }: MongoContext,
  p: number,
  digits: string,
  limit: number,
): Promise<ResolvedInCommit[]> {
  const $regex = `^${literal(COMMIT_START + digits)}`;
  const found = commitRanges(digits).map(([from, until]) =>
    collections.errors
      .find<Pick<ErrorDocument, 'id' | 'det'>>(
        { p, st: STATUS_CODES.resolved, det: { $gte: from, $lt: until, $regex, $options: 'i' } },
        reading('errors.resolved_in', { id: 1, det: 1 }),
      )
      .limit(limit)
      .toArray(),
  );
  const rows = (await Promise.all(found)).flat();
  return rows.slice(0, limit).flatMap(({ id, det }) => {
    const { inCommit } = parseDetails(det ?? null) ?? {};
    return inCommit === undefined ? [] : [{ errorId: String(id), inCommit }];
  });
}

/** Returns the errors that are resolved in a release; see the port. */
export async function resolvedInRelease(
  { collections }: MongoContext,
  p: number,
  release: string,
  previous: string | null,
  limit: number,
): Promise<ReleaseErrors> {
  const found = resolvedRanges(release, previous).map(([from, until]) =>
    collections.errors
      .find<Row>(
        {
          ...{ p, st: STATUS_CODES.resolved, det: { $gte: from, $lt: until } },
          $or: [{ into: null }, { g: { $exists: true } }],
        },
        reading('errors.resolved_in', ROW),
      )
      .limit(limit + 1)
      .toArray(),
  );
  const rows = (await Promise.all(found)).flat();
  return { errors: rows.slice(0, limit).map((row) => toReleaseError(row, [])), complete: rows.length <= limit };
}

function toReleaseError(row: Row, counts: readonly number[]): ReleaseError {
  const { first, last, reg } = row.g ?? row;
  return {
    id: String(row.id),
    type: last.type,
    title: last.title,
    culprit: last.culprit,
    level: last.level,
    status: statusName(row.st),
    firstSeen: first.at,
    lastSeen: last.at,
    firstRelease: first.release,
    lastRelease: last.release,
    regressedIn: reg?.r ?? null,
    counts,
  };
}
