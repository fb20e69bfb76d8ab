import type { MaybeStale } from '../../../domain/page.ts';
import { isoTime } from '../../http/iso-time.ts';
import type { AgentAnswer } from './agent-answer.ts';

/** Says that an answer is a copy, because its tracker did not answer. */
export function staleFact(answer: AgentAnswer, { staleSince }: MaybeStale): void {
  if (staleSince !== undefined) {
    answer.notice(`As of ${isoTime(staleSince)}: the external tracker does not answer, this is the last copy.`);
  }
}
