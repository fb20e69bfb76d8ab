import type { Forward, ForwardState } from '../ingest/forward.ts';

/** Forward of a project as it is shown: never with its key. */
export interface ForwardView extends Pick<Forward, 'projectId' | 'target' | 'until' | 'createdAt'> {
  /** False after `until`. */
  readonly active: boolean;
  /** Of all gateways together. */
  readonly waitingBytes: number;
  readonly oldestAt: number | null;
  readonly pending: boolean;
  readonly stalled: boolean;
  readonly dropped: number;
  readonly succeededAt: number | null;
  readonly failedAt: number | null;
  readonly failure: string | null;
}

export interface ForwardDraft {
  /** Absent: the DSN stays as it is. */
  readonly dsn?: string;
  /** Milliseconds since the epoch, null: no end; absent: stays as it is. */
  readonly until?: number | null;
}

/** Set-up of forwarding, for the API and for commands. */
export interface ForwardSetup {
  view(projectId: number): Promise<ForwardView | null>;
  /** By project id. */
  list(): Promise<ForwardView[]>;
  /** Throws `invalid_parameter` for an unusable DSN, an address that is not allowed, or an end in the past. */
  save(projectId: number, draft: ForwardDraft): Promise<ForwardView>;
  /** Ends forwarding; what waits is dropped. False when there is none. */
  remove(projectId: number): Promise<boolean>;
}

/** Combines a forward with what its spools reported. */
export function viewOfForward(
  { projectId, target, until, createdAt }: Forward,
  states: readonly ForwardState[],
  pending: boolean,
  now: number,
): ForwardView {
  const newest = <T>(of: (state: ForwardState) => number | null, value: (state: ForwardState) => T): T | null => {
    const known = states.filter((state) => of(state) !== null).sort((a, b) => (of(b) ?? 0) - (of(a) ?? 0));
    return known[0] === undefined ? null : value(known[0]);
  };
  const oldest = states.map(({ oldestAt }) => oldestAt).filter((at) => at !== null);
  return {
    ...{ projectId, target, until, createdAt },
    active: until === null || now < until,
    waitingBytes: states.reduce((sum, { bytes }) => sum + bytes, 0),
    oldestAt: oldest.length === 0 ? null : Math.min(...oldest),
    pending,
    stalled: states.some(({ stalled }) => stalled),
    dropped: states.reduce((sum, { dropped }) => sum + dropped, 0),
    succeededAt: newest(
      ({ succeededAt }) => succeededAt,
      ({ succeededAt }) => succeededAt,
    ),
    failedAt: newest(
      ({ failedAt }) => failedAt,
      ({ failedAt }) => failedAt,
    ),
    failure: newest(
      ({ failedAt }) => failedAt,
      ({ failure }) => failure,
    ),
  };
}
