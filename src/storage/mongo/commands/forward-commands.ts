import { FORWARD_STATE_MS, type Forward, type ForwardState } from '../../../domain/forward.ts';
import { forwardStateKey } from '../command-documents.ts';
import type { MongoContext } from '../context.ts';
import { writing } from '../operation-options.ts';
import { againWhenRaced } from '../raced-writes.ts';
import { projectById } from '../views/project-views.ts';
import { requireProject } from './project-commands.ts';

export async function saveForward(context: MongoContext, { projectId, ...forward }: Forward): Promise<void> {
  await requireProject(context, projectId);
  const write = () =>
    context.collections.forwards.replaceOne({ _id: projectId }, forward, {
      ...writing('forwards.save'),
      upsert: true,
    });
  await againWhenRaced(write);
}

export async function removeForward({ collections }: MongoContext, projectId: number): Promise<boolean> {
  const { deletedCount } = await collections.forwards.deleteOne({ _id: projectId }, writing('forwards.remove'));
  return deletedCount > 0;
}

export async function replaceSealedDsn(
  { collections }: MongoContext,
  projectId: number,
  before: string,
  after: string,
): Promise<boolean> {
  const filter = { _id: projectId, sealedDsn: before };
  const update = { $set: { sealedDsn: after } };
  const result = await collections.forwards.updateOne(filter, update, writing('forwards.replace_sealed_dsn'));
  return result.matchedCount === 1;
}

export async function saveForwardState(context: MongoContext, state: ForwardState): Promise<void> {
  const { projectId, updatedAt } = state;
  const { forwardStates } = context.collections;
  if ((await projectById(context, projectId)) === null) return;
  const filter = { _id: forwardStateKey(state) };
  const write = () =>
    forwardStates.replaceOne(filter, { ...state }, { ...writing('forward_states.save'), upsert: true });
  await againWhenRaced(write);
  const silent = { projectId, updatedAt: { $lt: updatedAt - FORWARD_STATE_MS } };
  await forwardStates.deleteMany(silent, writing('forward_states.forget'));
}
