import type { OutcomeCount } from '../../../domain/digest.ts';
import type { DigestedRecord } from '../loop/digest-function.ts';

/** Why an item is not kept; the store counts those that are. */
export interface ItemFate extends Pick<OutcomeCount, 'category' | 'quantity'> {
  readonly outcome: 'filtered' | 'invalid';
  readonly reason: string;
}

/** What an item comes to, or why to nothing. */
export type DigestedItem = Pick<DigestedRecord, 'session' | 'report'> & { readonly fate: ItemFate | null };
