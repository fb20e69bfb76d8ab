import type { ErrorNote, ExternalId, ImportedOrigin } from '../../../domain/imports/import.ts';
import type { FoundError } from '../../../domain/ports/stores/import-store.ts';
import { isAtLeast } from '../../imports/imported-base.ts';
import { IMPORTED_GROUPING_VERSION } from '../../imports/imported-group-hash.ts';
import type { MongoContext } from '../engine/context.ts';
import { groupHashOf, type Binary } from '../documents/document-keys.ts';
import type { ErrorDocument } from '../documents/error-documents.ts';
import { errorNoteRange, type Buckets, type ImportedErrorDocument } from '../documents/import-documents.ts';
import { importedMembers } from './imported-rows.ts';
import { reading } from '../engine/operation-options.ts';
import { groupOf, type GroupRow } from './error-groups.ts';
import type { HourCounts } from './hour-counts.ts';
import { MAX_FOUND_BY_FORMER_ID, MAX_IMPORTED_NOTES } from '../../limits.ts';

/**
 * Finds errors by a former id in any case, a merged one by its root. Reads all errors with the id, some per tracker:
 * merged ones count once.
 */
export async function findByExternalId(
  { collections }: MongoContext,
  projectId: number | null,
  value: string,
): Promise<FoundError[]> {
  const xl = value.toLowerCase();
  const names = await (
    projectId === null
      ? collections.importedErrors.find({ xl }, reading('imported_errors.by_former_id', { p: 1 }))
      : collections.importedErrors.find({ xl, p: projectId }, reading('imported_errors.in_project', { p: 1 }))
  ).toArray();
  if (names.length === 0) return [];
  const projects = [...new Set(names.map(({ p }) => p))];
  const [rows, known] = await Promise.all([
    collections.errors
      .find<Pick<ErrorDocument, 'p' | 'id' | 'into'>>(
        { _id: { $in: names.map(({ _id }) => _id) }, p: { $in: projects } },
        reading('errors.of_former_id', { p: 1, id: 1, into: 1 }),
      )
      .toArray(),
    collections.projects.find({ _id: { $in: projects } }, reading('projects.of_former_id', { _id: 1 })).toArray(),
  ]);
  const there = new Set(known.map(({ _id }) => _id));
  const found = new Map(
    rows
      .filter(({ p }) => there.has(p))
      .map(({ p, id, into }) => ({ p, id: into ?? id }))
      .sort((a, b) => a.p - b.p || a.id - b.id)
      .map(({ p, id }) => [`${p} ${id}`, { projectId: p, errorId: String(id) }]),
  );
  return [...found.values()].slice(0, MAX_FOUND_BY_FORMER_ID);
}

/** What displayed errors show of their tracker. */
export interface ShownImports {
  readonly externalIds: readonly ExternalId[];
  /** Events per hour, and per day, there. */
  readonly hours: readonly HourCounts[];
  readonly days: readonly HourCounts[];
}

const NOTHING: ShownImports = { externalIds: [], hours: [], days: [] };

/**
 * Returns what errors show of their tracker, by the number of the displayed one. `rows`: rows with the number of the
 * displayed error, which is their root. Free without imported ones.
 */
export async function shownImports(
  { collections }: MongoContext,
  p: number | { readonly $in: number[] },
  rows: readonly { readonly _id: Binary; readonly id: number; readonly v: number; readonly shownAs: number }[],
): Promise<(id: number) => ShownImports> {
  const imported = rows.filter(({ v }) => v === IMPORTED_GROUPING_VERSION).sort((a, b) => a.id - b.id);
  if (imported.length === 0) return () => NOTHING;
  const found = await collections.importedErrors
    .find<Pick<ImportedErrorDocument, '_id' | 'x' | 'hr' | 'dy'>>(
      { _id: { $in: imported.map(({ _id }) => _id) }, p },
      reading('imported_errors.of_page', { x: 1, hr: 1, dy: 1 }),
    )
    .toArray();
  const byKey = new Map(found.map((row) => [row._id.toString('hex'), row]));
  const shown = new Map<number, ShownImports>();
  for (const { _id, shownAs } of imported) {
    const row = byKey.get(_id.toString('hex'));
    if (row === undefined) continue;
    const { externalIds, hours, days } = shown.get(shownAs) ?? NOTHING;
    shown.set(shownAs, {
      externalIds: [...externalIds, ...toExternalIds(row.x)],
      hours: [...hours, ...toHourCounts(row.hr, 1)],
      days: [...days, ...toHourCounts(row.dy, 24)],
    });
  }
  return (id) => shown.get(id) ?? NOTHING;
}

