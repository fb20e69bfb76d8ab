import type { OwnProtection, ProjectProtection } from '../../../domain/own-protection.ts';
import type { MongoContext } from '../context.ts';
import type { ProtectionDocument } from '../models/protection.ts';
import { reading } from '../operation-options.ts';

/** Milliseconds that the whole list may take the server. */
const LIST_LIMIT_MS = 30_000;

export async function protection({ models }: MongoContext, projectId: number): Promise<OwnProtection | null> {
  const found = await models.protections.findOne({ _id: projectId }, {}, reading('protections.by_project')).lean();
  return found === null ? null : toProtection(found);
}

export async function listProtections({ models }: MongoContext): Promise<ProjectProtection[]> {
  const rows = await models.protections
    .find({}, {}, { ...reading('protections.list'), maxTimeMS: LIST_LIMIT_MS })
    .sort({ _id: 1 })
    .lean();
  return rows.map((row) => [row._id, toProtection(row)]);
}

function toProtection(row: ProtectionDocument): OwnProtection {
  const { _id, ...own } = row;
  return own;
}
