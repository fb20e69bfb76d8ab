import type { FoundTracker } from './tracker-kind.ts';

/** Error tracking settings of one project; a project without a row was never configured. */
export interface TrackingSettings {
  readonly projectId: number;
  readonly active: boolean;
  /** True: the integrated backend stores the errors. False: an external tracker. */
  readonly integrated: boolean;
  /** `https://host/api/0/projects/<organization>/<project>/` of the external tracker. */
  readonly apiUrl: string | null;
  readonly projectName: string | null;
  readonly organizationName: string | null;
  readonly thirdpartyProjectId: string | null;
  /** Token of the external tracker, encrypted (AES-256-GCM); opaque to the store. */
  readonly sealedToken: string | null;
  /** Detected tracker; null: not checked yet. It may belong to a former address, see its `base`. */
  readonly tracker: FoundTracker | null;
}

/** Absent members keep their value; null clears them. */
export type TrackingSettingsPatch = Partial<Omit<TrackingSettings, 'projectId'>>;

export interface ClientKey {
  readonly id: number;
  readonly projectId: number;
  readonly active: boolean;
  /** `glet_` and 32 lower-case hex digits, or a key from another tracker (`\w{1,255}`). */
  readonly publicKey: string;
  readonly createdAt: number;
  /** Time of the last accepted request with this key, delayed by at most ten seconds; null: never. */
  readonly lastUsedAt: number | null;
}

/** Settings of a project before the first save. */
export const DEFAULT_SETTINGS: Omit<TrackingSettings, 'projectId'> = {
  active: false,
  integrated: true,
  apiUrl: null,
  projectName: null,
  organizationName: null,
  thirdpartyProjectId: null,
  sealedToken: null,
  tracker: null,
};
