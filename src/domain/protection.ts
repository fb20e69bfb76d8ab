/** A limit of requests or items; null where there is none. */
export type Allowed = { readonly perMinute: number; readonly burst: number } | null;

export interface AllowedKinds {
  readonly events: Allowed;
  readonly sessions: Allowed;
}

/** What events lose before they are stored. */
export interface Scrubbing {
  readonly enabled: boolean;
  readonly scrubIps: boolean;
  /** Names of keys beside the built-in ones. */
  readonly sensitiveFields: readonly string[];
  readonly safeFields: readonly string[];
}

/** How many may come. */
export interface Limits {
  readonly key: AllowedKinds;
  readonly project: AllowedKinds;
  readonly instance: AllowedKinds;
  /** Null: switched off. */
  readonly spikeGuard: { readonly factor: number; readonly minimumPerMinute: number } | null;
}

/** What protects a project: as it is configured, or as it is in force together with what the project asks for itself. */
export interface Protection {
  readonly scrubbing: Scrubbing;
  readonly limits: Limits;
}
