import type { StoredLinks } from '../../../domain/ports/link-store.ts';
import { NO_LINKS } from '../../state/linked-issues.ts';
import { requireProject } from '../commands/project-commands.ts';
import type { MongoContext } from '../context.ts';
import { reading, writing } from '../operation-options.ts';
import { againWhenRaced } from '../raced-writes.ts';

export async function projectLinks({ collections }: MongoContext, projectId: number): Promise<StoredLinks> {
  const row = await collections.projectLinks.findOne({ _id: projectId }, reading('project_links.by_project'));
  if (row === null) return NO_LINKS;
  const { _id, ...links } = row;
  return links;
}

export async function setProjectLinks(context: MongoContext, projectId: number, links: StoredLinks): Promise<void> {
  await requireProject(context, projectId);
  const { projectLinks: rows } = context.collections;
  if (links.repository === null && links.issueTracker === null) {
    await rows.deleteOne({ _id: projectId }, writing('project_links.remove'));
    return;
  }
  const options = () => ({ ...writing('project_links.save'), upsert: true });
  await againWhenRaced(() => rows.replaceOne({ _id: projectId }, links, options()));
}

export async function replaceSealedIssueToken(
  { collections }: MongoContext,
  projectId: number,
  before: string,
  after: string,
): Promise<boolean> {
  const filter = { _id: projectId, sealedToken: before };
  const update = { $set: { sealedToken: after } };
  const result = await collections.projectLinks.updateOne(filter, update, writing('project_links.replace_sealed'));
  return result.matchedCount > 0;
}
