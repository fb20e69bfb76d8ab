import type { FoundTracker } from './tracker-kind.ts';

/** Error tracking settings of one project; a project without a row has never been configured. */
export interface TrackingSettings {
  readonly projectId: number;
  readonly active: boolean;
  /** True: the integrated backend stores the errors. False: an external tracker does. */
  readonly integrated: boolean;
  /** `https://host/api/0/projects/<organization>/<project>/` of the external tracker. */
  readonly apiUrl: string | null;
  readonly projectName: string | null;
  readonly organizationName: string | null;
  readonly thirdpartyProjectId: string | null;
  /** The external tracker's token, encrypted (AES-256-GCM); opaque to the store. */
  readonly sealedToken: string | null;
  /** What the tracker was found to be; null: not looked at yet. It may be of a former address, see its `base`. */
  readonly tracker: FoundTracker | null;
}

/** Members left out keep their value; null clears them. */
export type TrackingSettingsPatch = Partial<Omit<TrackingSettings, 'projectId'>>;

export interface ClientKey {
  readonly id: number;
  readonly projectId: number;
  readonly active: boolean;
  /** `glet_` and 32 lower-case hex digits, or what was brought along from another tracker (`\w{1,255}`). */
  readonly publicKey: string;
  readonly createdAt: number;
  /** When a request with this key was last let in, ten seconds late at most; null: never. */
  readonly lastUsedAt: number | null;
}

/** Settings of a project before the first save. */
export const NEVER_CONFIGURED: Omit<TrackingSettings, 'projectId'> = {
  active: false,
  integrated: true,
  apiUrl: null,
  projectName: null,
  organizationName: null,
  thirdpartyProjectId: null,
  sealedToken: null,
  tracker: null,
};
