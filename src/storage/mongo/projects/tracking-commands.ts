import { AppError } from '../../../domain/app-error.ts';
import {
  NO_OVERRIDES,
  type ProtectionOverrides,
  type ProtectionOverridesPatch,
} from '../../../domain/ingest/protection-overrides.ts';
import type { KeyUse } from '../../../domain/ports/stores/tracking-store.ts';
import {
  DEFAULT_SETTINGS,
  type ClientKey,
  type TrackingSettings,
  type TrackingSettingsPatch,
} from '../../../domain/projects/tracking-settings.ts';
import type { MongoContext } from '../engine/context.ts';
import { isDuplicateKey } from '../engine/mongo-errors.ts';
import { nextId } from '../engine/next-id.ts';
import { reading, writing } from '../engine/operation-options.ts';
import { keyByPublicKey, protection, settings, toKey } from './tracking-views.ts';
import { requireProject } from './project-views.ts';
import { publicKeyTaken } from '../../refusals.ts';

/**
 * Maximum attempts. If two first writes race, the loser retries and finds the document.
 */
const ATTEMPTS = 5;

/** Saves settings in one write, so that patches of two processes to different members both stay. */
export async function saveSettings(
  context: MongoContext,
  projectId: number,
  patch: TrackingSettingsPatch,
): Promise<TrackingSettings> {
  await requireProject(context, projectId);
  const members = Object.fromEntries(
    Object.keys(DEFAULT_SETTINGS).flatMap((name) => {
      const value = patch[name as keyof TrackingSettingsPatch];
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const defaults = Object.fromEntries(Object.entries(DEFAULT_SETTINGS).filter(([name]) => !(name in members)));
  const update = {
    ...(Object.keys(members).length === 0 ? {} : { $set: members }),
    ...(Object.keys(defaults).length === 0 ? {} : { $setOnInsert: defaults }),
  };
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    try {
      // Reads afterwards: of several first upserts at once, some engines return a document that was not stored.
      const save = { ...writing('settings.save'), upsert: true };
      await context.collections.settings.updateOne({ _id: projectId }, update, save);
      const saved = await settings(context, projectId);
      if (saved !== null) return saved;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }
  throw new AppError('store_unavailable', 'the settings could not be saved: try again', { retryAfterSeconds: 1 });
}

export async function replaceEncryptedToken(
  { collections }: MongoContext,
  projectId: number,
  before: string,
  after: string,
): Promise<boolean> {
  const filter = { _id: projectId, sealedToken: before };
  const update = { $set: { sealedToken: after } };
  const result = await collections.settings.updateOne(filter, update, writing('settings.replace_sealed_token'));
  return result.matchedCount === 1;
}

export async function createKey(context: MongoContext, projectId: number, publicKey: string): Promise<ClientKey> {
  await requireProject(context, projectId);
  try {
    return await insertKey(context, projectId, publicKey, {});
  } catch (error) {
    throw isDuplicateKey(error) ? publicKeyTaken() : error;
  }
}

export async function setKeyActive(
  { collections }: MongoContext,
  projectId: number,
  keyId: number,
  active: boolean,
): Promise<ClientKey | null> {
  const options = { ...writing('keys.set_active'), returnDocument: 'after' } as const;
  const key = await collections.clientKeys.findOneAndUpdate({ _id: keyId, projectId }, { $set: { active } }, options);
  return key === null ? null : toKey(key);
}

export async function deleteKey(
  { collections }: MongoContext,
  projectId: number,
  keyId: number,
): Promise<ClientKey | null> {
  const key = await collections.clientKeys.findOneAndDelete({ _id: keyId, projectId }, writing('keys.delete'));
  return key === null ? null : toKey(key);
}

export async function touchKeys({ collections }: MongoContext, uses: readonly KeyUse[]): Promise<void> {
  const touches = uses.map(({ keyId, usedAt }) => ({
    updateOne: { filter: { _id: keyId }, update: { $max: { lastUsedAt: usedAt } } },
  }));
  if (touches.length > 0) {
    await collections.clientKeys.bulkWrite(touches, { ...writing('keys.touch'), ordered: false });
  }
}

/**
 * Ensures that the project has an active key. Of several processes at once only one creates a key: the member `ensured`
 * is unique. A key created so and disabled later loses the member first.
 */
export async function ensureActiveKey(
  context: MongoContext,
  projectId: number,
  publicKey: string,
): Promise<ClientKey | null> {
  const { collections } = context;
  await requireProject(context, projectId);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const active = await collections.clientKeys.findOne(
      { projectId, active: true },
      reading('keys.any_active', { _id: 1 }),
    );
    if (active !== null) return null;
    const disabled = { ensured: projectId, active: false };
    await collections.clientKeys.updateMany(disabled, { $unset: { ensured: '' } }, writing('keys.unensure'));
    try {
      return await insertKey(context, projectId, publicKey, { ensured: projectId });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      if ((await keyByPublicKey(context, publicKey)) !== null) throw publicKeyTaken();
    }
  }
  throw new AppError('store_unavailable', "the project's keys keep changing: try again", { retryAfterSeconds: 1 });
}

async function insertKey(
  { collections, now }: MongoContext,
  projectId: number,
  publicKey: string,
  more: { readonly ensured?: number },
): Promise<ClientKey> {
  const row = {
    _id: await nextId(collections, 'client_keys'),
    projectId,
    active: true,
    publicKey,
    createdAt: now(),
    ...more,
  };
  await collections.clientKeys.insertOne(row, writing('keys.insert'));
  return toKey(row);
}

/** Saves overrides in one write, so that patches of two processes to different members both stay. */
export async function saveProtection(
  context: MongoContext,
  projectId: number,
  patch: ProtectionOverridesPatch,
): Promise<ProtectionOverrides> {
  await requireProject(context, projectId);
  const collection = context.collections.protections;
  const rest = Object.fromEntries(Object.entries(NO_OVERRIDES).filter(([name]) => !(name in patch)));
  const update = {
    ...(Object.keys(patch).length === 0 ? {} : { $set: patch }),
    ...(Object.keys(rest).length === 0 ? {} : { $setOnInsert: rest }),
  };
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    try {
      await collection.updateOne({ _id: projectId }, update, { ...writing('protections.save'), upsert: true });
      await collection.deleteOne({ _id: projectId, ...NO_OVERRIDES }, writing('protections.forget'));
      return (await protection(context, projectId)) ?? NO_OVERRIDES;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }
  throw new AppError('store_unavailable', 'the settings could not be saved: try again', { retryAfterSeconds: 1 });
}
