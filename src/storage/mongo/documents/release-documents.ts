import { createHash } from 'node:crypto';
import type { SessionCounts } from '../../../domain/releases/session.ts';
import type { UserReport } from '../../../domain/events/user-report.ts';
import type { ReleaseScope } from '../../releases/fold-releases.ts';
import { hexBinary, key, uint32Hex, type Binary } from './document-keys.ts';
import type { Watermarks } from './documents.ts';

/**
 * Documents of sessions, releases and reports, which batches write like others: see documents.ts. A release's key is a
 * hash of environment and release, 16 bytes. An empty environment stands for all of them, an empty release for all
 * releases.
 */

/** Counted facts of a session, each with its own row, created once by the batch that counts it. */
export const SESSION_ROWS = { seen: 0, errored: 1, ended: 2 } as const;
export type SessionRowKind = keyof typeof SESSION_ROWS;

export interface SessionRowDocument {
  /** Project, session id and kind, 21 bytes. */
  readonly _id: Binary;
  readonly p: number;
  /** Whole hour since the epoch in which the session began, by its first update. */
  readonly hr: number;
  /** Key of the release and environment. */
  readonly k: Binary;
  /** Code of the end as in session-outcomes.ts, in the row of the end; else 0. */
  readonly t: number;
  readonly s: number;
  readonly n: number;
}

export interface ReleaseDocument {
  /** Project and key, 20 bytes. */
  readonly _id: Binary;
  readonly p: number;
  readonly e: string;
  readonly r: string;
  readonly first: number;
  readonly last: number;
  readonly ev: number;
  readonly u: number;
  readonly cu: number;
  /** Absent without sessions. */
  readonly c?: ShortCounts;
  readonly w: Watermarks;
}

/** Sessions, with errors, crashed, abnormal, unhandled; absent: 0. */
export type ShortCounts = Readonly<Partial<Record<'s' | 'e' | 'c' | 'a' | 'u', number>>>;

/** Sessions of a release that began in the hours of one UTC day. */
export interface ReleaseHoursDocument {
  /** Project, key and day, 24 bytes. */
  readonly _id: Binary;
  readonly p: number;
  /** Whole days since the epoch. */
  readonly d: number;
  /** Counts by hour of the day, `'0'` to `'23'`. */
  readonly h: Readonly<Record<string, ShortCounts>>;
  readonly w: Watermarks;
}

/** Users with sessions of a release, and users with crashes in it: a row each. */
export interface ReleaseUserDocument {
  /** Project, key, user hash and kind, 33 bytes. */
  readonly _id: Binary;
  readonly p: number;
  readonly s: number;
  readonly n: number;
}

/** User reports of an event, which may not have arrived yet. */
export interface EventReportsDocument {
  /** Id of the event's document. */
  readonly _id: Binary;
  readonly p: number;
  /** Time of receipt of the newest report. */
  readonly rcv: number;
  /** Reports by their id. */
  readonly r: Readonly<Record<string, Omit<UserReport, 'id'>>>;
  readonly w: Watermarks;
}

export function sessionRowKey(projectId: number, sessionId: string, kind: SessionRowKind): Binary {
  return key(projectId, `${sessionId}0${SESSION_ROWS[kind]}`, 17);
}

/** Returns the hash of a release and an environment, 32 hex digits. */
export function releaseHash({ environment, release }: Pick<ReleaseScope, 'environment' | 'release'>): string {
  return createHash('sha256').update(`${environment}\0${release}`).digest('hex').slice(0, 32);
}

export function releaseKey(scope: ReleaseScope): Binary {
  return key(scope.projectId, releaseHash(scope), 16);
}

/** Returns the key of a release's hours. `day`: whole days since the epoch. */
export function releaseHoursKey(scope: ReleaseScope, day: number): Binary {
  return key(scope.projectId, releaseHash(scope) + uint32Hex(day), 20);
}

export function releaseUserKey(scope: ReleaseScope, userHash: string, crashed: boolean): Binary {
  return key(scope.projectId, releaseHash(scope) + userHash + (crashed ? '01' : '00'), 29);
}

export function scopeBinary(scope: Pick<ReleaseScope, 'environment' | 'release'>): Binary {
  return hexBinary(releaseHash(scope));
}

/** Returns the non-zero members of `counts`, under a path that ends in a dot. */
export function shortCounts(counts: SessionCounts, path: string): Record<string, number> {
  const all = [
    ['s', counts.sessions],
    ['e', counts.errored],
    ['c', counts.crashed],
    ['a', counts.abnormal],
    ['u', counts.unhandled],
  ] as const;
  return Object.fromEntries(all.filter(([, count]) => count !== 0).map(([name, count]) => [path + name, count]));
}

export function fromShort({ s = 0, e = 0, c = 0, a = 0, u = 0 }: ShortCounts): SessionCounts {
  return { sessions: s, errored: e, crashed: c, abnormal: a, unhandled: u };
}
