import type { ClientKey, TrackingSettings } from '../../../domain/tracking-settings.ts';
import type { MongoContext } from '../context.ts';
import type { ClientKeyDocument } from '../models/client-key.ts';
import type { SettingsDocument } from '../models/settings.ts';
import { reading } from '../operation-options.ts';

const KEY = { projectId: 1, active: 1, publicKey: 1, createdAt: 1, lastUsedAt: 1 } as const;

export async function settings({ models }: MongoContext, projectId: number): Promise<TrackingSettings | null> {
  const found = await models.settings.findOne({ _id: projectId }, {}, reading('settings.by_project')).lean();
  return found === null ? null : toSettings(found);
}

export async function listKeys({ models }: MongoContext, projectId: number): Promise<ClientKey[]> {
  const rows = await models.clientKeys.find({ projectId }, KEY, reading('keys.list')).sort({ _id: 1 }).lean();
  return rows.map(toKey);
}

export async function keyById({ models }: MongoContext, projectId: number, keyId: number): Promise<ClientKey | null> {
  const found = await models.clientKeys.findOne({ _id: keyId, projectId }, KEY, reading('keys.by_id')).lean();
  return found === null ? null : toKey(found);
}

export async function keyByPublicKey({ models }: MongoContext, publicKey: string): Promise<ClientKey | null> {
  const found = await models.clientKeys.findOne({ publicKey }, KEY, reading('keys.by_public_key')).lean();
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
