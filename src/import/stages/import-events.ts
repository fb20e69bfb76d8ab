import { setImmediate as turn } from 'node:timers/promises';
import type { ImportedEvent, NewAlias } from '../../domain/imports/import.ts';
import { groupKeyOf, readRemoteEvent } from '../join/group-keys.ts';
import { type Joined, Joiner } from '../join/join-issue.ts';
import type { LikenessIndex } from '../join/likeness-index.ts';
import type { ProjectContext } from '../project-context.ts';
import { sideBySide } from '../side-by-side.ts';
import type { EventsWanted, IssuePage, RemoteIssue } from '../tracker-reader.ts';
import { listingOf } from '../state/issue-marks.ts';
import { noteEmpty, setJoined, settleOwed } from '../state/project-state.ts';
import { OVERLAP_MS, walkAll, walkRecent } from './issue-walk.ts';
import { EventEnds, tellsMore } from '../join/event-ends.ts';
import { readAgain } from './read-again.ts';
import { errorOf, putIssue } from './put-issue.ts';
import { importNotes } from './import-notes.ts';
import { markFoundEvents, ownEvents } from './mark-found-events.ts';
import { forgetUnderOtherOptions, isUnchanged, markIssue, type MetIssue, type ReadIssue } from './unchanged-issues.ts';
import { wholeIssue } from './whole-issue.ts';

/** Issues that are worked on at once, more than the client's requests, so that it never waits for the store. */
const AT_ONCE = 8;
/** Milliseconds for which trackers keep events at least: an issue seen since then should have some. */
const KEPT_MS = 30 * 86_400_000;
/** Bodies that are written at once: bounds memory, up to 1 MB each. */
const BODIES_AT_ONCE = 10;

/** Sums of a page, added to the state together with the cursor. */
interface PageSums {
  joined: number;
  conflicts: number;
  bodies: number;
  /** Comments and reports of issues that no earlier pass has counted. */
  notes: number;
  comments: number;
  reports: number;
  done: number;
}

/**
 * Imports the events of each issue: bodies, aliases of their group keys, notes. The first time all issues, later those
 * that were seen since the last complete pass and have changed.
 */
export async function importEvents(context: ProjectContext, index: LikenessIndex): Promise<void> {
  const { state } = context;
  const walk = state.events;
  const isFirst = walk.completeSince === null;
  const joiner = new Joiner(context);
  const stage = context.stage('events');
  const owedBefore = [...new Set([...Object.keys(state.owed ?? {}), ...(state.empty ?? [])])];
  stage.total = isFirst ? Math.max(context.stage('errors').done, stage.done) : null;
  const marks = await context.marks();
  await forgetUnderOtherOptions(context, marks);
  const reported = walk.completeSince === null ? null : await reportsSince(context, walk.completeSince - OVERLAP_MS);
  const readIssues = async (pass: IssuePass, issues: readonly MetIssue[]): Promise<void> => {
    // Those of the batch before, whose work is saved by now.
    await marks.save();
    const sums = newSums();
    await sideBySide(issues, AT_ONCE, async (met) => {
      if (pass === 'later' && (await isUnchanged(context, marks, reported, met))) return;
      const read = await importIssue(context, joiner, index, pass, met.issue, sums);
      if (read !== null) await markIssue(context, marks, met, read);
    });
    await index.save();
    addSums(context, sums);
  };
  const onPage = ({ issues, at }: IssuePage): Promise<void> =>
    readIssues(
      isFirst ? 'first' : 'later',
      issues.map((issue) => ({ issue, at, listing: listingOf(issue) })),
    );
  if (isFirst) {
    if (walk.cursor === null) forgetSums(context);
    await walkAll(context, walk, onPage);
  } else {
    for (const name of ['events', 'comments', 'reports'] as const) context.stage(name).done = 0;
    const begunAt = await walkRecent(context, walk.completeSince ?? 0, onPage);
    if (begunAt !== null) walk.completeSince = begunAt;
  }
  await readAgain(context, owedBefore, (found) =>
    readIssues(
      'again',
      found.map(({ issue, at }) => ({ issue, at, listing: context.listings.get(issue.id) ?? null })),
    ),
  );
  await marks.save();
  stage.total = stage.done;
  const lacks = context.from.reader.lacks('events');
  for (const sentence of lacks) context.leaveOut('events', sentence, 'mend');
  // With another token the next pass reads all issues again.
  if (lacks.length > 0 || EVENT_PARTS.some((part) => state.refused.includes(part))) walk.completeSince = null;
  for (const name of ['comments', 'reports'] as const) {
    const notes = context.stage(name);
    notes.total = notes.done;
    notes.finished = true;
  }
}

/** `first`: of all issues. `again`: what an earlier run could not read. `later`: of recent issues. */
type IssuePass = 'first' | 'again' | 'later';

const newSums = (): PageSums => ({
  joined: 0,
  conflicts: 0,
  bodies: 0,
  notes: 0,
  comments: 0,
  reports: 0,
  done: 0,
});

const EVENT_PARTS = ['events', 'comments', 'reports'];

/** A pass over all issues counts from 0. */
function forgetSums(context: ProjectContext): void {
  const { state } = context;
  state.joined.group_key = 0;
  state.conflicts = 0;
  state.bodies = 0;
  state.notes = 0;
  for (const name of ['events', 'comments', 'reports'] as const) context.stage(name).done = 0;
}

function addSums(context: ProjectContext, sums: PageSums): void {
  const { state } = context;
  state.joined.group_key += sums.joined;
  state.conflicts += sums.conflicts;
  state.bodies += sums.bodies;
  state.notes += sums.notes;
  context.stage('events').done += sums.done;
  context.stage('comments').done += sums.comments;
  context.stage('reports').done += sums.reports;
}

