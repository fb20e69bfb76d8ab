import type { RuleTiming } from '../domain/alerts/alert-rule.ts';
import { nextTimeOfDay, quietUntil } from './zoned-time.ts';
import { HOUR_MS } from '../domain/durations.ts';

/** Returns the earliest time at which a rule lets a fact of now be sent; null: at once. */
export function heldUntil({ mode, at, quiet, zone }: RuleTiming, now: number): number | null {
  let due = now;
  if (mode === 'hourly') due = (Math.floor(now / HOUR_MS) + 1) * HOUR_MS;
  if (mode === 'daily') due = nextTimeOfDay(zone, at, now);
  due = quietUntil(zone, quiet, due) ?? due;
  return due > now ? due : null;
}
