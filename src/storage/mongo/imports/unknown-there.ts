import { IMPORTED_GROUPING_VERSION } from '../../imports/imported-group-hash.ts';
import type { MongoContext } from '../engine/context.ts';
import { groupHashOf } from '../documents/document-keys.ts';
import type { ErrorDocument } from '../documents/error-documents.ts';
import { reading } from '../engine/operation-options.ts';
import type { KnownThereDocument } from '../documents/import-documents.ts';

const COUNTED = { id: 1, into: 1, v: 1, c: 1, 'imp.b': 1, kb: 1 } as const;
type Counted = Pick<ErrorDocument, '_id' | 'id' | 'into' | 'v' | 'c' | 'imp' | 'kb'>;

/** Counts own events in imported errors, and in those merged with them, that are not known in the tracker. */
export async function unknownThere({ collections }: MongoContext, p: number): Promise<number> {
  const imported = new Set<number>();
  const own = new Map<string, { readonly root: number; left: number }>();
  const rows = collections.errors
    .find<Counted>({ p, id: { $gt: 0 } }, reading('errors.known_until', COUNTED))
    .sort({ id: 1 });
  for await (const { _id, id, into, v, c, imp, kb = 0 } of rows) {
    const root = into ?? id;
    if (v === IMPORTED_GROUPING_VERSION) imported.add(root);
    const left = c - (imp?.b ?? 0) - kb;
    if (left > 0) own.set(groupHashOf(_id), { root, left });
  }
  if (imported.size === 0) return 0;
  const project = await collections.projects.findOne({ _id: p }, reading('projects.known_until', { knownUntil: 1 }));
  const marks = collections.knownThere.find<Pick<KnownThereDocument, 'l'>>(
    { p, r: { $gt: project?.knownUntil ?? -1 } },
    reading('marks.count', { l: 1 }),
  );
  for await (const { l } of marks) {
    const row = l === null ? undefined : own.get(l.toString('hex'));
    if (row !== undefined) row.left -= 1;
  }
  return [...own.values()].reduce((sum, { root, left }) => sum + (imported.has(root) ? Math.max(0, left) : 0), 0);
}
