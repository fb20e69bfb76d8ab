import { AppError } from '../../../domain/app-error.ts';
import type { SavedView } from '../../../domain/search/saved-view.ts';
import { requireRoomForView } from '../../state/saved-views.ts';
import { memberKey } from '../documents/command-documents.ts';
import { requireProject } from '../projects/project-views.ts';
import type { MongoContext } from '../engine/context.ts';
import { isDuplicateKey } from '../engine/mongo-errors.ts';
import { nextId } from '../engine/next-id.ts';
import { reading, writing } from '../engine/operation-options.ts';

/** Maximum retries when another request updates the same saved views. */
const ATTEMPTS = 20;

function byName(a: SavedView, b: SavedView): number {
  return a.name < b.name ? -1 : 1;
}

export async function savedViews(
  { collections }: MongoContext,
  projectId: number,
  userId: number,
): Promise<SavedView[]> {
  const filter = { _id: memberKey(projectId, userId) };
  const row = await collections.savedViews.findOne(filter, reading('saved_views.by_person', { views: 1 }));
  return [...(row?.views ?? [])].sort(byName);
}

/**
 * Replaces the views of a person by what `change` returns, from what they are at that moment. Null: no change. Returns
 * what `change` returned last.
 */
async function changeViews(
  { collections }: MongoContext,
  projectId: number,
  userId: number,
  change: (views: readonly SavedView[]) => Promise<readonly SavedView[] | null>,
): Promise<readonly SavedView[] | null> {
  const _id = memberKey(projectId, userId);
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const row = await collections.savedViews.findOne({ _id }, reading('saved_views.by_person'));
    const views = await change(row?.views ?? []);
    if (views === null) return null;
    if (row === null) {
      const first = { _id, projectId, userId, version: 1, views };
      const isFirst = await collections.savedViews.insertOne(first, writing('saved_views.insert')).then(
        () => true,
        (error: unknown) => {
          if (!isDuplicateKey(error)) throw error;
          return false;
        },
      );
      if (isFirst) return views;
      continue;
    }
    const update = { $set: { views, version: row.version + 1 } };
    const filter = { _id, version: row.version };
    const { matchedCount } = await collections.savedViews.updateOne(filter, update, writing('saved_views.update'));
    if (matchedCount > 0) return views;
  }
  throw new AppError('conflict', 'the views are being changed by other requests: try again');
}

export async function saveView(
  context: MongoContext,
  projectId: number,
  userId: number,
  { name, query, isDefault }: Omit<SavedView, 'id'>,
): Promise<SavedView> {
  await requireProject(context, projectId);
  let newNumber: number | null = null;
  const views = await changeViews(context, projectId, userId, async (present) => {
    const known = present.find((view) => view.name === name);
    if (known === undefined) requireRoomForView(present);
    newNumber ??= known === undefined ? await nextId(context.collections, 'saved_views') : null;
    const others = present.filter((view) => view !== known);
    const kept = isDefault ? others.map((view) => ({ ...view, isDefault: false })) : others;
    return [...kept, { id: known?.id ?? newNumber ?? 0, name, query, isDefault }];
  });
  const saved = views?.find((view) => view.name === name);
  if (saved === undefined) throw new AppError('internal', 'the view was not saved');
  return saved;
}

export async function removeView(
  context: MongoContext,
  projectId: number,
  userId: number,
  id: number,
): Promise<boolean> {
  const changed = await changeViews(context, projectId, userId, async (views) => {
    const left = views.filter((view) => view.id !== id);
    return left.length === views.length ? null : left;
  });
  return changed !== null;
}
