import { memberKey } from '../command-documents.ts';
import type { MongoContext } from '../context.ts';
import { writing } from '../operation-options.ts';

/** Removes what a person set for a project that they are no member of any more. */
export async function forgetPerson({ collections }: MongoContext, projectId: number, userId: number): Promise<void> {
  const _id = memberKey(projectId, userId);
  await collections.savedViews.deleteOne({ _id }, writing('saved_views.forget'));
  await collections.favourites.deleteOne({ _id }, writing('favourites.forget'));
}
