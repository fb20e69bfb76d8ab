import { parseErrorId } from '../../errors/error-id.ts';
import type { MongoContext } from '../engine/context.ts';
import type { ErrorDocument } from '../documents/error-documents.ts';
import { ERROR_KEYS } from '../documents/error-indexes.ts';
import { reading } from '../engine/operation-options.ts';
import { errorsByNumber } from './errors-by-number.ts';
import { COUNTED } from '../updates/status-members.ts';

const POINTER = { id: 1, into: 1, v: 1 } as const;
const MEMBER = { id: 1, v: 1, c: 1, rcv: 1, into: 1, 'last.title': 1, 'last.at': 1 } as const;
/** Members that bulk commands read beside. */
const STATE = { ...COUNTED, as: 1, sta: 1 } as const;

type Pointing = Pick<ErrorDocument, '_id' | keyof typeof POINTER>;
/** Grouping version 0: it was imported. */
export type GroupRow = Pick<ErrorDocument, '_id' | 'id' | 'v' | 'c' | 'rcv' | 'into' | 'last'>;

/** Member of an error that a bulk command is about. */
export type StateOfMember = GroupRow & Pick<ErrorDocument, keyof typeof STATE>;

/** Meaning of an error's number: the error itself, or its merge root. */
export interface ErrorGroup<T, M = GroupRow> {
  readonly root: T & Pointing;
  /** Documents with its events, users, hours and tags, by number; the root's is the first. */
  readonly members: readonly M[];
  /** True when the requested number was merged into the root. */
  readonly moved: boolean;
}

/**
 * Returns the group of an error; null when the project has no such error. `projection`: members of the root's document
 * to read beside its pointer.
 */
export async function groupOf<K extends keyof ErrorDocument = never>(
  context: MongoContext,
  p: number,
  errorId: string,
  projection: Readonly<Record<string, 1>> = {},
): Promise<ErrorGroup<Pick<ErrorDocument, K>> | null> {
  const asked = parseErrorId(errorId);
  // A pointer may lead to an error that was just merged. Numbers decrease, so the walk ends.
  for (let id = asked; id !== null;) {
    const row = await context.collections.errors.findOne<Pick<ErrorDocument, K> & GroupRow>(
      { p, id },
      reading('errors.by_number', { ...POINTER, c: 1, rcv: 1, 'last.title': 1, ...projection }),
    );
    if (row === null) return null;
    const { into } = row;
    if (into === null || into === row.id) {
      const others = into === null && id === asked ? [] : await membersOf(context, p, [row.id]);
      const members = others.filter((member) => member.id !== row.id).sort((a, b) => a.id - b.id);
      return { root: row, members: [row, ...members], moved: id !== asked };
    }
    id = into;
  }
  return null;
}

/** Returns everything that points to the roots. */
export function membersOf(
  { collections }: MongoContext,
  p: number | { readonly $in: number[] },
  roots: readonly number[],
): Promise<StateOfMember[]> {
  return collections.errors
    .find<StateOfMember>({ into: { $in: roots, $gte: 1 }, p }, reading('errors.members', { ...MEMBER, ...STATE }))
    .hint(ERROR_KEYS.byRoot)
    .toArray();
}

/** Returns those of the ids that no error of the project has. */
export async function unknownErrors(context: MongoContext, p: number, errorIds: readonly string[]): Promise<string[]> {
  const asked = errorIds.map(parseErrorId).filter((id) => id !== null);
  const rows = await errorsByNumber<Pick<ErrorDocument, 'id'>>(context, p, asked, 'errors.by_numbers', { id: 1 });
  const known = new Set(rows.map(({ id }) => id));
  return errorIds.filter((each) => !known.has(parseErrorId(each) ?? 0));
}

/**
 * Returns the groups of several errors, each once, by the numbers of their roots; unknown ones are passed over. Reads
 * as `groupOf`, but all at once.
 */
export async function loadGroups<K extends keyof ErrorDocument = never>(
  context: MongoContext,
  p: number,
  errorIds: readonly string[],
  projection: Readonly<Record<string, 1>> = {},
): Promise<ErrorGroup<Pick<ErrorDocument, K>, StateOfMember>[]> {
  const roots = new Map<number, Pick<ErrorDocument, K> & StateOfMember>();
  let left = [...new Set(errorIds.map(parseErrorId).filter((id) => id !== null))];
  const moved = new Set<number>();
  while (left.length > 0) {
    const members = { ...MEMBER, ...STATE, ...projection };
    const rows = await errorsByNumber<Pick<ErrorDocument, K> & StateOfMember>(
      ...([context, p, left, 'errors.by_numbers', members] as const),
    );
    const next = new Set<number>();
    for (const row of rows) {
      const { into } = row;
      if (into === null || into === row.id) roots.set(row.id, row);
      else {
        next.add(into);
        moved.add(into);
      }
    }
    left = [...next].filter((id) => !roots.has(id));
  }
  const merged = [...roots.values()].filter(({ id, into }) => into === id || moved.has(id)).map(({ id }) => id);
  const members = merged.length === 0 ? [] : await membersOf(context, p, merged);
  return [...roots.values()]
    .sort((a, b) => a.id - b.id)
    .map((root) => {
      const others = members.filter(({ id, into }) => into === root.id && id !== root.id).sort((a, b) => a.id - b.id);
      return { root, members: [root, ...others], moved: moved.has(root.id) };
    });
}
