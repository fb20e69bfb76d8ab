import { groups, type StoredGroup } from '../../records/kinds/group-kinds.ts';
import { toRecord } from '../documents/record-documents.ts';
import type { MongoContext } from '../engine/context.ts';
import { reading } from '../engine/operation-options.ts';
import { belowFilter } from './roles.ts';

/** Returns the groups below a path that were made, at any depth, by path. */
export async function groupsBelow({ collections }: MongoContext, path: string): Promise<StoredGroup[]> {
  const rows = await collections.groups.find(belowFilter(path), reading('groups.below')).sort({ lower: 1 }).toArray();
  return rows.map((row) => toRecord(groups, row));
}

/** Returns the paths of groups and projects at a path and below. */
export async function usedAt(context: MongoContext, path: string): Promise<string[]> {
  const { collections } = context;
  const filter = { $or: [{ lower: path.toLowerCase() }, belowFilter(path)] };
  const [ofGroups, ofProjects] = await Promise.all([
    collections.groups.find(filter, reading('groups.used', { path: 1 })).toArray(),
    collections.projects.find(filter, reading('projects.used', { path: 1 })).toArray(),
  ]);
  return [...ofGroups, ...ofProjects].map((row) => row.path);
}
