import type { NewFact } from '../../../domain/alerts/alert-fact.ts';
import type { StoredMarks } from '../../../domain/errors/error-marks.ts';
import type { ErrorDocument } from '../documents/error-documents.ts';
import type { MARK_MEMBERS } from '../documents/error-members.ts';

export type MarkMembers = Pick<ErrorDocument, keyof typeof MARK_MEMBERS>;

/** Members of the review, which ends when a status is set: that also counts as a look. */
export const REVIEW_MEMBERS = ['ask', 'g.ask'] as const;

/** Operator that ends the review of an error, because a member has looked at it. */
export const LOOKED_AT = { $unset: { ask: '', 'g.ask': '' } } as const;

export function storedMarks({ reg, esc, um, ask, uh }: MarkMembers): StoredMarks {
  return {
    regressed: reg?.at === undefined ? null : { at: reg.at, release: reg.r },
    escalated: esc === undefined ? null : { at: esc.at, cause: esc.c },
    unmuted: um === undefined ? null : { at: um.at, cause: um.c },
    reviewAt: ask ?? null,
    unhandled: uh ?? null,
  };
}

/** Returns the members of stored marks. */
export function membersOfMarks({ regressed, escalated, unmuted, reviewAt, unhandled }: StoredMarks): MarkMembers {
  return {
    ...(regressed === null ? {} : { reg: { at: regressed.at, r: regressed.release } }),
    ...(escalated === null ? {} : { esc: { at: escalated.at, c: escalated.cause } }),
    ...(unmuted === null ? {} : { um: { at: unmuted.at, c: unmuted.cause } }),
    ...(reviewAt === null ? {} : { ask: reviewAt }),
    ...(unhandled === null ? {} : { uh: unhandled }),
  };
}

/** Returns the members that set the mark of a fact; they belong into the write that leaves the fact. */
export function markOf({ kind, at, release, cause }: Pick<NewFact, 'kind' | 'at' | 'release' | 'cause'>): MarkMembers {
  switch (kind) {
    case 'new':
      return { ask: at };
    case 'regressed':
      return { reg: { at, r: release }, ask: at };
    case 'escalated':
      return { esc: { at, c: cause }, ask: at };
    case 'unmuted':
      return { um: { at, c: cause }, ask: at };
  }
}

/** Returns the members of `markOf` for an update; of a merge root also those of its displayed row. */
export function setMarks(fact: Parameters<typeof markOf>[0], isRoot: boolean): MarkMembers {
  const own = markOf(fact);
  const shown = isRoot ? Object.entries(own).map(([name, value]) => [`g.${name}`, value] as const) : [];
  return { ...own, ...Object.fromEntries(shown) };
}

/** Returns the marks of a merged error: the newest ones of its members. `rows`: the root first, then by number. */
export function marksOfMembers(rows: readonly MarkMembers[]): MarkMembers {
  const newest = <T>(list: readonly (T | undefined)[], at: (each: T) => number): T | undefined =>
    list.reduce((best, each) => (each !== undefined && (best === undefined || at(each) > at(best)) ? each : best), undefined); // prettier-ignore
  const reg = newest(rows.map((row) => row.reg), ({ at = -1 }) => at); // prettier-ignore
  const esc = newest(rows.map((row) => row.esc), ({ at }) => at); // prettier-ignore
  const um = newest(rows.map((row) => row.um), ({ at }) => at); // prettier-ignore
  const ask = newest(rows.map((row) => row.ask), (at) => at); // prettier-ignore
  const uh = newest(rows.map((row) => row.uh), Number); // prettier-ignore
  return {
    ...(reg === undefined ? {} : { reg }),
    ...(esc === undefined ? {} : { esc }),
    ...(um === undefined ? {} : { um }),
    ...(ask === undefined ? {} : { ask }),
    ...(uh === undefined ? {} : { uh }),
  };
}
