import type { NormalisedEvent } from '../../domain/event.ts';
import { asGrouped } from '../../domain/trace-transaction.ts';
import { groupV1 } from './group/v1/group.ts';
import { groupHashOf } from './group-hash.ts';

/** Returns the grouping keys of an event, newest version first, each with its group hash in a project. */
export function keysOf(projectId: number, event: NormalisedEvent): { key: string; groupHash: string }[] {
  const found = groupV1(asGrouped(event));
  return [{ key: found.key, groupHash: groupHashOf(projectId, found).groupHash }];
}
