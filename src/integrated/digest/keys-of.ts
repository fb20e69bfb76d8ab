import type { NormalisedEvent } from '../../domain/events/event.ts';
import { asSentIfGroupedSo } from '../../domain/events/grouped-as-sent.ts';
import { withoutTransactionOfTrace } from '../../domain/events/trace-transaction.ts';
import { groupV2 } from './group/v2/group.ts';
import { groupHashOf } from './group-hash.ts';

/** Returns the grouping keys of an event, newest version first, each with its group hash in a project. */
export function keysOf(projectId: number, event: NormalisedEvent): { key: string; groupHash: string }[] {
  const { former = [], ...own } = groupV2(withoutTransactionOfTrace(asSentIfGroupedSo(event)));
  return [own, ...former].map((each) => ({ key: each.key, groupHash: groupHashOf(projectId, each).groupHash }));
}
