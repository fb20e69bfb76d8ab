import type { OutcomeDimension, OutcomeSum } from './outcome-sums.ts';
import { isoTime } from '../../http/iso-time.ts';

export function presentOutcome({ place, quantity }: OutcomeSum, groupBy: readonly OutcomeDimension[]) {
  const members = groupBy.map((dimension, index) => {
    const value = place[index];
    const isTime = (dimension === 'hour' || dimension === 'day') && typeof value === 'number';
    return [dimension, isTime ? isoTime(value) : value] as const;
  });
  return { ...Object.fromEntries(members), quantity };
}
