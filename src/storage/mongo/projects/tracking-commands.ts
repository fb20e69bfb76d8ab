import { AppError } from '../../../domain/app-error.ts';
import type { KeyUse } from '../../../domain/ports/stores/tracking-store.ts';
import type { ClientKey } from '../../../domain/projects/tracking-settings.ts';
import { clientKeys } from '../../records/kinds/tracking-kinds.ts';
import { newKey } from '../../records/tracking-records.ts';
import { publicKeyTaken } from '../../refusals.ts';
import { toRecord } from '../documents/record-documents.ts';
import type { MongoContext } from '../engine/context.ts';
import { isDuplicateKey } from '../engine/mongo-errors.ts';
import { nextId } from '../engine/next-id.ts';
import { reading, writing } from '../engine/operation-options.ts';
import { mongoRecords } from '../records/mongo-records.ts';
import { requireProject } from './project-views.ts';

/** Maximum attempts to create a key while other processes change those of the project. */
const ATTEMPTS = 5;

/** One command for many keys. Does not raise the version of ingestion data, which has no times of use. */
export async function touchKeys({ collections }: MongoContext, uses: readonly KeyUse[]): Promise<void> {
  const touches = uses.map(({ keyId, usedAt }) => ({
    updateOne: { filter: { _id: keyId }, update: { $max: { lastUsedAt: usedAt } } },
  }));
  if (touches.length > 0) {
    await collections.clientKeys.bulkWrite(touches, { ...writing('client_keys.touch'), ordered: false });
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
      reading('client_keys.any_active', { _id: 1 }),
    );
    if (active !== null) return null;
    const disabled = { ensured: projectId, active: false };
    await collections.clientKeys.updateMany(disabled, { $unset: { ensured: '' } }, writing('client_keys.unensure'));
    try {
      return await insertEnsured(context, projectId, publicKey);
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      if ((await mongoRecords(context).find(clientKeys, { publicKey })) !== null) throw publicKeyTaken();
    }
  }
  throw new AppError('store_unavailable', "the project's keys keep changing: try again", { retryAfterSeconds: 1 });
}

async function insertEnsured(
  { collections, now }: MongoContext,
  projectId: number,
  publicKey: string,
): Promise<ClientKey> {
  const _id = await nextId(collections, 'client_keys');
  const row = { _id, ...newKey(projectId, publicKey, now()), ensured: projectId };
  await collections.clientKeys.insertOne(row, writing('client_keys.insert_ensured'));
  return toRecord(clientKeys, row);
}
