/**
 * What can be done about a left-out. `retry`: a further run tries it again. `mend`: a person has to change something
 * first, such as the scopes of the token.
 */
export type LeftOpen = 'retry' | 'mend';

/** Something that was not imported. */
export interface LeftOut {
  /** Slug of the project; null: of the organization. */
  readonly project: string | null;
  /** `issue 4711`, `key`, `comments`. */
  readonly what: string;
  readonly reason: string;
  /** Absent: it stays different here, and the import is complete nevertheless. */
  readonly open?: LeftOpen;
}

/** Left-outs that are listed per project; the rest is counted. */
export const MAX_LISTED = 200;
/** Characters of a reason, which may quote the tracker. */
const MAX_TEXT = 300;

export interface LeftOuts {
  items: LeftOut[];
  /** Number of those that are not listed. */
  more: number;
  /** Number of open ones among them; absent: none. */
  moreOpen?: number;
}

/** Adds one left-out. A repeated pass does not list it twice. */
export function leaveOut(list: LeftOuts, project: string | null, what: string, reason: string, open?: LeftOpen): void {
  const item: LeftOut = {
    project,
    what: what.slice(0, MAX_TEXT),
    reason: reason.slice(0, MAX_TEXT),
    ...(open === undefined ? {} : { open }),
  };
  if (list.items.some((known) => known.what === item.what && known.reason === item.reason)) return;
  if (list.items.length < MAX_LISTED) {
    list.items.push(item);
    return;
  }
  list.more += 1;
  if (open !== undefined) list.moreOpen = (list.moreOpen ?? 0) + 1;
}

/** Removes what is tried again now. */
export function dropRetried(list: LeftOuts): void {
  list.items = list.items.filter(({ open }) => open === undefined);
  list.more -= list.moreOpen ?? 0;
  delete list.moreOpen;
}

/** Returns the number of left-outs about which something can be done. */
export function openCount(list: LeftOuts): number {
  return list.items.filter(({ open }) => open !== undefined).length + (list.moreOpen ?? 0);
}
