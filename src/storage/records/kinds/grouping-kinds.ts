import type { Continuation } from '../../../domain/ingest/continuation.ts';
import { hex, integer, kind, type Kind } from '../kind.ts';

/** Batches write the rows. They go with the error of the group hash, unless its next events are dropped. */
export const continuations: Kind<Continuation, 'projectId' | 'groupHash'> = kind({
  name: 'continuations',
  key: ['projectId', 'groupHash'],
  of: 'project',
  members: { projectId: integer, groupHash: hex, mappedHash: hex },
  indexes: { of_project: ['projectId', 'groupHash'] },
});
