/** Copy of everything that a project accepts to the DSN of another tracker. */
export interface Forward {
  readonly projectId: number;
  /** DSN with its key, encrypted (AES-256-GCM); opaque to the store. */
  readonly sealedDsn: string;
  /** The DSN without its key: the only form that is shown or logged. */
  readonly target: string;
  /** Requests received from this time on are not forwarded; milliseconds since the epoch, null: no end. */
  readonly until: number | null;
  readonly createdAt: number;
}

/** State of one spool for one project, as its gateway last saw it. Times in milliseconds since the epoch. */
export interface ForwardState {
  readonly projectId: number;
  /** Random id of the data dir's spool, 32 hex digits. */
  readonly spoolId: string;
  /**
   * Time by which every event that is being sent is settled; 0: none is. A gateway stores this before it sends events,
   * so that no other process takes a forwarded event for one that waits for nothing.
   */
  readonly pendingUntil: number;
  /** Time at which the target last got an event; 0: never. */
  readonly sentAt: number;
  /** Bytes on disk of what waits. */
  readonly bytes: number;
  /** Receipt of the oldest request that waits; null: none waits. */
  readonly oldestAt: number | null;
  readonly succeededAt: number | null;
  readonly failedAt: number | null;
  /** Last failure as a sentence without secrets; null: none. */
  readonly failure: string | null;
  /** True after 20 failures in a row, until the next success. */
  readonly stalled: boolean;
  /** Requests and items that were given up since the spool began. */
  readonly dropped: number;
  readonly updatedAt: number;
}

/** Milliseconds after the last event to a target for which its counts may still rise. */
const SETTLING_MS = 60_000;

/** Milliseconds after which the state of a spool that says nothing is removed: its data dir is gone. */
export const FORWARD_STATE_MS = 30 * 24 * 3_600_000;

/** True while one of the spools sends events, or sent one in the last 60 seconds. */
export function isForwardPending(
  states: readonly Pick<ForwardState, 'pendingUntil' | 'sentAt'>[],
  now: number,
): boolean {
  return states.some(({ pendingUntil, sentAt }) => pendingUntil > now || sentAt > now - SETTLING_MS);
}

/**
 * Key of the state of an import that asks all gateways to send no events of a project for a while. Its value is a
 * `ForwardPause`.
 */
export function forwardPauseKey(projectId: number): string {
  return `${projectId}/forward-pause`;
}

export interface ForwardPause {
  /** Milliseconds since the epoch: a pause of a process that was killed ends by itself. */
  readonly until: number;
}

/** Header with the instances that forwarded a request already: ids, separated by commas. */
export const FORWARDED_HEADER = 'X-Errgate-Forwarded';
