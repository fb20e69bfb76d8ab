import type { AlertChannel, ChannelPatch, NewChannel } from '../../alerts/alert-channel.ts';
import type { Conversation, Delivery, Destination } from '../../alerts/alert-delivery.ts';
import type { AlertFact, NewFact } from '../../alerts/alert-fact.ts';
import type { AlertPreferences, ProjectAlerts } from '../../alerts/alert-rule.ts';
import type { Level } from '../../events/event.ts';
import type { ErrorStatus } from '../../errors/error-status.ts';

/** Busy error, for the search for spikes. */
export interface BusyError {
  readonly projectId: number;
  /** Of a merged error its root, with the sums of all members. */
  readonly errorId: string;
  readonly groupHash: string;
  /** Events in the hour. */
  readonly events: number;
  /** Events in the 168 hours before. */
  readonly before: number;
  readonly firstSeen: number;
  /** Time of its import; null: none. */
  readonly importedAt: number | null;
}

/** Error as messages need it: present status and size. Of a merged error the sums of all members. */
export interface ErrorState {
  readonly errorId: string;
  readonly status: ErrorStatus;
  /** True: it is a member of another error. */
  readonly merged: boolean;
  readonly level: Level | null;
  readonly users: number;
  readonly events: number;
  readonly firstSeen: number;
  readonly lastSeen: number;
  /** User id; null: none. */
  readonly assigneeId: number | null;
}

/** State of a rule's threshold for one error. */
export interface ThresholdArm {
  readonly projectId: number;
  readonly ruleId: number;
  readonly errorId: string;
  /** Number of times it has fired. */
  readonly fired: number;
  /** False after it fired, until a whole window stayed below half. */
  readonly armed: boolean;
  /** Since when the count is below half; null: it is not. */
  readonly belowSince: number | null;
}

export interface DeliveryQuery {
  readonly projectId: number;
  readonly destination: Destination | null;
  /** 1 to 100. */
  readonly limit: number;
  /** Id of the last delivery of the page before; null: the newest. */
  readonly after: string | null;
}

/**
 * Shared value that is set when a store was restored from a backup or copied: the place of its newest fact then. What
 * waits up to there may have been sent before, so the gateway with the lease passes it over before anything else
 * (`passOverRestored`) and makes the value empty.
 */
export const ALERTS_RESTORED = 'alerts_restored';

/** Facts, channels, rules and messages of alerts. Methods about a project ignore ids of other projects. */
export interface AlertStore {
  /**
   * Moves facts that batches left with their errors into the log, each once, whatever is killed when, and also when
   * several processes call it. Returns the number of facts moved, at most 1,000 per call. A store whose batches write to
   * the log directly returns 0.
   */
  collectFacts(): Promise<number>;
  /**
   * Adds facts that jobs found; known ids and removed projects are left out. Returns the number added. At most 1,000.
   */
  addFacts(facts: readonly NewFact[]): Promise<number>;
  /** Facts after a place in the log, in order; `limit` 1 to 1,000. */
  listFacts(after: number, limit: number): Promise<AlertFact[]>;
  /** The newest 100 facts of an error, newest first; of a merged error those of all members. */
  factsOfError(projectId: number, errorId: string): Promise<AlertFact[]>;
  /** Place of the newest fact; 0: none. */
  lastFact(): Promise<number>;
  /** Records why facts were reported to no destination. */
  silenceFacts(reasons: readonly { readonly seq: number; readonly reason: string }[]): Promise<void>;

  /** Throws `conflict` beyond MAX_CHANNELS. */
  createChannel(channel: NewChannel, now: number): Promise<AlertChannel>;
  /** Null: of all projects. By id. */
  listChannels(projectId: number | null): Promise<AlertChannel[]>;
  /** Null when the channel is unknown. */
  updateChannel(projectId: number, channelId: number, patch: ChannelPatch): Promise<AlertChannel | null>;
  /** Removes the conversation too; deliveries stay. False when unknown. */
  removeChannel(projectId: number, channelId: number): Promise<boolean>;
  /** Replaces a sealed text if it is still the one that was read; for the rotation of keys. */
  replaceSealedChannel(channelId: number, from: string, to: string): Promise<boolean>;

  /** Null: the project has none of its own, see DEFAULT_ALERTS. */
  projectAlerts(projectId: number): Promise<ProjectAlerts | null>;
  /** All projects with settings of their own. */
  listProjectAlerts(): Promise<(ProjectAlerts & { readonly projectId: number })[]>;
  saveProjectAlerts(projectId: number, alerts: ProjectAlerts): Promise<void>;
  /** Null: see DEFAULT_PREFERENCES. */
  alertPreferences(userId: number): Promise<AlertPreferences | null>;
  listAlertPreferences(): Promise<(AlertPreferences & { readonly userId: number })[]>;
  saveAlertPreferences(userId: number, preferences: AlertPreferences): Promise<void>;

  listConversations(): Promise<Conversation[]>;
  /**
   * Writes the row if its version is `version - 1`, or absent for version 1. False: another gateway was faster, or the
   * channel or person no longer exists. Deletion of a project also changes the rows whose message has parts of it.
   */
  saveConversation(conversation: Conversation): Promise<boolean>;
  removeConversation(destination: Destination): Promise<void>;

  /** Adds or replaces by id. Parts of removed projects are left out; without any other part it is not saved. */
  saveDelivery(delivery: Delivery): Promise<void>;
  deliveryById(id: string): Promise<Delivery | null>;
  /** Deliveries with a part about the project, by `at`, then id, newest first; none when `after` is unknown. */
  listDeliveries(query: DeliveryQuery): Promise<Delivery[]>;
  /**
   * Deliveries with a part about the project whose facts begin at or before a place in the log and end at or after it;
   * at most 100, newest first. The place need not be in one of their runs.
   */
  deliveriesAround(projectId: number, seq: number): Promise<Delivery[]>;
  /**
   * Number of deliveries in state `failed`, of a project or of all, that can be sent again. Left out: tests, daily
   * messages, those to channels that were removed, and to people that left one of the projects.
   */
  failedDeliveries(projectId: number | null): Promise<number>;

  /** State of errors of a project, in any order; unknown ids are left out. At most 1,000 ids. */
  errorStates(projectId: number, errorIds: readonly string[]): Promise<ErrorState[]>;
  /** Errors with at least `events` events in the hour that contains `at`; at most 1,000. */
  busyErrors(at: number, events: number): Promise<BusyError[]>;
  /**
   * Errors of a project with events received since, at most 1,000, most recent first. Leaves out those whose newest
   * event is a day older than `since` by its own time. `users`: own ones, without those that a tracker counted.
   */
  recentErrors(projectId: number, since: number): Promise<{ errorId: string; groupHash: string; users: number }[]>;
  /**
   * Number of events of an error received since; counts to `atMost`. Of the hour that contains `since` only stored
   * events count, of later hours all, by their own time.
   */
  countEvents(projectId: number, errorId: string, since: number, atMost: number): Promise<number>;
  thresholdArms(projectId: number): Promise<ThresholdArm[]>;
  saveThresholdArm(arm: ThresholdArm): Promise<void>;
  removeThresholdArm(arm: Pick<ThresholdArm, 'projectId' | 'ruleId' | 'errorId'>): Promise<void>;
}
