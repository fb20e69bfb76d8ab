export const CHANNEL_TYPES = [
  'mail',
  'webhook',
  'slack',
  'mattermost',
  'teams',
  'discord',
  'alertmanager',
  'gitlab',
] as const;
export type ChannelType = (typeof CHANNEL_TYPES)[number];

/** Secrets of a channel, as JSON, sealed as a whole with the key ring; write-only. */
export interface ChannelSecrets {
  /** Full address of a webhook or chat; of `mail` a list of mail addresses, comma separated. */
  readonly url: string;
  /** `webhook`: `whsec_…`; `gitlab` and `alertmanager`: bearer token; null: none. */
  readonly secret: string | null;
  /** `webhook`: the secret before the last rotation, which signs too until a time. Absent: none. */
  readonly previous?: { readonly secret: string; readonly until: number };
}

/** Milliseconds for which messages are signed with the secret before a rotation too. */
export const PREVIOUS_SECRET_MS = 24 * 3_600_000;

/** Destination of a project's messages beside its members. */
export interface AlertChannel {
  readonly id: number;
  readonly projectId: number;
  readonly type: ChannelType;
  /** 1 to 100 characters. */
  readonly name: string;
  /** Host of the address, of `mail` the domains: shown instead of the address. */
  readonly host: string;
  /** Sealed ChannelSecrets. */
  readonly sealed: string;
  readonly enabled: boolean;
  /** Why errgate switched it off, as a sentence (410 of the receiver); null: it did not. */
  readonly disabledReason: string | null;
  readonly createdAt: number;
}

export type NewChannel = Pick<AlertChannel, 'projectId' | 'type' | 'name' | 'host' | 'sealed'>;
export type ChannelPatch = Partial<Pick<AlertChannel, 'name' | 'host' | 'sealed' | 'enabled' | 'disabledReason'>>;

/** Maximum channels of a project. */
export const MAX_CHANNELS = 20;
