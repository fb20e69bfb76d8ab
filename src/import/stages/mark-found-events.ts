import type { ProjectContext } from '../project-context.ts';
import { letWait } from '../state/project-state.ts';
import { unaccountedEvents, unaccountedText } from '../unaccounted-events.ts';

/** Returns the number of own live events of an imported error; 0 where it is gone. */
export async function ownEvents({ deps, projectId }: ProjectContext, errorId: string): Promise<number> {
  const [error, origin] = await Promise.all([
    deps.store.errorById(projectId, errorId, deps.clock.now()),
    deps.store.importedOrigin(projectId, errorId),
  ]);
  return error === null || origin === null ? 0 : error.count - origin.baseCount;
}

/**
 * Marks own events of an imported error that the tracker has as well. While nothing is forwarded, a new one shows that
 * applications send to both: only the newest events of an issue are read, so the report asks for `--both-receive`.
 */
export async function markFoundEvents(
  context: ProjectContext,
  issueId: string,
  errorId: string,
  eventIds: readonly string[],
): Promise<void> {
  const { deps, projectId } = context;
  const { store } = deps;
  const now = deps.clock.now();
  if (eventIds.length === 0 || (await ownEvents(context, errorId)) <= 0) return;
  const forwards = await context.forwardPending();
  const before = await store.knownThere(projectId, errorId, now);
  await store.markKnownThere(projectId, eventIds, now);
  if ((await store.knownThere(projectId, errorId, now)) <= before) return;
  letWait(context.state, issueId);
  if (!forwards) listBothReceive(context);
}

/** Names the left-out about events that are proven to be in both trackers, and that about events which may be. */
const IN_BOTH = 'counts of events that both trackers got';
const MAYBE_IN_BOTH = 'live events';

/** Lists in every pass how many live events no rule accounts for. They are open once both trackers were seen to get some. */
export async function listUnaccounted(context: ProjectContext): Promise<void> {
  const { deps, projectId, state } = context;
  const count = await unaccountedEvents(deps.store, projectId);
  if (count === null) return;
  const { leftOut } = state;
  leftOut.items = leftOut.items.filter(({ what }) => what !== IN_BOTH && what !== MAYBE_IN_BOTH);
  if (count === 0) return;
  if (state.inBoth === true) context.leaveOut(IN_BOTH, unaccountedText(count), 'mend');
  else context.leaveOut(MAYBE_IN_BOTH, unaccountedText(count));
}

export function listBothReceive(context: ProjectContext): void {
  context.state.inBoth = true;
  context.leaveOut(
    IN_BOTH,
    'events came here and there without forwarding: run it again with --both-receive and the time until which ' +
      'applications send to both, else older ones count twice',
    'mend',
  );
}
