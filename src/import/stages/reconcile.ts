import { Joiner } from '../join/join-issue.ts';
import type { ProjectContext } from '../project-context.ts';
import { letWait, setUpAgain } from '../state/project-state.ts';
import { putIssue } from './put-issue.ts';

/** Merges errors that were begun while their alias was made, lists issues that are gone, and what is left to do. */
export async function reconcile(context: ProjectContext): Promise<void> {
  const { deps, from, projectId, signal, slug, state } = context;
  const joiner = new Joiner(context);
  const stage = context.stage('reconcile');
  for (const { errorId, ownErrorId } of await deps.store.unmergedAliases(projectId)) {
    const origin = await deps.store.importedOrigin(projectId, errorId);
    const issueId = origin?.externalIds.find(({ kind }) => kind === 'issue')?.value ?? null;
    if (await joiner.merge({ errorId, issueId }, ownErrorId)) stage.done += 1;
  }
  if (context.stage('errors').finished) await listMissing(context);
  const rules = await context.read('alerts', 'alert rules', () => from.reader.alertRules(slug, signal));
  setUpAgain(
    state,
    (rules ?? []).map((rule) => `alert rule: ${rule}`),
  );
  stage.total = stage.done;
}

async function listMissing(context: ProjectContext): Promise<void> {
  const { deps, from, signal, slug, state } = context;
  for (const issueId of await deps.store.missingIssues(state.sourceId, state.startedAt)) {
    const answer = await context.readOf(issueId, 'issues', 'details', () => from.reader.issue(slug, issueId, signal));
    if (answer === undefined) continue;
    if (answer?.issue.id === issueId) {
      // It is there, though the list did not have it: the stage of counts follows.
      await putIssue(context, answer.issue);
      letWait(state, issueId);
      continue;
    }
    const what = answer === null ? 'it is gone there' : `it was merged into ${answer.issue.id} there`;
    context.leaveOut(`issue ${issueId}`, `${what}; its error and count stay as they were`);
  }
}
