import { parseErrorId } from '../../error-id.ts';
import type { MongoContext } from '../context.ts';
import type { ErrorDocument } from '../documents.ts';
import { reading } from '../operation-options.ts';

const POINTER = { id: 1, into: 1 } as const;
const MEMBER = { id: 1, c: 1, rcv: 1, into: 1, 'last.title': 1 } as const;

type Pointing = Pick<ErrorDocument, '_id' | keyof typeof POINTER>;
export type GroupRow = Pick<ErrorDocument, '_id' | 'id' | 'c' | 'rcv' | 'into' | 'last'>;

/** What an error's number means: the error itself, or the one it was merged into. */
export interface ErrorGroup<T> {
  readonly root: T & Pointing;
  /** The documents that its events, users, hours and tags are kept under, by number; the root's is the first. */
  readonly members: readonly GroupRow[];
  /** Whether the number asked for is one that was merged into the root. */
  readonly moved: boolean;
}

/** Null when the project has no such error. `projection`: members of the root's document to read beside its pointer. */
export async function groupOf<K extends keyof ErrorDocument = never>(
  context: MongoContext,
  p: number,
  errorId: string,
  projection: Readonly<Record<string, 1>> = {},
): Promise<ErrorGroup<Pick<ErrorDocument, K>> | null> {
  const asked = parseErrorId(errorId);
  // A pointer may point to an error that was merged a moment ago; numbers fall, so it ends.
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

/** Everything that points to the roots. */
export function membersOf({ collections }: MongoContext, p: number, roots: readonly number[]): Promise<GroupRow[]> {
  return collections.errors
    .find<GroupRow>({ p, into: { $in: roots, $gte: 1 } }, reading('errors.members', MEMBER))
    .toArray();
}