/** Returns the newest user reports by issue; null: the tracker lists none of the project. */
async function reportsSince(context: ProjectContext, since: number): Promise<ReadonlyMap<string, number> | null> {
  const { from, signal, slug } = context;
  const tried = await context.attempt('reports', () => from.reader.reportsSince(slug, since, signal));
  return tried.kind === 'read' ? tried.value : null;
}

/** Returns what was read of an issue; null: it has no error here. */
async function importIssue(
  context: ProjectContext,
  joiner: Joiner,
  index: LikenessIndex,
  pass: IssuePass,
  listed: RemoteIssue,
  sums: PageSums,
): Promise<ReadIssue | null> {
  if (listed.status === null) return null;
  const isFirst = pass === 'first';
  settleOwed(context.state, listed.id);
  context.readIssues.add(listed.id);
  const issue = await wholeIssue(context, listed);
  const errorId = await errorOf(context, issue);
  if (errorId === null) return null;
  const own = await ownEvents(context, errorId);
  const { bodies, aliases, ids, ends } = await readEvents(context, index, issue, errorId);
  const told = await withPlatform(context, ends.complete(issue), errorId);
  if (tellsMore(told, issue)) await putIssue(context, told);
  const { status, lastSeen, count } = issue;
  const claimant = { errorId, issueId: issue.id, status: status?.status ?? 'unresolved', lastSeen, count: count ?? 0 };
  const joined = await joiner.join(claimant, aliases, pass !== 'later');
  await markFoundEvents(context, issue.id, errorId, ids);
  // The issue that loses its key was counted as joined.
  sums.joined += Number(isCounted(joined, isFirst)) - Number(joined.tookFrom.length > 0);
  const { event_id: byId, likeness } = context.state.joined;
  // After a kill the state may not list all errors that were created.
  const isFresh = isFirst && byId + likeness === 0;
  if (joined.joined || isFresh) setJoined(context.state, errorId, joined.joined);
  for (const other of joined.tookFrom) setJoined(context.state, other, false);
  sums.conflicts += Number((joined.conflict || joined.tookFrom.length > 0) && isFirst);
  if (joined.conflict && !joined.joined) {
    context.leaveOut(`join of issue ${issue.id}`, 'another issue has the same group key: new events are counted there');
  }
  sums.bodies += pass === 'later' ? 0 : bodies;
  const { comments, reports, reportedAt } = await importNotes(context, issue, errorId);
  sums.comments += comments;
  sums.reports += reports;
  sums.notes += pass === 'later' ? 0 : comments + reports;
  sums.done += 1;
  return { issue, joined: joined.joined, own, newestAt: ends.newestAt, reportedAt };
}

/** Adds the platform of the project where neither the issue nor an event of this or an earlier run has told one. */
async function withPlatform(context: ProjectContext, issue: RemoteIssue, errorId: string): Promise<RemoteIssue> {
  const { deps, projectId } = context;
  if (issue.platform !== null || issue.projectPlatform === null) return issue;
  const known = await deps.store.errorById(projectId, errorId, deps.clock.now());
  return known?.platform === 'other' ? { ...issue, platform: issue.projectPlatform } : issue;
}

/** The first pass meets each issue once. Later ones meet some again, which are counted already. */
function isCounted({ joined, added }: Joined, isFirst: boolean): boolean {
  return isFirst ? joined : added;
}

async function readEvents(
  context: ProjectContext,
  index: LikenessIndex,
  issue: RemoteIssue,
  errorId: string,
): Promise<{
  readonly bodies: number;
  readonly aliases: readonly NewAlias[];
  readonly ids: readonly string[];
  readonly ends: EventEnds;
}> {
  const { deps, from, options, projectId, signal, slug } = context;
  const aliases = new Map<string, NewAlias>();
  const ids: string[] = [];
  let ends = new EventEnds();
  let bodies = 0;
  const wanted: EventsWanted = {
    newest: options.eventsPerError,
    firstSeen: issue.firstSeen,
    keyOf: (remote) => groupKeyOf(deps.digest, projectId, remote),
  };
  const isRead = await context.readOf(issue.id, 'events', 'events', async () => {
    bodies = 0;
    ends = new EventEnds();
    let batch: ImportedEvent[] = [];
    const write = async (): Promise<void> => {
      if (batch.length === 0) return;
      await deps.store.addImportedEvents(projectId, errorId, batch, deps.clock.now());
      bodies += batch.length;
      batch = [];
    };
    for await (const remote of from.reader.events(slug, issue.id, wanted, signal)) {
      ids.push(remote.eventId);
      const read = readRemoteEvent(deps.digest, projectId, remote);
      // Digesting is work without a pause, and a service answers requests meanwhile.
      await turn();
      if (read === null) continue;
      batch.push(read.event);
      ends.add(read.facts);
      for (const alias of read.aliases) {
        const known = aliases.get(alias.groupHash);
        if (known === undefined || (known.weak && !alias.weak)) aliases.set(alias.groupHash, alias);
      }
      if (read.likeness !== null) index.add(read.likeness, errorId);
      if (batch.length >= BODIES_AT_ONCE) await write();
    }
    await write();
    const isRecent = issue.lastSeen > deps.clock.now() - KEPT_MS;
    if (ids.length === 0 && issue.count !== 0 && isRecent) noteEmpty(context.state, issue.id);
    return true;
  });
  return { bodies: isRead === true ? bodies : 0, aliases: [...aliases.values()], ids, ends };
}
