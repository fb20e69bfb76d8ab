import type { Clock } from '../../domain/ports/clock.ts';
import type { TrackerReply } from '../../thirdparty/answer.ts';
import { refused, type Attempt } from '../../thirdparty/refused.ts';
import type { PatientAsker } from './patient-asker.ts';

/** Access to one organization of a tracker, shared by all parts of a reader. */
export interface SourceAccess {
  readonly asker: PatientAsker;
  /** Scheme, host, port and sub-path; no trailing slash. */
  readonly baseUrl: string;
  /** Slug; empty for trackers without organizations. */
  readonly organization: string;
  readonly clock: Clock;
  /** Sentences about what cannot be read; grows while reading. */
  readonly cannot: Set<string>;
}

/** Error for a refusal, with the scope that the token needs. */
export function refusal(access: SourceAccess, reply: TrackerReply, attempt: Attempt): Error {
  return refused(reply, new URL(access.baseUrl).host, attempt);
}

/** Time of an answer by the tracker's clock; ours when it sends none. */
export function timeOfReply({ clock }: SourceAccess, reply: TrackerReply): number {
  return reply.date ?? clock.now();
}

/**
 * Handles the refusal of a part without which an import goes on. A missing scope, or a part that this version does not
 * have, is noted once; other refusals are thrown.
 */
export function doWithout(access: SourceAccess, reply: TrackerReply, what: string, scope: string): void {
  if (reply.status === 403) {
    access.cannot.add(`${what}: the token lacks the scope ${scope}`);
  } else if (reply.status === 404 || reply.status === 405 || reply.status === 410) {
    access.cannot.add(`${what}: this version of the tracker has no such list`);
  } else {
    throw refusal(access, reply, { doing: `list ${what}`, scope });
  }
}
