import { AppError } from '../../domain/app-error.ts';
import { Joiner } from '../join/join-issue.ts';
import type { ProjectContext } from '../project-context.ts';
import { letWait, type LookUp, noteLookUp, rememberBound, setJoined } from '../state/project-state.ts';
import { listBothReceive } from './mark-found-events.ts';
import { putIssue } from './put-issue.ts';

/** Errors per step; each costs up to three requests. */
const BATCH = 50;
/** Errors per pass: some trackers answer one such request a second. */
const MAX_LOOKED_UP = 2000;

/**
 * Looks up events of errors that have no issue yet: where both systems got the same events, the id proves which issue an
 * error is. Only answers that agree bind the error.
 */
export async function bindByEventId(context: ProjectContext): Promise<void> {
  const { deps, projectId, state } = context;
  const stage = context.stage('truth');
  const joiner = new Joiner(context);
  await lookUpAgain(context, joiner);
  let after = state.lookedUpTo;
  for (let count = 0; count < MAX_LOOKED_UP;) {
    const errors = await deps.store.errorsToLookUp(projectId, after, BATCH);
    if (errors.length === 0 || state.refused.includes('events')) break;
    for (const { errorId, eventIds } of errors) {
      await note(context, errorId, await lookUp(context, joiner, errorId, eventIds));
      stage.done += 1;
      if (after === null || Number(errorId) > Number(after)) after = errorId;
    }
    count += errors.length;
    state.lookedUpTo = after;
    await context.stepDone();
  }
  stage.total = stage.done;
}

/** Notes a look-up. Throws when too many have failed to note another one. */
async function note(context: ProjectContext, errorId: string, result: LookUp): Promise<void> {
  if (noteLookUp(context.state, errorId, result)) return;
  throw new AppError('tracker_invalid_answer', 'the tracker failed to look up the events of too many errors');
}

/** Looks up again what the tracker did not know in earlier passes, or failed to say. */
async function lookUpAgain(context: ProjectContext, joiner: Joiner): Promise<void> {
  const { deps, projectId, state } = context;
  const again = (state.unfound ?? []).filter(({ pass, failed }) => failed === true || pass !== state.startedAt);
  for (const { errorId } of again) {
    // Its newest events; none: it was removed, or is part of an imported error.
    const [present] = await deps.store.errorsToLookUp(projectId, String(Number(errorId) - 1), 1);
    const isGone = present?.errorId !== errorId;
    await note(context, errorId, isGone ? 'found' : await lookUp(context, joiner, errorId, present.eventIds));
    context.stage('truth').done += 1;
    await context.stepDone();
  }
}

/** Binds an error to the issue of its events, if they agree. */
async function lookUp(
  context: ProjectContext,
  joiner: Joiner,
  errorId: string,
  eventIds: readonly string[],
): Promise<LookUp> {
  const { deps, from, projectId, signal, slug, state } = context;
  if (state.bound.includes(errorId)) return 'found';
  let hasFailed = false;
  const found: string[] = [];
  const issues = new Set<string>();
  for (const eventId of eventIds) {
    const tried = await context.attempt('events', () => from.reader.issueOfEvent(slug, eventId, signal));
    if (tried.kind !== 'read') hasFailed = true;
    else if (tried.value !== null) {
      found.push(eventId);
      issues.add(tried.value);
    }
  }
  if (found.length > 0) {
    await deps.store.markKnownThere(projectId, found, deps.clock.now());
    await listUnforwarded(context);
  }
  if (hasFailed) return 'failed';
  const [issueId, ...others] = issues;
  if (issueId === undefined) return 'unknown';
  return others.length > 0 || (await bind(context, joiner, errorId, issueId)) ? 'found' : 'failed';
}

/** Merges an error with that of an issue. False: the tracker failed to show the issue. */
async function bind(context: ProjectContext, joiner: Joiner, errorId: string, issueId: string): Promise<boolean> {
  const { state } = context;
  const imported = await errorOfIssueId(context, issueId);
  if (imported === undefined) return false;
  if (imported === null) return true;
  rememberBound(state, errorId);
  if (!(await joiner.merge({ errorId: imported, issueId }, errorId))) return true;
  state.joined.event_id += 1;
  setJoined(state, imported, true);
  letWait(state, issueId);
  return true;
}

/** Lists that applications send to both, where no forward explains an event that both have. */
async function listUnforwarded(context: ProjectContext): Promise<void> {
  const { deps, projectId, state } = context;
  if ((await deps.store.listForwardStates(projectId)).length > 0) return;
  const source = (await deps.store.listImportSources(projectId)).find(({ id }) => id === state.sourceId);
  if (source?.bothReceiveUntil === null) listBothReceive(context);
}

/** Returns the error of an issue; null: it has none. Undefined: the tracker failed. */
async function errorOfIssueId(context: ProjectContext, issueId: string): Promise<string | null | undefined> {
  const known = context.errorIds.get(issueId);
  if (known !== undefined) return known;
  const { from, signal, slug } = context;
  const tried = await context.attempt('issues', () => from.reader.issue(slug, issueId, signal));
  if (tried.kind !== 'read') return undefined;
  if (tried.value === null) return null;
  try {
    return (await putIssue(context, tried.value.issue))?.errorId ?? null;
  } catch (error) {
    // The event lies in another project there.
    if (error instanceof AppError && error.code === 'not_found') return null;
    throw error;
  }
}
