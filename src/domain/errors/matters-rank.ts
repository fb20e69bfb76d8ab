import type { ErrorMarks } from './error-marks.ts';
import type { Level } from '../events/event.ts';

/** What the order `matters` is made of (docs/adr/0017). */
export interface RankedError {
  /** Events in the range `24h`; null: unknown. */
  readonly events: number | null;
  /** Users of all time. */
  readonly users: number;
  readonly lastSeen: number;
  readonly level: Level | null;
  readonly marks: Pick<ErrorMarks, 'isNew' | 'regressed' | 'escalating' | 'unhandled'>;
}

const FACTOR = 1_000;
/** The rank falls by one in this time since the last event, in milliseconds. */
const FALLS_EVERY_MS = 43_200_000;
/** Instant from which the age is counted. Never changes: stored ranks depend on it. */
const AGE_FROM = Date.UTC(2026, 0, 1);

/** Bound of what events and users count: less than any of `regressed`, `escalating` and `new`. */
const MAX_SIZE = 12;

const OF_LEVEL: Readonly<Record<Level, number>> = { fatal: 6, error: 0, warning: -4, info: -8, debug: -8 };

/**
 * Returns the rank in the order `matters` as an integer, greatest first. May be negative. Stored ranks are of this rule:
 * another one needs a migration in both stores that queues all errors.
 */
export function mattersRank({ events, users, lastSeen, level, marks }: RankedError): number {
  const marked =
    (marks.regressed === null ? 0 : 16) +
    (marks.escalating === null ? 0 : 14) +
    (marks.isNew ? 12 : 0) +
    (marks.unhandled === true ? 4 : 0);
  const severity = level === null ? 0 : OF_LEVEL[level];
  return Math.round(FACTOR * (sizeOf(events, users) + marked + severity + (lastSeen - AGE_FROM) / FALLS_EVERY_MS));
}

/** Returns from 0 to MAX_SIZE. No more users than events of 24 hours count: the others were affected earlier. */
function sizeOf(events: number | null, users: number): number {
  const affected = events === null ? users : Math.min(users, events);
  const size = Math.log2(1 + (events ?? 0)) + 2 * Math.log2(1 + affected);
  return (MAX_SIZE * size) / (MAX_SIZE + size);
}
