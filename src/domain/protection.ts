/** A limit of requests or items; null where there is none. */
export type Allowed = { readonly perMinute: number; readonly burst: number } | null;

export interface AllowedKinds {
  readonly events: Allowed;
  readonly sessions: Allowed;
}

/** What is in force for a project: what its events lose before they are stored, and how many may come. */
export interface Protection {
  readonly scrubbing: {
    readonly enabled: boolean;
    readonly scrubIps: boolean;
    /** Names of keys beside the built-in ones. */
    readonly sensitiveFields: readonly string[];
    readonly safeFields: readonly string[];
  };
  readonly limits: {
    readonly key: AllowedKinds;
    readonly project: AllowedKinds;
    readonly instance: AllowedKinds;
    /** Null: switched off. */
    readonly spikeGuard: { readonly factor: number; readonly minimumPerMinute: number } | null;
  };
}
