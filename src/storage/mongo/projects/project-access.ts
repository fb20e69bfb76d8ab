import type { ProjectAccess } from '../../../domain/ports/stores/overview-store.ts';
import { requireFewProjects } from '../../few-projects.ts';
import { memberKey } from '../documents/command-documents.ts';
import type { MongoContext } from '../engine/context.ts';
import { reading } from '../engine/operation-options.ts';
import { settings } from '../../records/tracking-kinds.ts';
import { toRecord } from '../documents/record-documents.ts';

/** Reads settings and roles, one query each; see the port. */
export async function projectAccess(
  { collections }: MongoContext,
  projectIds: readonly number[],
  userId: number,
): Promise<ReadonlyMap<number, ProjectAccess>> {
  requireFewProjects(projectIds);
  const [found, members] = await Promise.all([
    collections.settings.find({ _id: { $in: [...projectIds] } }, reading('settings.of_projects')).toArray(),
    collections.members
      .find(
        { _id: { $in: projectIds.map((id) => memberKey(id, userId)) } },
        reading('members.levels', { projectId: 1, accessLevel: 1 }),
      )
      .toArray(),
  ]);
  const settingsOf = new Map(found.map((row) => [row._id, toRecord(settings, row)]));
  const levelOf = new Map(members.map(({ projectId, accessLevel }) => [projectId, accessLevel]));
  return new Map(
    projectIds.map((id) => [id, { settings: settingsOf.get(id) ?? null, level: levelOf.get(id) ?? null }]),
  );
}
