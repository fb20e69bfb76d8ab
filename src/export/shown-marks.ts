import type { StoredMarks } from '../domain/errors/error-marks.ts';

const time = (at: number): string => new Date(at).toISOString();

/** Returns the marks that there are, without the ids of rules, which mean nothing elsewhere. */
export function shownMarks({ regressed, escalated, unmuted, reviewAt, unhandled }: StoredMarks): { marks?: object } {
  const { ruleId: _, ...cause } = escalated?.cause ?? {};
  const marks = {
    ...(regressed === null ? {} : { regressed: { at: time(regressed.at), release: regressed.release } }),
    ...(escalated === null ? {} : { escalated: { at: time(escalated.at), cause } }),
    ...(unmuted === null ? {} : { unmuted: { at: time(unmuted.at), cause: unmuted.cause } }),
    ...(reviewAt === null ? {} : { for_review_since: time(reviewAt) }),
    ...(unhandled === null ? {} : { unhandled }),
  };
  return Object.keys(marks).length === 0 ? {} : { marks };
}
