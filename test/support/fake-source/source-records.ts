export type SdkBody = Readonly<Record<string, unknown>>;

/** Event that the tracker still has. Times are milliseconds. */
export interface SourceEvent {
  readonly id: string;
  readonly at: number;
  readonly receivedAt: number;
  /** Grouping hash of the tracker. */
  readonly hash: string;
  /** Body as the SDK sent it. */
  readonly body: SdkBody;
}

export interface SourceNote {
  readonly id: string;
  readonly author: string;
  readonly at: number;
  readonly text: string;
}

export interface SourceReport {
  readonly id: string;
  readonly eventId: string;
  readonly name: string;
  readonly email: string;
  readonly comments: string;
  readonly at: number;
}

export interface SourceIssue {
  id: string;
  readonly project: SourceProject;
  readonly serial: number;
  readonly shortId: string;
  shareId: string | null;
  readonly type: string | null;
  readonly title: string;
  readonly value: string | null;
  readonly culprit: string;
  readonly level: string;
  readonly platform: string;
  /** As the tracker names it, pending states included. */
  status: string;
  statusDetails: Record<string, unknown>;
  substatus: string | null;
  /** Changes of the status, for Sentry's activity. */
  activity: { readonly type: string; readonly at: number }[];
  assignee: string | null;
  category: string;
  count: number;
  users: number;
  /** May be set to implausible times: they are sent as they are. */
  firstSeen: number;
  lastSeen: number;
  /** Oldest first; fewer than `count`. */
  events: SourceEvent[];
  readonly notes: SourceNote[];
  readonly reports: SourceReport[];
  /** Counts by start of the UTC hour, in seconds. */
  readonly hours: Map<number, number>;
}

export interface SourceKey {
  readonly publicKey: string;
  readonly label: string;
  readonly active: boolean;
  readonly useCase: string | null;
  readonly rateLimit: { readonly window: number; readonly count: number } | null;
}

export interface SourceRelease {
  readonly version: string;
  readonly firstSeen: number;
  readonly lastSeen: number;
}

export interface SourceRule {
  readonly name: string;
  readonly condition: string;
  readonly action: string;
}

/** Member of an organization; `name` is the address of a person that was only invited. */
export interface SourceMember {
  readonly email: string;
  readonly name: string;
  readonly role: string;
}

export interface SourceProject {
  readonly id: string;
  readonly organization: string;
  slug: string;
  readonly formerSlugs: string[];
  readonly name: string;
  readonly platform: string;
  readonly keys: SourceKey[];
  readonly issues: Map<string, SourceIssue>;
  readonly releases: SourceRelease[];
  readonly rules: SourceRule[];
  /** Members of the project that tell of use, such as `hasReplays`. */
  readonly features: Record<string, boolean>;
  /** Event ids that were received, also after their issues have forgotten them. */
  readonly known: Map<string, SourceIssue>;
  /** Grows with every change, for sorted lists. */
  revision: number;
}

export interface NewSourceIssue {
  readonly id?: string;
  readonly type?: string | null;
  readonly value?: string;
  readonly title?: string;
  readonly culprit?: string;
  readonly level?: string;
  readonly platform?: string;
  readonly status?: string;
  readonly statusDetails?: Record<string, unknown>;
  readonly substatus?: string | null;
  readonly activity?: readonly { readonly type: string; readonly at: number }[];
  readonly assignee?: string | null;
  readonly category?: string;
  /** Default: number of bodies. */
  readonly count?: number;
  readonly users?: number;
  readonly firstSeen?: number;
  readonly lastSeen?: number;
  readonly shareId?: string | null;
  /** Kept events, as SDKs sent them; `hash` default: the world's grouping. */
  readonly bodies?: readonly { readonly body: SdkBody; readonly at?: number; readonly hash?: string }[];
}
