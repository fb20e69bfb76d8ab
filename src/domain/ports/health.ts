import type { JournalInfo, StoreStats } from './maintenance-store.ts';

/** The state of one ability; `reason` says in a sentence what is wrong when it is not there. */
export interface HealthState {
  readonly ok: boolean;
  readonly reason: string | null;
}

/** Requests of SDKs that were refused for one reason. */
export interface RefusedRequests {
  /** As in the metric of refused requests. */
  readonly reason: string;
  readonly requests: number;
  /** Of the newest, milliseconds since the epoch. */
  readonly lastAt: number;
  /** The project number in the address of the newest, whether there is such a project or not; null: none could be read. */
  readonly lastProjectId: number | null;
}

/** What came for one project with a client key that is not its own: such requests are in none of its outcomes. */
export interface MisaddressedRequests {
  /** When the counts began: they are those of this process. Milliseconds since the epoch. */
  readonly since: number;
  readonly refused: readonly Omit<RefusedRequests, 'lastProjectId'>[];
}

/** What an administrator wants to know about this process and its store. */
export interface InstanceHealth {
  readonly startedAt: number;
  readonly storeKind: string;
  /** Null when the store does not answer in time. */
  readonly store: StoreStats | null;
  readonly journal: {
    readonly bytes: number;
    /** Beyond it events are refused. */
    readonly maxBytes: number;
    /** Age of the oldest event that is taken and not stored yet; milliseconds, 0 when none waits. */
    readonly oldestAgeMs: number;
  };
  /** Records that could not be digested. */
  readonly quarantined: number;
  /** Since this process started. */
  readonly refused: readonly RefusedRequests[];
  /** Journals of all gateways of the store; none for a store of one machine. */
  readonly gateways: readonly JournalInfo[];
}

/** What readiness tells load balancers and people. Cheap: may be asked every second. */
export interface HealthProbe {
  /** Whether events can be taken (journal open, below its bounds, disk not full, not shutting down). */
  accepting(): HealthState;
  /** Whether the store answers reads. */
  reading(): Promise<HealthState>;
  /** Whether accepted events get into the store: not when it refuses writes, or a file is damaged. */
  digesting(): HealthState;
}