/** Returns buckets in the form of the errors' hours; a day's events at its first hour. */
function toHourCounts(buckets: Buckets = {}, width: number): HourCounts[] {
  return Object.entries(buckets).map(([at, count]) => {
    const hour = Number(at) * width;
    return { d: Math.floor(hour / 24), h: { [String(hour % 24)]: count } };
  });
}

function toExternalIds(names: ImportedErrorDocument['x']): ExternalId[] {
  const text = ({ kind, value }: ExternalId): string => `${kind} ${value.toLowerCase()}`;
  return names.map(({ k, v }) => ({ kind: k, value: v })).sort((a, b) => (text(a) < text(b) ? -1 : 1));
}

export async function importedOrigin(
  context: MongoContext,
  p: number,
  errorId: string,
): Promise<ImportedOrigin | null> {
  const group = await groupOf(context, p, errorId);
  return group === null ? null : originOf(context, p, group.members);
}

type Counted = Pick<ErrorDocument, '_id' | 'id' | 'st' | 'kb' | 'imp' | 'v'>;

/** Returns the origin of an error with the given rows; null when none of them was imported. */
export async function originOf(
  context: MongoContext,
  p: number,
  members: readonly GroupRow[],
): Promise<ImportedOrigin | null> {
  const { collections } = context;
  const imported = importedMembers(members);
  const [first] = imported;
  if (first === undefined) return null;
  const ofMembers = { _id: { $in: members.map(({ _id }) => _id) }, p };
  const [rows, counted, notes] = await Promise.all([
    collections.importedErrors.find(ofMembers, reading('imported_errors.of_error')).toArray(),
    collections.errors
      .find<Counted>(ofMembers, reading('errors.of_origin', { id: 1, st: 1, kb: 1, imp: 1, v: 1 }))
      .toArray(),
    notesOf(context, p, imported),
  ]);
  const byKey = new Map(rows.map((row) => [row._id.toString('hex'), row]));
  const row = byKey.get(first._id.toString('hex'));
  const bases = counted.filter(({ v }) => v === IMPORTED_GROUPING_VERSION).sort((a, b) => a.id - b.id);
  const source =
    row === undefined
      ? null
      : await collections.importSources.findOne({ _id: row.s }, reading('import_sources.by_id', { kind: 1 }));
  const [base] = bases;
  if (row === undefined || source === null || base === undefined) return null;
  const knownBoth = counted.reduce((sum, { kb = 0 }) => sum + kb, 0);
  const users = bases.map(({ imp }) => imp?.bu ?? null).filter((each) => each !== null);
  return {
    kind: source.kind,
    externalIds: imported.flatMap(({ _id }) => toExternalIds(byKey.get(_id.toString('hex'))?.x ?? [])),
    externalUrl: row.url,
    baseCount: bases.reduce((sum, { imp }) => sum + (imp?.b ?? 0), 0),
    baseUsers: users.length === 0 ? null : Math.max(...users),
    baseAt: base.imp?.at ?? null,
    atLeast: bases.some(({ imp }) => isAtLeast({ trackerCount: imp?.tc ?? null }, imp?.ka ?? null, knownBoth)),
    statusDetails: base.st === row.st ? row.det : null,
    assignee: row.as,
    notes,
  };
}

/** Returns the newest notes, oldest first. */
export async function notesOf(
  { collections }: MongoContext,
  p: number,
  imported: readonly GroupRow[],
): Promise<ErrorNote[]> {
  const found = await Promise.all(
    imported.map(({ _id }) =>
      collections.errorNotes
        .find({ _id: errorNoteRange(p, groupHashOf(_id)), p }, reading('error_notes.list'))
        .toArray(),
    ),
  );
  return found
    .flat()
    .sort((a, b) => a.at - b.at || (a.x < b.x ? -1 : 1))
    .slice(-MAX_IMPORTED_NOTES)
    .map(({ x, a, at, m }) => ({ externalId: x, author: a, at, text: m }));
}
