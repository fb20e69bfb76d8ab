import { AppError } from '../../domain/app-error.ts';
import { Joiner } from '../join/join-issue.ts';
import type { ProjectContext } from '../project-context.ts';
import { letWait, rememberBound, setJoined } from '../state/project-state.ts';
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
  let after = state.lookedUpTo;
  for (let count = 0; count < MAX_LOOKED_UP;) {
    const errors = await deps.store.errorsToLookUp(projectId, after, BATCH);
    if (errors.length === 0) break;
    for (const { errorId, eventIds } of errors) {
      await lookUp(context, joiner, errorId, eventIds);
      stage.done += 1;
      if (after === null || Number(errorId) > Number(after)) after = errorId;
    }
    count += errors.length;
    state.lookedUpTo = after;
    await context.stepDone();
  }
  stage.total = stage.done;
}

async function lookUp(
  context: ProjectContext,
  joiner: Joiner,
  errorId: string,
  eventIds: readonly string[],
): Promise<void> {
  const { deps, from, projectId, signal, slug, state } = context;
  if (state.bound.includes(errorId)) return;
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
  if (issueId === undefined || others.length > 0) return;
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
