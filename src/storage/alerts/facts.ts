import { usersStep, type NewFact } from '../../domain/alerts/alert-fact.ts';
import type { FactCause } from '../../domain/errors/fact-cause.ts';
import type { DigestedEvent } from '../../domain/ingest/digest.ts';
import type { ActivityEntry, StatusDetails, UnmuteReason } from '../../domain/errors/error-state.ts';

/** What a fact says of its error; texts as they are at that time. */
export type FactSubject = Pick<
  NewFact,
  'projectId' | 'errorId' | 'type' | 'title' | 'message' | 'culprit' | 'level'
> & {
  readonly groupHash: string;
};

/** What a fact says of the event that caused it. */
export type FactOrigin = Pick<NewFact, 'release' | 'environment'>;

/** Returns the fact that an event created an error; it has the event's texts and its own time. */
export function newErrorFact(errorId: string, event: Omit<DigestedEvent, 'payload'>): NewFact {
  const { projectId, groupHash, at, type, title, message, culprit, level, release, environment } = event;
  const subject = { projectId, errorId, type, title, message, culprit, level };
  return { id: `new:${groupHash}`, kind: 'new', cause: {}, ...subject, at, release, environment };
}

/**
 * Returns the fact that belongs to an entry of the activity log by which a status ended. `resolvedAt`: when the error
 * was resolved; null: it was not. The release of a `regressed` entry is that of its event.
 */
export function statusFact(
  subject: FactSubject,
  { at, kind, details }: ActivityEntry,
  resolvedAt: number | null,
  { release: newest, environment }: FactOrigin,
): NewFact {
  const { groupHash, ...shown } = subject;
  if (kind === 'regressed') {
    const { release = null } = details;
    const id = `regressed:${groupHash}:${resolvedAt ?? 0}`;
    return { id, kind, cause: {}, ...shown, at, release, environment };
  }
  const cause = details.reason === undefined ? {} : unmuteCause(details.reason, details.status);
  return { id: `unmuted:${groupHash}:${at}`, kind: 'unmuted', cause, ...shown, at, release: newest, environment };
}

function unmuteCause(reason: UnmuteReason, { ignoreCount, ignoreUserCount }: StatusDetails = {}): FactCause {
  const count = reason === 'events' ? ignoreCount : reason === 'users' ? ignoreUserCount : undefined;
  return { reason, ...(count === undefined ? {} : { count }) };
}

/** Returns the fact that an error has reached a step of affected users. */
export function usersFact(
  subject: FactSubject,
  step: number,
  at: number,
  { release, environment }: FactOrigin,
): NewFact {
  const { groupHash, ...shown } = subject;
  const id = `users:${groupHash}:${step}`;
  return { id, kind: 'escalated', cause: { users: step }, ...shown, at, release, environment };
}

/** Returns the step that `users` passes beyond the one reached before; null: none. */
export function passedStep(users: number, reached: number): number | null {
  const step = usersStep(users);
  return step > reached ? step : null;
}

/**
 * Returns the environment of a fact without an event, or of one of several errors: that of all events so far, if they
 * have the same; else null.
 */
export function onlyEnvironment(environments: Iterable<string>): string | null {
  const [only, ...more] = new Set(environments);
  return only !== undefined && more.length === 0 ? only : null;
}
