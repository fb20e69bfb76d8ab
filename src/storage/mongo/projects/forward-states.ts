import { FORWARD_STATE_MS, type ForwardState } from '../../../domain/ingest/forward.ts';
import { forwardStateKey } from '../documents/command-documents.ts';
import type { MongoContext } from '../engine/context.ts';
import { reading, writing } from '../engine/operation-options.ts';
import { retryFirstUpsert } from '../engine/retry-duplicates.ts';
import { projectById } from './project-views.ts';

export async function saveForwardState(context: MongoContext, state: ForwardState): Promise<void> {
  const { projectId, updatedAt } = state;
  const { forwardStates } = context.collections;
  if ((await projectById(context, projectId)) === null) return;
  const filter = { _id: forwardStateKey(state) };
  const write = () =>
    forwardStates.replaceOne(filter, { ...state }, { ...writing('forward_states.save'), upsert: true });
  await retryFirstUpsert(write);
  const silent = { projectId, updatedAt: { $lt: updatedAt - FORWARD_STATE_MS } };
  await forwardStates.deleteMany(silent, writing('forward_states.forget'));
}

export async function listForwardStates(
  { collections }: MongoContext,
  projectId: number | null,
): Promise<ForwardState[]> {
  const rows = await collections.forwardStates
    .find(projectId === null ? {} : { projectId }, reading('forward_states.list'))
    .sort({ projectId: 1, _id: 1 })
    .toArray();
  return rows.map(({ _id, ...state }) => state);
}
