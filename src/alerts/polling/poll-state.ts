/** What is known of the issues of one linked project. Times are milliseconds since the epoch. */
export interface PollState {
  readonly version: 1;
  /** Tracker and project that it belongs to; another link takes stock again. */
  readonly link: string;
  /** Time of the first poll. */
  readonly stockAt: number;
  /** Number of polls that found something; names facts. */
  readonly polls: number;
  /** Issues first seen at this time or before count as known. */
  readonly floor: number;
  /** Known issues that were first seen later, with that time; at most MAX_KNOWN, then `floor` rises. */
  readonly known: ReadonlyMap<string, number>;
  /** Issues seen as resolved, with their last event; at most MAX_RESOLVED, those seen least recently are dropped. */
  readonly resolved: ReadonlyMap<string, number>;
  /** Issues that the tracker marks as regressed, reported or found by the first poll; at most MAX_MARKED. */
  readonly marked: ReadonlySet<string>;
  /** Time from which marks of the tracker are reported: the first poll may not have seen all that were there. */
  readonly marksFrom: number;
  /** Newest last event of a poll, never later than the poll. */
  readonly newestSeen: number;
}

export const MAX_KNOWN = 2000;
export const MAX_RESOLVED = 5000;
/** Beyond it, marks of further issues are not reported: better missed than repeated. */
export const MAX_MARKED = 1000;

/** Draft of the next state. */
export interface PollDraft {
  floor: number;
  readonly known: Map<string, number>;
  readonly resolved: Map<string, number>;
  readonly marked: Set<string>;
  newestSeen: number;
}

export function draftOf(state: Pick<PollState, keyof PollDraft>): PollDraft {
  const { floor, known, resolved, marked, newestSeen } = state;
  return { floor, known: new Map(known), resolved: new Map(resolved), marked: new Set(marked), newestSeen };
}

/** Removes the entries with the lowest times beyond `most`; returns the highest removed time, or null. */
function trim(times: Map<string, number>, most: number): number | null {
  if (times.size <= most) return null;
  const oldest = [...times].sort(([, a], [, b]) => a - b).slice(0, times.size - most);
  for (const [id] of oldest) times.delete(id);
  return oldest.at(-1)?.[1] ?? null;
}

/** Keeps the draft within its bounds. */
export function boundDraft(draft: PollDraft): void {
  draft.floor = Math.max(draft.floor, trim(draft.known, MAX_KNOWN) ?? draft.floor);
  for (const [id, firstSeen] of draft.known) if (firstSeen <= draft.floor) draft.known.delete(id);
  trim(draft.resolved, MAX_RESOLVED);
}

export function writePollState(state: PollState): string {
  const { known, resolved, marked } = state;
  return JSON.stringify({ ...state, known: [...known], resolved: [...resolved], marked: [...marked] });
}

interface SavedState extends Omit<PollState, 'known' | 'resolved' | 'marked'> {
  readonly known: [string, number][];
  readonly resolved: [string, number][];
  readonly marked: string[];
}

/** Returns null for none, and for a state of another version or link: stock is taken again. */
export function readPollState(text: string | null, link: string): PollState | null {
  const saved = text === null ? null : (JSON.parse(text) as SavedState | null);
  if (saved?.version !== 1 || saved.link !== link) return null;
  const { known, resolved, marked } = saved;
  return { ...saved, known: new Map(known), resolved: new Map(resolved), marked: new Set(marked) };
}
