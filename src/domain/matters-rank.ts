import type { ErrorMarks } from './error-marks.ts';
import type { Level } from './event.ts';

/** What the order `matters` is made of (docs/adr/0017). */
export interface RankedError {
  /** Events in the range `24h`. */
  readonly events: number;
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

/** Returns the rank in the order `matters` as an integer, greatest first. May be negative. */
export function mattersRank({ events, users, lastSeen, level, marks }: RankedError): number {
  const marked =
    (marks.regressed === null ? 0 : 12) +
    (marks.escalating === null ? 0 : 10) +
    (marks.isNew ? 8 : 0) +
    (level === 'fatal' || marks.unhandled === true ? 4 : 0);
  const size = Math.log2(1 + events) + 2 * Math.log2(1 + users);
  return Math.round(FACTOR * (size + marked + (lastSeen - AGE_FROM) / FALLS_EVERY_MS));
}
