import type { AlertHealth } from './alert-setup.ts';
import type { GatewayInfo, JournalInfo, StoreStats } from './stores/maintenance-store.ts';

/** State of one function; `reason` is a sentence that describes the problem. */
export interface HealthState {
  readonly ok: boolean;
  readonly reason: string | null;
}

/** Refused requests of SDKs with the same reason. */
export interface RefusedRequests<Reason extends string = string> {
  /** Label of the metric of refused requests. */
  readonly reason: Reason;
  readonly requests: number;
  /** Time of the newest one, milliseconds since the epoch. */
  readonly lastAt: number;
  /** Project number in the address of the newest one, which may not exist; null: unreadable. */
  readonly lastProjectId: number | null;
}

/** `unknown_key`: no project has the client key; `other_project`: it belongs to another project. */
export type MisaddressedReason = 'unknown_key' | 'other_project';

/**
 * Requests for one project with a client key of another one or an unknown key. They are in no outcome of the project.
 */
export interface MisaddressedRequests {
  /** Start of this process and of its counts; milliseconds since the epoch. */
  readonly since: number;
  readonly refused: readonly Omit<RefusedRequests<MisaddressedReason>, 'lastProjectId'>[];
}

/** Health of this process and of its store, for administrators. */
export interface InstanceHealth {
  readonly startedAt: number;
  readonly storeKind: 'sqlite' | 'mongodb';
  /** Null when the store does not respond in time. */
  readonly store: StoreStats | null;
  readonly journal: {
    readonly bytes: number;
    /** Maximum bytes of the journal; above it events are refused. */
    readonly maxBytes: number;
    /** Age of the oldest event that is accepted but not stored; milliseconds, 0 for none. */
    readonly oldestAgeMs: number;
  };
  /** Number of records that could not be digested. */
  readonly quarantined: number;
  /** Disk with the journal, in bytes; `minFreeBytes`: below it events are refused. Null when it cannot be read. */
  readonly disk: { readonly freeBytes: number; readonly totalBytes: number; readonly minFreeBytes: number } | null;
  /** Events that this process accepted and stored, and requests that it refused, since it started. */
  readonly counts: { readonly accepted: number; readonly stored: number; readonly refused: number };
  /** Since this process started. */
  readonly refused: readonly RefusedRequests[];
  /** Null when the store does not respond in time. */
  readonly alerts: AlertHealth | null;
  /** Journals of all gateways of the store; empty for a single-machine store. */
  readonly gateways: readonly JournalInfo[];
  /** Gateways of the store that announced themselves lately, with this one; empty for a single-machine store. */
  readonly running: readonly GatewayInfo[];
}

/** Readiness for load balancers and operators. Cheap enough to call every second. */
export interface HealthProbe {
  /** Reports whether events are accepted (journal open and below its bounds, disk not full, not shutting down). */
  accepting(): HealthState;
  /** Reports whether the store answers reads. */
  reading(): Promise<HealthState>;
  /** Reports whether accepted events reach the store: not when it refuses writes or a file is damaged. */
  digesting(): HealthState;
  /** Reports whether a read or write since the start met a damaged file. Other reads may still work. */
  intact(): HealthState;
}
