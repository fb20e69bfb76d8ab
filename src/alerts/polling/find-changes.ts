import type { NewFact } from '../../domain/alerts/alert-fact.ts';
import type { TrackedError } from '../../domain/errors/tracked-error.ts';
import { type PagesRead, readNewest, readPages, type ReadIssues } from './issue-pages.ts';
import { boundDraft, draftOf, MAX_MARKED, type PollDraft, type PollState } from './poll-state.ts';

/**
 * Maximum pages by the first event: of more new issues between two polls, the others are reported when they occur
 * again.
 */
const NEWEST_PAGES = 10;
/** Maximum pages by the last event: the others are looked at when they occur again. */
const ACTIVE_PAGES = 5;
/** Milliseconds by which events may appear in the list later than newer ones. */
const LAG_MS = 300_000;
/** Milliseconds by which the saved time of the newest event may be behind, so that quiet polls write nothing. */
const SAVE_BEHIND_MS = 600_000;

export interface Changes {
  readonly facts: readonly NewFact[];
  readonly state: PollState;
  /** False: nothing in the state is worth a write. */
  readonly changed: boolean;
  /** Page of the list of resolved issues to read at the next poll; null: the one behind the first. */
  readonly deeper: string | null;
}

export interface PollTurn {
  readonly projectId: number;
  readonly read: ReadIssues;
  readonly now: number;
  /** Page of the list of resolved issues that this poll reads beside the first; see `Changes`. */
  readonly deeper: string | null;
}

/** Finds new and regressed issues since the state, and the state after it. Writes nothing. */
export async function findChanges(before: PollState, { projectId, read, now, deeper }: PollTurn): Promise<Changes> {
  const draft = draftOf(before);
  const isUnknown = ({ id, firstSeen }: TrackedError): boolean => firstSeen > before.floor && !before.known.has(id);
  const newest = await readNewest(read, {
    status: 'all',
    maxPages: NEWEST_PAGES,
    more: (page) => page.some(isUnknown),
  });
  const until = before.newestSeen - LAG_MS;
  const active = await readPages(read, {
    status: 'unresolved',
    sort: 'last_seen',
    maxPages: ACTIVE_PAGES,
    more: (page) => page.every(({ lastSeen }) => lastSeen > until),
  });
  const resolved = await readResolved(read, deeper);

  const issues = new Map([...(newest?.issues ?? []), ...active.issues].map((issue) => [issue.id, issue]));
  const facts: NewFact[] = [];
  const add = (issue: TrackedError, kind: 'new' | 'regressed'): void => {
    facts.push(factOf(issue, kind, { state: before, projectId, now }));
  };
  for (const issue of issues.values()) {
    if (issue.status === 'unresolved') {
      const regressed = regresses(issue, draft, before, now);
      if (isUnknown(issue)) add(issue, 'new');
      else if (regressed) add(issue, 'regressed');
    }
    if (issue.status === 'resolved') draft.resolved.set(issue.id, issue.lastSeen);
    draft.known.set(issue.id, issue.firstSeen);
    draft.newestSeen = Math.max(draft.newestSeen, Math.min(issue.lastSeen, now));
  }
  for (const { id, status, firstSeen, lastSeen } of resolved.issues) {
    // Lists of trackers may be older than the status in them.
    if (status !== 'resolved' || issues.get(id)?.status === 'unresolved') continue;
    draft.resolved.set(id, lastSeen);
    draft.known.set(id, firstSeen);
    draft.marked.delete(id);
  }
  boundDraft(draft);
  const changed = facts.length > 0 || differs(before, draft);
  const state = changed ? { ...before, ...draft, polls: before.polls + 1 } : before;
  return { facts, state, changed, deeper: resolved.next };
}

/** Reads the first page of resolved issues, and one further page of all of them in turn. */
async function readResolved(read: ReadIssues, deeper: string | null): Promise<PagesRead> {
  const wanted = { status: 'resolved', sort: 'last_seen', maxPages: 1 } as const;
  const first = await readPages(read, wanted);
  const cursor = deeper ?? first.next;
  if (cursor === null) return first;
  const further = await readPages(read, { ...wanted, cursor });
  return { issues: [...first.issues, ...further.issues], next: further.next };
}

/** Returns whether an unresolved issue was resolved before, and notes it. */
function regresses(
  { id, marks }: TrackedError,
  draft: PollDraft,
  { marksFrom, known }: PollState,
  now: number,
): boolean {
  const wasResolved = draft.resolved.delete(id);
  if ((marks?.regressed ?? null) === null) {
    draft.marked.delete(id);
    return wasResolved;
  }
  if (draft.marked.has(id) || draft.marked.size >= MAX_MARKED) return wasResolved;
  draft.marked.add(id);
  return wasResolved || now >= marksFrom || known.has(id);
}

interface FactContext {
  readonly state: PollState;
  readonly projectId: number;
  readonly now: number;
}

/** The id depends on the state alone, so that a poll that is repeated from the same state adds nothing. */
function factOf(issue: TrackedError, kind: 'new' | 'regressed', { state, projectId, now }: FactContext): NewFact {
  const { id, type, title, message, culprit, level, firstSeen, lastSeen, lastRelease, firstRelease } = issue;
  // Ids of one link are not those of another.
  const place = `tp${projectId}.${state.stockAt.toString(36)}`;
  return {
    id: kind === 'new' ? `new:${place}:${id}` : `regressed:${place}:${id}:${state.polls}`,
    kind,
    cause: {},
    projectId,
    errorId: id,
    // Clocks of trackers and SDKs may be wrong.
    at: Math.min(now, Math.max(kind === 'new' ? firstSeen : lastSeen, state.newestSeen, state.stockAt)),
    type,
    title,
    message,
    culprit,
    level,
    release: lastRelease ?? firstRelease,
    environment: null,
  };
}

function differs(before: PollState, after: PollDraft): boolean {
  type Keys = Pick<ReadonlySet<string>, 'size' | 'keys' | 'has'>;
  const sameKeys = (a: Keys, b: Keys): boolean => a.size === b.size && [...a.keys()].every((key) => b.has(key));
  return (
    after.newestSeen - before.newestSeen >= SAVE_BEHIND_MS ||
    !sameKeys(before.known, after.known) ||
    !sameKeys(before.resolved, after.resolved) ||
    !sameKeys(before.marked, after.marked)
  );
}
