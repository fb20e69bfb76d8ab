import type { AlertChannel, ChannelType } from '../../../domain/alert-channel.ts';
import type { Conversation, Destination, PendingMessage } from '../../../domain/alert-delivery.ts';
import type { AlertPreferences, AlertRule, MailMode, ProjectAlerts } from '../../../domain/alert-rule.ts';
import type { ThresholdArm } from '../../../domain/ports/alert-store.ts';
import type { SqliteDatabase } from '../database.ts';
import type { Row } from '../driver.ts';
import { orNull } from '../rows.ts';

export function toChannel(row: Row): AlertChannel {
  return {
    id: row.id as number,
    projectId: row.project_id as number,
    type: row.type as ChannelType,
    name: row.name as string,
    host: row.host as string,
    sealed: row.sealed as string,
    enabled: row.enabled === 1,
    disabledReason: row.disabled_reason as string | null,
    createdAt: row.created_at as number,
  };
}

export function listChannels(db: SqliteDatabase, projectId: number | null): AlertChannel[] {
  return db
    .all('SELECT * FROM alert_channels WHERE ?1 IS NULL OR project_id = ?1 ORDER BY id', projectId)
    .map(toChannel);
}

export function channelById(db: SqliteDatabase, projectId: number, channelId: number): AlertChannel | null {
  return orNull(
    db.get('SELECT * FROM alert_channels WHERE id = ? AND project_id = ?', channelId, projectId),
    toChannel,
  );
}

function toProjectAlerts(row: Row): ProjectAlerts {
  return {
    rules: JSON.parse(row.rules as string) as AlertRule[],
    lastRuleId: row.last_rule_id as number,
    poll: row.poll === 1,
  };
}

export const toAlertsOfProject = (row: Row): ProjectAlerts & { readonly projectId: number } => ({
  projectId: row.project_id as number,
  ...toProjectAlerts(row),
});

export function projectAlerts(db: SqliteDatabase, projectId: number): ProjectAlerts | null {
  return orNull(db.get('SELECT * FROM project_alerts WHERE project_id = ?', projectId), toProjectAlerts);
}

export function listProjectAlerts(db: SqliteDatabase): (ProjectAlerts & { readonly projectId: number })[] {
  return db.all('SELECT * FROM project_alerts ORDER BY project_id').map(toAlertsOfProject);
}

function toPreferences(row: Row): AlertPreferences {
  return {
    mail: row.mail as MailMode,
    projects: JSON.parse(row.projects as string) as AlertPreferences['projects'],
    quiet: fromJson(row.quiet) as AlertPreferences['quiet'],
    zone: row.zone as string,
    heartbeat: row.heartbeat === 1,
  };
}

export const toPreferencesOfUser = (row: Row): AlertPreferences & { readonly userId: number } => ({
  userId: row.user_id as number,
  ...toPreferences(row),
});

export function alertPreferences(db: SqliteDatabase, userId: number): AlertPreferences | null {
  return orNull(db.get('SELECT * FROM alert_preferences WHERE user_id = ?', userId), toPreferences);
}

export function listAlertPreferences(db: SqliteDatabase): (AlertPreferences & { readonly userId: number })[] {
  return db.all('SELECT * FROM alert_preferences ORDER BY user_id').map(toPreferencesOfUser);
}

export function toConversation(row: Row): Conversation {
  return {
    destination: row.destination as Destination,
    version: row.version as number,
    level: row.level as number,
    lastSentAt: row.last_sent_at as number | null,
    number: row.number as number,
    cursor: row.cursor as number,
    firstWaiting: row.first_waiting as number | null,
    lastWaiting: row.last_waiting as number | null,
    notBefore: row.not_before as number | null,
    pending: fromJson(row.pending) as PendingMessage | null,
    heartbeatAt: row.heartbeat_at as number | null,
    failingSince: row.failing_since as number | null,
    troubleTo: fromJson(row.trouble_to) as number[] | null,
  };
}

export function listConversations(db: SqliteDatabase): Conversation[] {
  return db.all('SELECT * FROM alert_conversations ORDER BY destination').map(toConversation);
}

export function toArm(row: Row): ThresholdArm {
  return {
    projectId: row.project_id as number,
    ruleId: row.rule_id as number,
    errorId: row.error_id as string,
    fired: row.fired as number,
    armed: row.armed === 1,
    belowSince: row.below_since as number | null,
  };
}

export function thresholdArms(db: SqliteDatabase, projectId: number): ThresholdArm[] {
  return db.all('SELECT * FROM alert_arms WHERE project_id = ? ORDER BY rule_id, error_id', projectId).map(toArm);
}

function fromJson(value: unknown): unknown {
  return value === null ? null : (JSON.parse(value as string) as unknown);
}
