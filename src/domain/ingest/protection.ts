/** Rate limit of requests or items; null for none. */
export type Allowed = { readonly perMinute: number; readonly burst: number } | null;

export interface AllowedKinds {
  readonly events: Allowed;
  readonly sessions: Allowed;
}

/** Data that is removed from events before they are stored. */
export interface Scrubbing {
  readonly enabled: boolean;
  readonly scrubIps: boolean;
  /** Key names in addition to the built-in ones. */
  readonly sensitiveFields: readonly string[];
  readonly safeFields: readonly string[];
}

/** Rate limits of ingestion. */
export interface Limits {
  readonly key: AllowedKinds;
  readonly project: AllowedKinds;
  readonly instance: AllowedKinds;
  /** Null: switched off. */
  readonly spikeGuard: { readonly factor: number; readonly minimumPerMinute: number } | null;
}

/** Protection of a project: as configured, or effective together with its own protection. */
export interface Protection {
  readonly scrubbing: Scrubbing;
  readonly limits: Limits;
}
