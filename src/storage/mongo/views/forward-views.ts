import type { Forward, ForwardState } from '../../../domain/forward.ts';
import type { ForwardDocument } from '../command-documents.ts';
import type { MongoContext } from '../context.ts';
import { reading } from '../operation-options.ts';

export async function forward({ collections }: MongoContext, projectId: number): Promise<Forward | null> {
  const found = await collections.forwards.findOne({ _id: projectId }, reading('forwards.by_project'));
  return found === null ? null : toForward(found);
}

export async function listForwards({ collections }: MongoContext): Promise<Forward[]> {
  const rows = await collections.forwards.find({}, reading('forwards.list')).sort({ _id: 1 }).toArray();
  return rows.map(toForward);
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

function toForward({ _id, ...forward }: ForwardDocument): Forward {
  return { projectId: _id, ...forward };
}
