import type { GroupHash } from '../../../domain/ingest/digest.ts';
import type { ImportedOrigin } from '../../../domain/errors/error-origin.ts';
import type {
  ExportBounds,
  ExportedActivity,
  ExportedError,
  ExportedGroupHash,
  ExportedRelease,
  ExportedReport,
  ExportSource,
} from '../../../domain/ports/export-source.ts';
import { parseDetails } from '../../../domain/errors/status-details.ts';
import type { FrequencyPoint } from '../../../domain/errors/tracked-error.ts';
import { readAhead } from '../../../lib/read-ahead.ts';
import { statusName } from '../../errors/error-status.ts';
import { continuations } from '../../records/kinds/grouping-kinds.ts';
import { storedMarks } from '../updates/marks.ts';
import { byId } from '../engine/batch-collections.ts';
import type { MongoContext } from '../engine/context.ts';
import { eventIdOf, eventKey, groupHashOf, hexBinary } from '../documents/document-keys.ts';
import type { ErrorDocument } from '../documents/error-documents.ts';
import { textsIn } from '../documents/error-members.ts';
import { recordKey } from '../documents/record-documents.ts';
import { exportEvents } from './export-events.ts';
import { hoursOf, inOrder, toPoints } from './export-hours.ts';
import { long, paged, type Start, within } from './export-reading.ts';
import { reading } from '../engine/operation-options.ts';
import { ErrorNumbers } from './error-numbers.ts';
import { errorsWithPeople, loginsOf, peopleOfErrors, type PeopleOfError } from './people-of-errors.ts';
import { originOf, shownImports, type ShownImports } from '../errors/import-views.ts';
import { listProjects } from '../projects/project-views.ts';

const ERRORS_PAGE = 100;

/**
 * Opens a store for an export of the errors and events that it has now. Events that come meanwhile are left out; counts
 * of errors may include them. Closes the context's connection at its end.
 */
export async function openMongoExport(context: MongoContext): Promise<ExportSource> {
  const counter = await context.collections.counters.findOne({ _id: 'errors' }, reading('export.counter'));
  const start: Start = {
    at: context.now(),
    lastError: counter?.next ?? 0,
    projectIds: (await listProjects(context)).map(({ id }) => id),
  };
  return {
    errors: (bounds) => errors(context, start, bounds),
    events: (bounds) => exportEvents(context, start, bounds),
    activity: (bounds) => activity(context, start, bounds),
    releases: (bounds) => releases(context, start, bounds),
    reports: (bounds) => reports(context, start, bounds),
    close: () => context.connection.close(),
  };
}

async function* errors(context: MongoContext, start: Start, bounds: ExportBounds): AsyncGenerator<ExportedError[]> {
  for (const p of within(start, bounds)) {
    const found = context.collections.errors
      .find({ p, id: { $lte: start.lastError } }, long('export.errors'))
      .sort({ id: 1 })
      .batchSize(ERRORS_PAGE);
    const having = await errorsWithPeople(context, p);
    for await (const page of readAhead(paged(found, ERRORS_PAGE))) {
      const shown = page.filter((row) => bounds.since === null || lastOf(row) >= bounds.since);
      const [hours, hashes] = await Promise.all([
        hoursOf(context, p, shown, start.at),
        groupHashesOf(context, p, shown),
      ]);
      const bases = await shownImports(context, p, shown.map((row) => ({ ...row, shownAs: row.id }))); // prettier-ignore
      const people = await peopleOfErrors(context, p, shown, having);
      const origins = await Promise.all(shown.map((row) => originOf(context, p, [row])));
      yield shown.map((row, at) => {
        const groupHash = groupHashOf(row._id);
        return toError(
          row,
          hours.get(groupHash) ?? [],
          hashes.get(groupHash) ?? [],
          bases(row.id),
          origins[at] ?? null,
          people[at] ?? { assignee: null, ownNotes: [], linkedIssues: [] },
        );
      });
    }
  }
}

async function* activity(
  context: MongoContext,
  start: Start,
  bounds: ExportBounds,
): AsyncGenerator<ExportedActivity[]> {
  for (const p of within(start, bounds)) {
    const found = context.collections.errors
      .find(
        { p, id: { $lte: start.lastError } },
        long('export.activity', { id: 1, log: 1, 'last.at': 1, 'g.last.at': 1 }),
      )
      .sort({ id: 1 })
      .batchSize(ERRORS_PAGE);
    for await (const page of paged(found, ERRORS_PAGE)) {
      const shown = page.filter((row) => bounds.since === null || lastOf(row) >= bounds.since);
      const entries = shown.flatMap(({ id, log = [] }) => log.map((entry) => ({ id, entry })));
      const ids = entries.flatMap(({ entry: { u, d } }) => [u, d.assigneeId ?? null]);
      const names = await loginsOf(context, ids);
      yield entries.map(({ id, entry: { at, k, u, d } }) => ({
        projectId: p,
        errorId: String(id),
        entry: { at, kind: k, userId: u, details: d },
        user: names.get(u) ?? null,
        assignee: names.get(d.assigneeId ?? null) ?? null,
      }));
    }
  }
}

