import { SESSION_ENDS, type SessionCounts, type SessionEnd } from '../domain/session.ts';
import { NO_SESSIONS } from './fold-releases.ts';

/** How the end of a session stands in both stores; 0: it goes on. Never renumbered. */
export function endCode(end: SessionEnd | null): number {
  return end === null ? 0 : SESSION_ENDS.indexOf(end) + 1;
}

/** What a session of that end adds beside itself; an orderly end adds nothing. */
export function endCounts(code: number): SessionCounts {
  const end = SESSION_ENDS[code - 1];
  return end === undefined || end === 'exited' ? NO_SESSIONS : { ...NO_SESSIONS, [end]: 1 };
}

export const CRASHED = endCode('crashed');
