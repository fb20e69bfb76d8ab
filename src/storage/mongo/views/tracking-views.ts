import type { ClientKey, TrackingSettings } from '../../../domain/tracking-settings.ts';
import type { MongoContext } from '../context.ts';
import type { ClientKeyDocument } from '../command-documents.ts';
import type { SettingsDocument } from '../command-documents.ts';
import { reading } from '../operation-options.ts';

const KEY = { projectId: 1, active: 1, publicKey: 1, createdAt: 1, lastUsedAt: 1 } as const;

export async function settings({ collections }: MongoContext, projectId: number): Promise<TrackingSettings | null> {
  const found = await collections.settings.findOne({ _id: projectId }, reading('settings.by_project'));
  return found === null ? null : toSettings(found);
}

export async function listKeys({ collections }: MongoContext, projectId: number): Promise<ClientKey[]> {
  const rows = await collections.clientKeys.find({ projectId }, reading('keys.list', KEY)).sort({ _id: 1 }).toArray();
  return rows.map(toKey);
}

export async function keyById(
  { collections }: MongoContext,
  projectId: number,
  keyId: number,
): Promise<ClientKey | null> {
  const found = await collections.clientKeys.findOne({ _id: keyId, projectId }, reading('keys.by_id', KEY));
  return found === null ? null : toKey(found);
}

export async function keyByPublicKey({ collections }: MongoContext, publicKey: string): Promise<ClientKey | null> {
  const found = await collections.clientKeys.findOne({ publicKey }, reading('keys.by_public_key', KEY));
  return found === null ? null : toKey(found);
}

export function toSettings(row: SettingsDocument): TrackingSettings {
  const { _id, tracker = null, ...members } = row;
  return { projectId: _id, ...members, tracker };
}

export function toKey(row: Pick<ClientKeyDocument, '_id' | keyof typeof KEY>): ClientKey {
  const { _id, projectId, active, publicKey, createdAt, lastUsedAt = null } = row;
  return { id: _id, projectId, active, publicKey, createdAt, lastUsedAt };
}
