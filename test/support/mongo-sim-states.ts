import type { StatusDetails } from '../../src/domain/errors/error-state.ts';
import type { ErrorStatus } from '../../src/domain/errors/error-status.ts';
import { occurredAt } from '../../src/storage/state/status-end.ts';
import { releaseOf, type SimEvent } from './mongo-sim-records.ts';
import { NOON } from './store-data.ts';

/** Status that a person sets, and what it waits for. */
export interface Choice {
  readonly status: ErrorStatus;
  readonly details: StatusDetails | null;
  readonly now: number;
}

/** Choice about an error, with what had happened to it at that moment. */
export interface Decision extends Choice {
  /** Time that a resolution covers; null for other statuses. */
  readonly res: number | null;
  readonly events: number;
  readonly users: number;
}

/** Draws a status; half of them wait for something. */
export function drawChoice(random: () => number): Choice {
  const drawn = random() * 6;
  const pick = (below: number) => Math.floor((drawn % 1) * below);
  const choices: readonly Omit<Choice, 'now'>[] = [
    { status: 'resolved', details: null },
    { status: 'resolved', details: { inRelease: releaseOf(pick(9)) } },
    { status: 'unresolved', details: null },
    { status: 'ignored', details: null },
    { status: 'ignored', details: { ignoreCount: 1 + pick(3) } },
    { status: 'ignored', details: { ignoreUserCount: 1 + pick(2) } },
  ];
  const choice = choices[Math.floor(drawn)] ?? { status: 'resolved', details: null };
  return { ...choice, now: NOON + Math.floor(random() * 9000) };
}

/** Draws a time until which an error is ignored. */
export function drawMute(random: () => number): Choice {
  const until = NOON + Math.floor(random() * 9000);
  return { status: 'ignored', details: { ignoreUntil: until }, now: NOON };
}

/** True when the events of an error, whatever their order, have ended the decision. */
export function isEnded(
  { status, details, res, events, users }: Decision,
  happened: readonly SimEvent[],
  distinctUsers: number,
): boolean {
  if (status === 'unresolved') return true;
  if (status === 'resolved') {
    const limit = details?.inRelease === undefined ? -1 : Number(details.inRelease.split('.')[1]);
    return happened.some((event) => event.id > limit && occurredAt(event) > (res ?? Infinity));
  }
  // At the end all times have passed.
  if (details?.ignoreUntil !== undefined) return true;
  const { ignoreCount = Infinity, ignoreUserCount = Infinity } = details ?? {};
  return happened.length - events >= ignoreCount || distinctUsers - users >= ignoreUserCount;
}
