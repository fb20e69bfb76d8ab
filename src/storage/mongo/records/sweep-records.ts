import type { mongo } from 'mongoose';
import { KIND_NAMES, KINDS } from '../../records/kinds.ts';
import type { MongoContext } from '../engine/context.ts';
import { writing } from '../engine/operation-options.ts';
import { withKey, type RecordDocument } from '../documents/record-documents.ts';
import { recordQuery } from './record-queries.ts';

type Members = Readonly<Record<'projectId', number> & Partial<Record<'userId', number>>>;

/** Removes the records of a removed project. */
export async function sweepRecords(context: MongoContext, projectId: number): Promise<void> {
  await removeOf(context, ['project', 'member'], { projectId });
}

/** Removes what a person set for a project that they are no member of any more. */
export async function sweepMembership(context: MongoContext, projectId: number, userId: number): Promise<void> {
  await removeOf(context, ['member'], { projectId, userId });
}

async function removeOf({ collections }: MongoContext, owners: readonly string[], members: Members): Promise<void> {
  for (const name of KIND_NAMES.filter((each) => owners.includes(KINDS[each].of))) {
    const rows = collections[name] as unknown as mongo.Collection<RecordDocument>;
    await rows.deleteMany(withKey(KINDS[name], members), writing(recordQuery(KINDS[name], 'sweep')));
  }
}
