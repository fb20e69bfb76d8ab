import type { Conversation } from '../domain/alerts/alert-delivery.ts';
import { readyAt } from './sending/pace.ts';

/** Returns the time since which the oldest message or fact should be sent, by the clock of `now`; null: none. */
export function unsentSince(rows: readonly Conversation[], now: number): number | null {
  const times = rows.map((row) => row.pending?.message.createdAt ?? readyAt(row, now) ?? Infinity);
  const oldest = Math.min(...times);
  return oldest <= now ? oldest : null;
}
