export interface PruneLimits {
  /** Removes payloads of events received before this time (milliseconds); null: no bound by age. */
  readonly receivedBefore: number | null;
  /**
   * Maximum of stored payloads per error; null: no bound. Keeps the oldest, the newest half, and a spread over the
   * rest, chosen by a hash of the event id. Never keeps fewer than two. Removes up to 1/16 of the bound more, so that
   * removals come in groups.
   */
  readonly maxEventsPerError: number | null;
  /** Removes event keys (for duplicate detection) received before this time too. */
  readonly keysReceivedBefore: number;
  /** Removes hourly error counts before this time; a store may keep those of the same UTC day. */
  readonly hoursBefore: number;
  /** Removes outcome counts before this time. */
  readonly outcomesBefore: number;
  /** Absent: keeps all sessions and releases. */
  readonly sessions?: SessionLimits;
  /**
   * Removes reports received before this time whose event never arrived; absent: keeps them. Reports of an event are
   * removed with its payload.
   */
  readonly unmatchedReportsBefore?: number;
  /**
   * Removes facts of alerts that were added before this time, by the clock of the store, unless they lie above the
   * cursor of a conversation in which something waits. Absent: keeps them.
   */
  readonly factsBefore?: number;
  /** Removes deliveries whose last attempt was before this time; absent: keeps them. */
  readonly deliveriesBefore?: number;
  /** Removes events of the audit log before this time; absent: keeps them. */
  readonly auditBefore?: number;
  /**
   * Stores payloads of events received before this time together with others, which takes less space; absent: leaves
   * them as they are.
   */
  readonly packReceivedBefore?: number;
  /** True: removes payloads only, by age and by the bound per error. Cheap when there are none. */
  readonly payloadsOnly?: boolean;
}

export interface SessionLimits {
  /**
   * Removes rows for duplicate detection of sessions that started before this time. A later update would count again.
   */
  readonly startedBefore: number;
  /**
   * Removes hourly counts before this time, and releases not seen since, with their users. A store may keep hours of
   * the same UTC day.
   */
  readonly seenBefore: number;
}

export interface PruneProgress {
  /** Number of removed payloads, and their stored bytes. */
  readonly events: number;
  readonly bytes: number;
  readonly keys: number;
  /** False: more is left, call again; each call is one short transaction. */
  readonly done: boolean;
}

export interface StoreStats {
  readonly schemaVersion: number;
  /** Version that this program writes; lower than `schemaVersion` after a later version has migrated the store. */
  readonly knownSchemaVersion: number;
  readonly errors: number;
  readonly events: number;
  readonly projects: number;
  readonly users: number;
  /** Total bytes on disk; null when the store cannot report it. */
  readonly bytes: number | null;
}

export interface StoreSize {
  /** Bytes that hold data, without a write-ahead log of bounded size. */
  readonly used: number;
  /**
   * When a removal reduces `used`: immediately, after some minutes, or never. Never: the server only reports the size
   * of files that do not shrink; later writes reuse the space.
   */
  readonly falls: 'at_once' | 'later' | 'never';
}

/** Journal of a gateway in a shared store. */
export interface JournalInfo {
  /** Random id of the journal, 32 hex digits. */
  readonly journalId: string;
  /** Last heartbeat of its gateway; milliseconds since the epoch. */
  readonly seenAt: number;
  /** True: its newest batch was started and is not confirmed. */
  readonly open: boolean;
}

/** Running gateway in a shared store. */
export interface GatewayInfo {
  /** Random per process, 32 hex digits; does not identify the machine. */
  readonly gatewayId: string;
  /** Version of its program. */
  readonly version: string;
  /** Milliseconds since its last heartbeat, by the clock of the store. */
  readonly silentMs: number;
  /** Milliseconds by which its clock was ahead of the store's at the last heartbeat; negative: behind. */
  readonly aheadMs: number;
}

/** Operations for maintenance of the stored data. */
export interface MaintenanceStore {
  /** Resolves when the store responds; throws `store_unavailable` otherwise. */
  ping(): Promise<void>;
  stats(): Promise<StoreStats>;
  /** Cheap enough to call every second; null when the store cannot report it. */
  size(): Promise<StoreSize | null>;
  /** Removes a bounded part of the data beyond the limits; counts of errors never change. */
  prune(limits: PruneLimits): Promise<PruneProgress>;
  /** Reads a small value that all gateways share (salts, marks); null when never set. */
  getMeta(key: string): Promise<string | null>;
  /** Sets the value only if there is none; returns the current value. */
  initMeta(key: string, value: string): Promise<string>;
  setMeta(key: string, value: string): Promise<void>;
  /**
   * Takes a lease, or extends an own one until `ttlMs` from now; false while another owner holds it. It avoids
   * duplicate work but does not exclude it: a stalled owner may resume late.
   */
  acquireLease(name: string, owner: string, ttlMs: number): Promise<boolean>;
  /** Ignores a lease that another owner holds now. */
  releaseLease(name: string, owner: string): Promise<void>;
  /** Journals of all gateways of the store; empty for a single-machine store, whose journal is in its data dir. */
  listJournals(): Promise<JournalInfo[]>;
  /**
   * Records a heartbeat of a gateway. After a minute without one it counts as stopped. Does nothing in a single-machine
   * store.
   */
  announceGateway(gatewayId: string, version: string): Promise<void>;
  /** Removes a gateway that stops. Ignores an unknown one. */
  retireGateway(gatewayId: string): Promise<void>;
  /** Running gateways of the store, including idle ones; empty for a single-machine store. */
  listGateways(): Promise<GatewayInfo[]>;
  /**
   * Removes an empty journal whose process has ended, so that it is not reported as missing. Ignores an unknown one,
   * and one whose newest batch is not confirmed.
   */
  releaseJournal(journalId: string): Promise<void>;
  close(): Promise<void>;
}
