import { AppError } from '../../domain/app-error.ts';
import { Joiner } from '../join/join-issue.ts';
import type { ProjectContext } from '../project-context.ts';
import { letWait, noteLookUp, rememberBound, setJoined } from '../state/project-state.ts';
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
    if (errors.length === 0) break;
    for (const { errorId, eventIds } of errors) {
      noteLookUp(state, errorId, await lookUp(context, joiner, errorId, eventIds));
      stage.done += 1;
      if (after === null || Number(errorId) > Number(after)) after = errorId;
    }
    count += errors.length;
    state.lookedUpTo = after;
    await context.stepDone();
  }
  stage.total = stage.done;
}

/** Looks up again what the tracker did not know in earlier passes. */
async function lookUpAgain(context: ProjectContext, joiner: Joiner): Promise<void> {
  const { deps, projectId, state } = context;
  for (const { errorId } of (state.unfound ?? []).filter(({ pass }) => pass !== state.startedAt)) {
    // Its newest events; none: it was removed, or is part of an imported error.
    const [present] = await deps.store.errorsToLookUp(projectId, String(Number(errorId) - 1), 1);
    const found = present?.errorId !== errorId || (await lookUp(context, joiner, errorId, present.eventIds));
    noteLookUp(state, errorId, found);
    context.stage('truth').done += 1;
    await context.stepDone();
  }
}

/** Binds an error to the issue of its events, if they agree. Returns false when the tracker knows none of them. */
async function lookUp(
  context: ProjectContext,
  joiner: Joiner,
  errorId: string,
  eventIds: readonly string[],
): Promise<boolean> {
  const { deps, from, projectId, signal, slug, state } = context;
  if (state.bound.includes(errorId)) return true;
  const found: string[] = [];
  const issues = new Set<string>();
  for (const eventId of eventIds) {
    const issueId = await context.read('events', 'look-up of events', () =>
      from.reader.issueOfEvent(slug, eventId, signal),
    );
    if (issueId === undefined || issueId === null) continue;
    found.push(eventId);
    issues.add(issueId);
  }
  if (found.length > 0) {
    await deps.store.markKnownThere(projectId, found, deps.clock.now());
    await listUnforwarded(context);
  }
  const [issueId, ...others] = issues;
  if (issueId === undefined) return false;
  if (others.length === 0) await bind(context, joiner, errorId, issueId);
  return true;
}

async function bind(context: ProjectContext, joiner: Joiner, errorId: string, issueId: string): Promise<void> {
  const { state } = context;
  const imported = await errorOfIssueId(context, issueId);
  if (imported === null) return;
  rememberBound(state, errorId);
  if (!(await joiner.merge({ errorId: imported, issueId }, errorId))) return;
  state.joined.event_id += 1;
  setJoined(state, imported, true);
  letWait(state, issueId);
}

/** Lists that applications send to both, where no forward explains an event that both have. */
async function listUnforwarded(context: ProjectContext): Promise<void> {
  const { deps, projectId, state } = context;
  if ((await deps.store.listForwardStates(projectId)).length > 0) return;
  const source = (await deps.store.listImportSources(projectId)).find(({ id }) => id === state.sourceId);
  if (source?.bothReceiveUntil === null) listBothReceive(context);
}

async function errorOfIssueId(context: ProjectContext, issueId: string): Promise<string | null> {
  const known = context.errorIds.get(issueId);
  if (known !== undefined) return known;
  const { from, signal, slug } = context;
  try {
    const answer = await context.read('issues', `issue ${issueId}`, () => from.reader.issue(slug, issueId, signal));
    if (answer === undefined || answer === null) return null;
    return (await putIssue(context, answer.issue))?.errorId ?? null;
  } catch (error) {
    // The event lies in another project there.
    if (error instanceof AppError && error.code === 'not_found') return null;
    throw error;
  }
}
