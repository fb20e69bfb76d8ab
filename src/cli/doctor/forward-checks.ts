import { isForwardPending } from '../../domain/ingest/forward.ts';
import { viewOfForward } from '../../domain/ports/forward-setup.ts';
import type { ForwardStore } from '../../domain/ports/stores/forward-store.ts';
import { ageText, bytesText, type Finding, ok, warn } from './finding.ts';

/** Age of a waiting request in milliseconds from which on a person should know. */
const LATE_MS = 15 * 60_000;

/** Reports projects that forward to other trackers; null when there are none. */
export async function checkForwards(
  store: Pick<ForwardStore, 'listForwards' | 'listForwardStates'>,
  now: number,
): Promise<Finding | null> {
  const forwards = await store.listForwards();
  if (forwards.length === 0) return null;
  const states = await store.listForwardStates(null);
  const views = forwards.map((forward) => {
    const own = states.filter(({ projectId }) => projectId === forward.projectId);
    return viewOfForward(forward, own, isForwardPending(own, now), now);
  });
  const late = views.filter(({ stalled, oldestAt }) => stalled || (oldestAt !== null && now - oldestAt > LATE_MS));
  const count = `${views.length} ${views.length === 1 ? 'project forwards' : 'projects forward'}`;
  if (late.length === 0) return ok('forwarding', `${count}, nothing waits long`);
  const lines = late.map(({ target, waitingBytes, oldestAt, failure }) => {
    const age = oldestAt === null ? '' : `, the oldest for ${ageText(now - oldestAt)}`;
    return `${target}: ${bytesText(waitingBytes)} wait${age}${failure === null ? '' : `; ${failure}`}`;
  });
  return warn(
    'forwarding',
    [`${count}, some targets take nothing`, ...lines].join('\n'),
    'see that the target answers; beyond ERRGATE_FORWARD_MAX_BYTES and ERRGATE_FORWARD_MAX_HOURS the oldest are dropped',
  );
}