function lastOf({ last, g }: Pick<ErrorDocument, 'last' | 'g'>): number {
  return Math.max(last.at, g?.last.at ?? 0);
}

/** Returns the group hashes that lead to errors, the own one first, by the errors' own ones. */
async function groupHashesOf(
  { collections }: MongoContext,
  p: number,
  rows: readonly ErrorDocument[],
): Promise<ReadonlyMap<string, ExportedGroupHash[]>> {
  const found = new Map<string, GroupHash[]>();
  for (const { _id, v } of rows) found.set(groupHashOf(_id), [{ groupHash: groupHashOf(_id), groupingVersion: v }]);
  const ofThem = { p, l: { $in: [...found.keys()].map(hexBinary) } };
  const aliases = await collections.groupAliases
    .find(ofThem, reading('export.aliases', { l: 1, v: 1, end: 1 }))
    .toArray();
  const active = aliases.filter(({ end }) => end === null).sort((a, b) => byId(a._id, b._id));
  for (const { _id, l, v } of active) {
    found.get(l.toString('hex'))?.push({ groupHash: groupHashOf(_id), groupingVersion: v });
  }
  const keys = [...found.values()].flat().map(({ groupHash }) => recordKey(continuations, { projectId: p, groupHash }));
  const continued = await collections.continuations
    .find({ _id: { $in: keys } }, reading('export.continuations', { groupHash: 1, mappedHash: 1 }))
    .toArray();
  const mapped = new Map(continued.map(({ groupHash, mappedHash }) => [groupHash, mappedHash as string]));
  const withContinuation = (each: GroupHash): ExportedGroupHash => {
    const continuedBy = mapped.get(each.groupHash);
    return continuedBy === undefined ? each : { ...each, continuedBy };
  };
  return new Map([...found].map(([groupHash, hashes]) => [groupHash, hashes.map(withContinuation)]));
}

function toError(
  row: ErrorDocument,
  hours: FrequencyPoint[],
  groupHashes: readonly ExportedGroupHash[],
  base: Pick<ShownImports, 'hours' | 'days'>,
  origin: ImportedOrigin | null,
  people: PeopleOfError,
): ExportedError {
  const { first, last } = row;
  return {
    id: String(row.id),
    projectId: row.p,
    groupHashes,
    status: statusName(row.st),
    resolvedAt: row.res,
    details: parseDetails(row.det ?? null),
    ...people,
    marks: storedMarks(row),
    mergedInto: row.into === null ? null : String(row.into),
    count: row.c,
    userCount: row.u,
    firstSeen: first.at,
    lastSeen: last.at,
    firstRelease: first.release,
    lastRelease: last.release,
    ...textsIn(last),
    hours: inOrder(hours),
    baseHours: inOrder(base.hours.flatMap(toPoints)),
    baseDays: inOrder(base.days.flatMap(toPoints)),
    origin,
  };
}

async function* releases(context: MongoContext, start: Start, bounds: ExportBounds): AsyncGenerator<ExportedRelease[]> {
  for (const p of within(start, bounds)) {
    const found = context.collections.releases
      .find({ p, e: '' }, long('export.releases', { r: 1, first: 1, last: 1 }))
      .sort({ first: -1, _id: -1 });
    for await (const page of paged(found, ERRORS_PAGE)) {
      yield page
        .filter(({ r, last }) => r !== '' && (bounds.since === null || last >= bounds.since))
        .map(({ r, first, last }) => ({ projectId: p, release: r, firstSeen: first, lastSeen: last }));
    }
  }
}

async function* reports(context: MongoContext, start: Start, bounds: ExportBounds): AsyncGenerator<ExportedReport[]> {
  const { collections } = context;
  const from = bounds.since ?? 0;
  const numbers = new ErrorNumbers(context);
  for (const p of within(start, bounds)) {
    // By the primary key, which begins with the project.
    const ofProject = { $gte: eventKey(p, '0'.repeat(32)), $lte: eventKey(p, 'f'.repeat(32)) };
    const found = collections.eventReports
      .find({ _id: ofProject, p, rcv: { $gte: from } }, long('export.reports', { r: 1 }))
      .sort({ _id: 1 })
      .batchSize(ERRORS_PAGE);
    for await (const page of paged(found, ERRORS_PAGE)) {
      const filter = { _id: { $in: page.map(({ _id }) => _id) }, p };
      const events = await collections.events.find(filter, reading('export.reported', { p: 1, l: 1, d: 1 })).toArray();
      const stored = events.filter(({ d }) => d !== undefined);
      await numbers.load(stored);
      const errorIds = new Map(stored.map((event) => [event._id.toString('hex'), numbers.of(event)]));
      yield page.flatMap(({ _id, r }) =>
        Object.entries(r)
          .filter(([, { receivedAt }]) => receivedAt >= from && receivedAt <= start.at)
          .map(([id, report]) => ({
            projectId: p,
            eventId: eventIdOf(_id),
            errorId: errorIds.get(_id.toString('hex')) ?? null,
            report: { ...report, id },
          })),
      );
    }
  }
}
