import { AppError } from '../../../domain/app-error.ts';
import { NOTHING_OWN, type OwnProtection, type OwnProtectionPatch } from '../../../domain/own-protection.ts';
import type { MongoContext } from '../context.ts';
import { isDuplicateKey } from '../mongo-errors.ts';
import { writing } from '../operation-options.ts';
import { protection } from '../views/protection-views.ts';
import { demandProject } from './project-commands.ts';

/** Of two first saves at once one is refused and finds the document the next time. */
const ATTEMPTS = 5;

/** One write, so that patches of two processes to different members both stay. */
export async function saveProtection(
  context: MongoContext,
  projectId: number,
  patch: OwnProtectionPatch,
): Promise<OwnProtection> {
  await demandProject(context, projectId);
  const collection = context.collections.protections;
  const rest = Object.fromEntries(Object.entries(NOTHING_OWN).filter(([name]) => !(name in patch)));
  const update = {
    ...(Object.keys(patch).length === 0 ? {} : { $set: patch }),
    ...(Object.keys(rest).length === 0 ? {} : { $setOnInsert: rest }),
  };
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    try {
      await collection.updateOne({ _id: projectId }, update, { ...writing('protections.save'), upsert: true });
      await collection.deleteOne({ _id: projectId, ...NOTHING_OWN }, writing('protections.forget'));
      return (await protection(context, projectId)) ?? NOTHING_OWN;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }
  throw new AppError('store_unavailable', 'the settings could not be saved: try again', { retryAfterSeconds: 1 });
}
