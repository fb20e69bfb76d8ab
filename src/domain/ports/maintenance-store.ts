export interface PruneLimits {
  /** Payloads of events received before this instant (milliseconds) go; null: no bound by age. */
  readonly receivedBefore: number | null;
  /**
   * Stored payloads per error; null: no bound. The oldest, the newest half of the bound and a spread over the rest
   * stay, chosen by a hash of the event id; fewer than two are never left. To have something to do at once and not
   * for every event, up to a sixteenth of the bound more goes.
   */
  readonly maxEventsPerError: number | null;
  /** Event keys (for recognising repeats) received before this instant go too. */
  readonly keysReceivedBefore: number;
  /** Hourly error counts before this instant go; a store may keep those of the same UTC day. */
  readonly hoursBefore: number;
  /** Outcome counts before this instant go. */
  readonly outcomesBefore: number;
  /** Absent: all of sessions and releases stays. */
  readonly sessions?: SessionLimits;
  /** Reports received before this instant whose event never came go; absent: they stay. Those of an event go with its payload. */
  readonly unmatchedReportsBefore?: number;
  /** True: only payloads by age and by the bound per error, which costs next to nothing where there are none. */
  readonly payloadsOnly?: boolean;
}

export interface SessionLimits {
  /** Rows that tell repeats of sessions that started before this instant go: a later update would count anew. */
  readonly startedBefore: number;
  /** Hourly counts before this instant go, and releases of which nothing was seen since, with their users; a store may keep hours of the same UTC day. */
  readonly seenBefore: number;
}

export interface PruneProgress {
  /** Payloads removed, and their bytes as stored. */
  readonly events: number;
  readonly bytes: number;
  readonly keys: number;
  /** False: call again, more is left; every call is one short transaction. */
  readonly done: boolean;
}

export interface StoreStats {
  readonly schemaVersion: number;
  readonly errors: number;
  readonly events: number;
  readonly projects: number;
  readonly users: number;
  /** Bytes on disk, everything included; null when the store cannot tell. */
  readonly bytes: number | null;
}

export interface StoreSize {
  /** Bytes that hold data, without a log that is bounded by itself. */
  readonly used: number;
  /**
   * When a removal shows in `used`: at once, some minutes later, or never, because the server only tells the size
   * of files that do not shrink (what is written next fills them again).
   */
  readonly falls: 'at_once' | 'later' | 'never';
}

/** The journal of a gateway, as the store that several gateways share sees it. */
export interface JournalInfo {
  /** Random id of the journal, 32 hex digits. */
  readonly journalId: string;
  /** When its gateway last said that it lives; milliseconds since the epoch. */
  readonly seenAt: number;
  /** Its newest batch was begun and is not confirmed. */
  readonly open: boolean;
}

/** A running service, as the store that several of them share sees it. */
export interface GatewayInfo {
  /** Random per process, 32 hex digits: says nothing about the machine. */
  readonly gatewayId: string;
  /** Of its program. */
  readonly version: string;
  /** Milliseconds since it last said that it lives, by the store's clock. */
  readonly silentMs: number;
  /** Milliseconds by which its clock was ahead of the store's then; negative: behind. */
  readonly aheadMs: number;
}

/** What operators and the service itself need around the data. */
export interface MaintenanceStore {
  /** Resolves when the store answers; throws `store_unavailable` otherwise. */
  ping(): Promise<void>;
  stats(): Promise<StoreStats>;
  /** Cheap enough to be asked every second; null when the store cannot tell. */
  size(): Promise<StoreSize | null>;
  /** Removes a bounded slice of what exceeds the limits; counts of errors never change. */
  prune(limits: PruneLimits): Promise<PruneProgress>;
  /** A small value shared by all gateways (salts, marks); null when never set. */
  getMeta(key: string): Promise<string | null>;
  /** Sets the value only if there is none yet; answers the value that holds now. */
  initMeta(key: string, value: string): Promise<string>;
  setMeta(key: string, value: string): Promise<void>;
  /**
   * Takes a lease, or makes one's own last until `ttlMs` from now; false while another owner holds it. For
   * work that should not be done twice at once, not for what must not: a stalled owner may come back late.
   */
  acquireLease(name: string, owner: string, ttlMs: number): Promise<boolean>;
  /** Fine when the lease is another owner's by now. */
  releaseLease(name: string, owner: string): Promise<void>;
  /** Journals of all gateways that share the store; none for a store of one machine, whose journal is in its data dir. */
  listJournals(): Promise<JournalInfo[]>;
  /**
   * Says that a gateway lives. One that stays silent for a minute counts as gone. Nothing happens in a store
   * of one machine.
   */
  announceGateway(gatewayId: string, version: string): Promise<void>;
  /** Says that it lives no more. Fine when the store does not know it. */
  retireGateway(gatewayId: string): Promise<void>;
  /** Gateways that share the store and live, also idle ones; none for a store of one machine. */
  listGateways(): Promise<GatewayInfo[]>;
  /**
   * Forgets a journal that is empty and whose process has ended, so that nobody misses it. Fine when the store
   * does not know it; left as it is while its newest batch is not confirmed.
   */
  releaseJournal(journalId: string): Promise<void>;
  close(): Promise<void>;
}
