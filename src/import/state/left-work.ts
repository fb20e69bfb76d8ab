import { counted } from '../../lib/counted.ts';
import { type LeftOut, type LeftOuts, openCount } from './left-outs.ts';
import { failedLookUps, type ProjectState } from './project-state.ts';

/** What an import has not brought along though it could, in numbers. */
export interface LeftWork {
  /** Issues that could not be read whole. */
  readonly issues: number;
  /** Issues whose counts wait. */
  readonly counts: number;
  /** Errors whose look-up by event id failed. */
  readonly lookUps: number;
  /** Rows and parts about which something can be done, as listed and beyond. */
  readonly others: readonly LeftOut[];
  readonly moreOthers: number;
  readonly total: number;
  /** True: nothing can be done by a further run alone. */
  readonly needsMending: boolean;
}

/** Others that are named in one line. */
const MAX_NAMED = 3;

/** Counts what is left of a run. `ofRun`: left-outs of the organization. */
export function leftIn(ofRun: LeftOuts, projects: readonly ProjectState[]): LeftWork {
  const sum = (of: (one: ProjectState) => number): number => projects.reduce((total, one) => total + of(one), 0);
  const lists = [ofRun, ...projects.map(({ leftOut }) => leftOut)];
  const others = lists.flatMap(({ items }) => items.filter(({ open }) => open !== undefined));
  const open = lists.reduce((total, list) => total + openCount(list), 0);
  const issues = sum(({ owed = {} }) => Object.keys(owed).length);
  const counts = sum(({ waiting, waitingMore }) => waiting.length + waitingMore);
  const lookUps = sum(failedLookUps);
  const retried = issues + counts + lookUps;
  return {
    issues,
    counts,
    lookUps,
    others,
    moreOthers: open - others.length,
    total: retried + open,
    needsMending: retried === 0 && open === others.length && others.every((one) => one.open === 'mend'),
  };
}

/** Lists the issues of a project that could not be read whole, as left-outs. */
export function owedIssues({ slug, owed = {} }: ProjectState): LeftOut[] {
  return Object.entries(owed).map(([id, reason]) => ({
    project: slug,
    what: `issue ${id}`,
    reason,
    open: 'retry' as const,
  }));
}

/** Describes in one line what is left, and what to do; null: nothing is. */
export function leftText({
  issues,
  counts,
  lookUps,
  others,
  moreOthers,
  total,
  needsMending,
}: LeftWork): string | null {
  if (total === 0) return null;
  const names = others.map(({ project, what }) => (project === null ? what : `${what} of ${project}`));
  const hidden = Math.max(0, names.length - MAX_NAMED) + moreOthers;
  const parts = [
    ...(issues === 0 ? [] : [`what the tracker failed to give of ${counted(issues, 'issue')}`]),
    ...(lookUps === 0 ? [] : [`${counted(lookUps, 'look-up')} of errors that began here`]),
    ...(counts === 0
      ? []
      : [`the counts of ${counted(counts, 'error')}, because events came in or were being forwarded`]),
    ...names.slice(0, MAX_NAMED),
    ...(hidden === 0 ? [] : [`${hidden} more`]),
  ];
  const cure = needsMending
    ? 'the reasons are listed under what was left out; mend them, and run it again'
    : 'run it again in some minutes';
  return `${total} left: ${parts.join(', ')}; ${cure}`;
}
