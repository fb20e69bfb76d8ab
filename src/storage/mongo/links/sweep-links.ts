import type { MongoContext } from '../context.ts';
import { writing } from '../operation-options.ts';

/** Removes the links of a removed project, and what people set for it. Its linked issues are swept as keyed rows. */
export async function sweepLinks({ collections }: MongoContext, projectId: number): Promise<void> {
  await collections.projectLinks.deleteOne({ _id: projectId }, writing('project_links.sweep'));
  await collections.savedViews.deleteMany({ projectId }, writing('saved_views.sweep'));
  await collections.favourites.deleteMany({ projectId }, writing('favourites.sweep'));
}
