import type { OwnProtection, ProjectProtection } from '../../../domain/own-protection.ts';
import type { MongoContext } from '../context.ts';
import type { ProtectionDocument } from '../command-documents.ts';
import { reading } from '../operation-options.ts';

/** Milliseconds that the whole list may take the server. */
const LIST_LIMIT_MS = 30_000;

export async function protection({ collections }: MongoContext, projectId: number): Promise<OwnProtection | null> {
  const found = await collections.protections.findOne({ _id: projectId }, reading('protections.by_project'));
  return found === null ? null : toProtection(found);
}

export async function listProtections({ collections }: MongoContext): Promise<ProjectProtection[]> {
  const rows = await collections.protections
    .find({}, { ...reading('protections.list'), maxTimeMS: LIST_LIMIT_MS })
    .sort({ _id: 1 })
    .toArray();
  return rows.map((row) => [row._id, toProtection(row)]);
}

function toProtection(row: ProtectionDocument): OwnProtection {
  const { _id, ...own } = row;
  return own;
}
