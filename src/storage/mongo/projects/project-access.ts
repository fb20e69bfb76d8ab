import type { ProjectAccess } from '../../../domain/ports/stores/overview-store.ts';
import { requireFewProjects } from '../../few-projects.ts';
import { memberKey } from '../documents/command-documents.ts';
import type { MongoContext } from '../engine/context.ts';
import { reading } from '../engine/operation-options.ts';
import { settings } from '../../records/kinds/tracking-kinds.ts';
import { toRecord } from '../documents/record-documents.ts';
import { levelsOf } from './roles.ts';

/** Reads settings and roles, a few queries for all projects; see the port. */
export async function projectAccess(
  context: MongoContext,
  projectIds: readonly number[],
  userId: number,
): Promise<ReadonlyMap<number, ProjectAccess>> {
  requireFewProjects(projectIds);
  const [found, levels] = await Promise.all([
    context.collections.settings.find({ _id: { $in: [...projectIds] } }, reading('settings.of_projects')).toArray(),
    levelsOf(
      context,
      projectIds.map((projectId) => ({ projectId, userId })),
    ),
  ]);
  const settingsOf = new Map(found.map((row) => [row._id, toRecord(settings, row)]));
  return new Map(
    projectIds.map((id) => [
      id,
      { settings: settingsOf.get(id) ?? null, level: levels.get(memberKey(id, userId)) ?? null },
    ]),
  );
}
