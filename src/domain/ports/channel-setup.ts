import type { AlertChannel, ChannelType } from '../alerts/alert-channel.ts';

export interface ChannelDraft {
  readonly type: ChannelType;
  readonly name: string;
  readonly url: string;
  /** Null: none given. */
  readonly secret: string | null;
}

/** Absent members keep their values. */
export interface ChannelChange {
  readonly name?: string;
  readonly url?: string;
  /** Null removes a secret that the type does not need. */
  readonly secret?: string | null;
  /** Makes a new signing secret; messages are signed with the present one too for PREVIOUS_SECRET_MS. */
  readonly rotateSecret?: true;
  readonly enabled?: boolean;
}

export interface SavedChannel {
  readonly channel: AlertChannel;
  /** Signing secret that errgate made now; null: it made none. */
  readonly secret: string | null;
}

/** Set-up of channels: checks addresses and seals secrets, for the API and for commands. */
export interface ChannelSetup {
  /**
   * Throws `invalid_parameter` for an address that cannot be one or is not allowed, and for a secret that does not fit
   * the type; `conflict` beyond MAX_CHANNELS.
   */
  create(projectId: number, draft: ChannelDraft): Promise<SavedChannel>;
  /** Throws as `create` does. Null when the channel is unknown in the project. */
  change(projectId: number, channelId: number, change: ChannelChange): Promise<SavedChannel | null>;
}
