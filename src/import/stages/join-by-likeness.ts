import type { NormalisedEvent } from '../../domain/events/event.ts';
import { Joiner } from '../join/join-issue.ts';
import { featuresOf, type Likeness } from '../join/likeness.ts';
import type { LikenessIndex } from '../join/likeness-index.ts';
import type { ProjectContext } from '../project-context.ts';
import { rememberBound, setJoined } from '../state/project-state.ts';
import { DAY_MS } from '../../domain/durations.ts';

/** Days after the import in which new errors may be joined by likeness. */
const DAYS = 30;
const BATCH = 100;
const MAX_COMPARED = 10_000;

const SAME: Readonly<Record<Likeness, string>> = {
  place: 'type, place and function',
  message: 'message, level and platform, and the old tracker did not keep its stack',
};

/**
 * Joins errors that began here with the only imported error that is like them. Each is named in a note
 * on the imported error, and separating the two undoes it for good.
 */
export async function joinByLikeness(context: ProjectContext, index: LikenessIndex): Promise<void> {
  const { deps, options, projectId, state } = context;
  const stage = context.stage('likeness');
  const source = (await deps.store.listImportSources(projectId)).find(({ id }) => id === state.sourceId);
  if (!options.resemblance || source === undefined) return;
  const until = source.createdAt + DAYS * DAY_MS;
  const joiner = new Joiner(context);
  stage.done = 0;
  let after: string | null = state.notAlikeTo ?? null;
  // Errors that began before the import never come into question: a further pass does not spend its bound on them.
  let onlyOld = true;
  while (stage.done < MAX_COMPARED) {
    const errors = await deps.store.errorsToLookUp(projectId, after, BATCH);
    if (errors.length === 0) break;
    for (const { errorId } of errors) {
      if (after === null || Number(errorId) > Number(after)) after = errorId;
      stage.done += 1;
      if (state.bound.includes(errorId)) continue;
      const isOld = await compare(context, joiner, index, errorId, source.createdAt, until);
      onlyOld &&= isOld;
      if (onlyOld) state.notAlikeTo = errorId;
    }
    await context.stepDone();
  }
  stage.total = stage.done;
}

/** Joins an error where exactly one is like it. Returns true for one that began before the import. */
async function compare(
  context: ProjectContext,
  joiner: Joiner,
  index: LikenessIndex,
  errorId: string,
  from: number,
  until: number,
): Promise<boolean> {
  const { deps, projectId, state } = context;
  const now = deps.clock.now();
  const [own, latest] = await Promise.all([
    deps.store.errorById(projectId, errorId, now),
    deps.store.latestEvent(projectId, errorId),
  ]);
  // A merged error answers for its root.
  if (own?.id !== errorId) return false;
  if (own.firstSeen < from) return true;
  if (latest === null || own.firstSeen > until) return false;
  const { likeness, features } = featuresOf(latest.event as NormalisedEvent);
  const imported = index.find(features);
  if (imported === null) return false;
  const origin = await deps.store.importedOrigin(projectId, imported);
  const issueId = origin?.externalIds.find(({ kind }) => kind === 'issue')?.value;
  if (issueId === undefined) return false;
  rememberBound(state, errorId);
  if (!(await joiner.merge({ errorId: imported, issueId }, errorId))) return false;
  state.joined.likeness += 1;
  setJoined(state, imported, true);
  const text = `Error ${errorId} was joined by likeness: it has the same ${SAME[likeness]}. Separate it if it is another error.`;
  await deps.store.putNotes(projectId, imported, [
    { externalId: `likeness:${errorId}`, author: 'errgate', at: now, text },
  ]);
  return false;
}
