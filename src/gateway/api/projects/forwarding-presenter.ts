import type { ForwardView } from '../../../domain/ports/forward-setup.ts';
import { isoTime } from '../../http/iso-time.ts';

const timeOrNull = (at: number | null): string | null => (at === null ? null : isoTime(at));

/** Presents a forward without its key. */
export function presentForwarding(view: ForwardView) {
  return {
    target: view.target,
    until: timeOrNull(view.until),
    active: view.active,
    created_at: isoTime(view.createdAt),
    pending: view.pending,
    waiting_bytes: view.waitingBytes,
    oldest_waiting_at: timeOrNull(view.oldestAt),
    stalled: view.stalled,
    dropped: view.dropped,
    last_success_at: timeOrNull(view.succeededAt),
    last_failure_at: timeOrNull(view.failedAt),
    last_failure: view.failure,
  };
}
