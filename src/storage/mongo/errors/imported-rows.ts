import { AppError } from '../../../domain/app-error.ts';
import { IMPORTED_GROUPING_VERSION } from '../../imports/imported-group-hash.ts';
import type { MongoContext } from '../engine/context.ts';
import { groupHashOf, hexBinary } from '../documents/document-keys.ts';
import type { ErrorDocument } from '../documents/error-documents.ts';
import { reading } from '../engine/operation-options.ts';
import { groupOf, type ErrorGroup, type GroupRow } from './error-groups.ts';
import { parseErrorId } from '../../errors/error-id.ts';

const IMPORTED = { p: 1, id: 1, v: 1, c: 1, into: 1, imp: 1 } as const;

export type ImportedRow = Pick<ErrorDocument, '_id' | keyof typeof IMPORTED>;

export interface Imported {
  /** Row of the error itself, also when it was merged into another one. */
  readonly row: ImportedRow;
  readonly group: ErrorGroup<unknown>;
}

/** Returns an imported error of the project; throws `not_found` when there is none. */
export async function requireImported(context: MongoContext, p: number, errorId: string): Promise<Imported> {
  const id = parseErrorId(errorId);
  const row =
    id === null
      ? null
      : await context.collections.errors.findOne<ImportedRow>({ p, id }, reading('errors.by_number', IMPORTED));
  const group = row === null ? null : await groupOf(context, p, errorId);
  if (row === null || row.v !== IMPORTED_GROUPING_VERSION || group === null) {
    throw new AppError('not_found', `the project has no imported error ${errorId}`);
  }
  return { row, group };
}

/** Returns the members of a group that were imported, by number. */
export function importedMembers(members: readonly GroupRow[]): GroupRow[] {
  return members.filter(({ v }) => v === IMPORTED_GROUPING_VERSION).sort((a, b) => a.id - b.id);
}

/**
 * Returns the number of own events of an imported error that its tracker has. Own members of its group count for the
 * group's first imported error, so that each event is subtracted once.
 */
export async function knownThereOf(
  { collections }: MongoContext,
  p: number,
  { row, group: { members } }: Imported,
): Promise<number> {
  const [first] = importedMembers(members);
  const counted =
    first === undefined || first.id === row.id
      ? members.filter(({ id, v }) => id === row.id || v !== IMPORTED_GROUPING_VERSION)
      : members.filter(({ id }) => id === row.id);
  const ids = counted.map(({ _id }) => _id);
  const l = { $in: ids.map((_id) => hexBinary(groupHashOf(_id))) };
  const read = () =>
    collections.errors.find<CountedRow>({ _id: { $in: ids }, p }, reading('errors.known_there', COUNTED)).toArray();
  let rows = await read();
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const project = await collections.projects.findOne({ _id: p }, reading('projects.known_until', { knownUntil: 1 }));
    const marks = { p, l, r: { $gt: project?.knownUntil ?? -1 } };
    const folding = rows.flatMap(({ kf = [] }) => kf);
    // One count, because retention may remove those that are being moved at any time.
    const unmoved = folding.length === 0 ? marks : { ...marks, _id: { $nin: folding } };
    const marked = await collections.knownThere.countDocuments(unmoved, reading('marks.count'));
    const again = await read();
    // Retention moves marks to the error's own number, and a later time counts them there.
    if (foldsOf(again) === foldsOf(rows)) return marked + again.reduce((sum, { kb = 0 }) => sum + kb, 0);
    rows = again;
  }
  throw new AppError('store_unavailable', 'retention keeps changing the marks of this error', { retryAfterSeconds: 1 });
}

/** Maximum attempts beside retention. */
const ATTEMPTS = 5;
const COUNTED = { kb: 1, kf: 1, kn: 1, ku: 1 } as const;
type CountedRow = Pick<ErrorDocument, '_id' | keyof typeof COUNTED>;

function foldsOf(rows: readonly CountedRow[]): string {
  return rows
    .map(({ _id, kf, kn = 0, ku = 0 }) => `${_id.toString('hex')} ${kn} ${ku} ${kf?.length ?? 0}`)
    .sort()
    .join();
}
