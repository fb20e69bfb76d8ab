import type { ProtectionOverrides, ProjectProtection } from '../../../domain/ingest/protection-overrides.ts';
import type { IngestAccess } from '../../../domain/ports/stores/tracking-store.ts';
import type { ClientKey, TrackingSettings } from '../../../domain/projects/tracking-settings.ts';
import type { ClientKeyDocument, ProtectionDocument, SettingsDocument } from '../documents/command-documents.ts';
import type { MongoContext } from '../engine/context.ts';
import { LIST_LIMIT_MS, reading } from '../engine/operation-options.ts';
import { forwards, projectAliases } from '../../records/project-kinds.ts';
import { mongoRecords } from '../records/mongo-records.ts';

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

export async function protection(
  { collections }: MongoContext,
  projectId: number,
): Promise<ProtectionOverrides | null> {
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

function toProtection(row: ProtectionDocument): ProtectionOverrides {
  const { _id, ...own } = row;
  return own;
}

/** Reads the version before the rows: a change in between has another version. */
export async function ingestAccess(context: MongoContext, known: string | null): Promise<IngestAccess | null> {
  const { collections } = context;
  const version = await ingestVersion(context);
  if (version === known) return null;
  const limit = { maxTimeMS: LIST_LIMIT_MS };
  const sending = await collections.settings
    .find({ active: true, integrated: true }, { ...reading('ingest.projects', { _id: 1 }), ...limit })
    .toArray();
  const ofThem = { projectId: { $in: sending.map(({ _id }) => _id) }, active: true };
  const records = mongoRecords(context);
  const [keys, aliases, protections, targets] = await Promise.all([
    collections.clientKeys
      .find(ofThem, { ...reading('ingest.keys', { projectId: 1, publicKey: 1 }), ...limit })
      .sort({ _id: 1 })
      .toArray(),
    records.list(projectAliases, {}),
    listProtections(context),
    records.list(forwards, {}),
  ]);
  return {
    version,
    keys: keys.map(({ _id, projectId, publicKey }) => ({ id: _id, projectId, publicKey })),
    aliases: aliases.map(({ projectId, alias }) => [projectId, alias] as const),
    protections,
    forwards: targets.map(({ projectId, until }) => [projectId, until] as const),
  };
}

/** Returns the version. It changes with every reported change, and once more when an announced one has expired. */
async function ingestVersion({ collections, now }: MongoContext): Promise<string> {
  const found = await collections.control.findOne(
    { _id: 'ingest' },
    reading('ingest.version', { version: 1, until: 1 }),
  );
  return `${found?.version ?? 0}${(found?.until ?? 0) > now() ? '+' : ''}`;
}
