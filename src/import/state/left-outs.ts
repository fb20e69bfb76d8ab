/** Something that was not imported. */
export interface LeftOut {
  /** Slug of the project; null: of the organization. */
  readonly project: string | null;
  /** `issue 4711`, `key`, `comments`. */
  readonly what: string;
  readonly reason: string;
}

/** Left-outs that are listed per project; the rest is counted. */
const MAX_LISTED = 200;
/** Characters of a reason, which may quote the tracker. */
const MAX_TEXT = 300;

export interface LeftOuts {
  readonly items: LeftOut[];
  /** Number of those that are not listed. */
  more: number;
}

/** Adds one left-out. A repeated pass does not list it twice. */
export function leaveOut(list: LeftOuts, project: string | null, what: string, reason: string): void {
  const item = { project, what: what.slice(0, MAX_TEXT), reason: reason.slice(0, MAX_TEXT) };
  if (list.items.some((known) => known.what === item.what && known.reason === item.reason)) return;
  if (list.items.length < MAX_LISTED) list.items.push(item);
  else list.more += 1;
}
