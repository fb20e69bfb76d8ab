import { type AlertChannel, type ChannelPatch, type NewChannel } from '../../../domain/alert-channel.ts';
import type { AlertPreferences, ProjectAlerts } from '../../../domain/alert-rule.ts';
import type { ThresholdArm } from '../../../domain/ports/alert-store.ts';
import { userById } from '../views/account-views.ts';
import { channelById } from '../views/alert-views.ts';
import { projectById } from '../views/project-views.ts';
import type { WriteContext } from '../write-context.ts';
import { removeConversation } from './conversation-rows.ts';
import { requireProject } from './project-commands.ts';
import { requireRoomForChannel, unknownUser } from '../../refusals.ts';

export function createChannel({ db }: WriteContext, channel: NewChannel, now: number): AlertChannel {
  const { projectId, type, name, host, sealed } = channel;
  requireProject(db, projectId);
  requireRoomForChannel(db.number('SELECT count(*) FROM alert_channels WHERE project_id = ?', projectId));
  const sql = 'INSERT INTO alert_channels (project_id, type, name, host, sealed, created_at) VALUES (?, ?, ?, ?, ?, ?)';
  const id = db.insert(sql, projectId, type, name, host, sealed, now);
  return { id, ...channel, enabled: true, disabledReason: null, createdAt: now };
}

export function updateChannel(
  { db }: WriteContext,
  projectId: number,
  channelId: number,
  patch: ChannelPatch,
): AlertChannel | null {
  const before = channelById(db, projectId, channelId);
  if (before === null) return null;
  const after = { ...before, ...patch };
  db.run(
    'UPDATE alert_channels SET name = ?, host = ?, sealed = ?, enabled = ?, disabled_reason = ? WHERE id = ?',
    ...[after.name, after.host, after.sealed, after.enabled ? 1 : 0, after.disabledReason, channelId],
  );
  return after;
}

export function removeChannel(context: WriteContext, projectId: number, channelId: number): boolean {
  const { db } = context;
  const removed = db.run('DELETE FROM alert_channels WHERE id = ? AND project_id = ?', channelId, projectId) > 0;
  if (removed) removeConversation(context, `channel:${channelId}`);
  return removed;
}

export function replaceSealedChannel({ db }: WriteContext, channelId: number, from: string, to: string): boolean {
  return db.run('UPDATE alert_channels SET sealed = ? WHERE id = ? AND sealed = ?', to, channelId, from) > 0;
}

export function saveProjectAlerts({ db }: WriteContext, projectId: number, alerts: ProjectAlerts): void {
  requireProject(db, projectId);
  const sql = 'INSERT OR REPLACE INTO project_alerts (project_id, rules, last_rule_id, poll) VALUES (?, ?, ?, ?)';
  db.run(sql, projectId, JSON.stringify(alerts.rules), alerts.lastRuleId, alerts.poll ? 1 : 0);
}

export function saveAlertPreferences({ db }: WriteContext, userId: number, preferences: AlertPreferences): void {
  if (userById(db, userId) === null) {
    throw unknownUser(userId);
  }
  const { mail, projects, quiet, zone, heartbeat } = preferences;
  db.run(
    `INSERT OR REPLACE INTO alert_preferences (user_id, mail, projects, quiet, zone, heartbeat)
      VALUES (?, ?, ?, ?, ?, ?)`,
    ...[userId, mail, JSON.stringify(projects), quiet === null ? null : JSON.stringify(quiet), zone, heartbeat ? 1 : 0],
  );
}

export function saveThresholdArm({ db }: WriteContext, arm: ThresholdArm): void {
  const { projectId, ruleId, errorId, fired, armed, belowSince } = arm;
  if (projectById(db, projectId) === null) return;
  db.run(
    `INSERT OR REPLACE INTO alert_arms (project_id, rule_id, error_id, fired, armed, below_since)
      VALUES (?, ?, ?, ?, ?, ?)`,
    ...[projectId, ruleId, errorId, fired, armed ? 1 : 0, belowSince],
  );
}

export function removeThresholdArm(
  { db }: WriteContext,
  { projectId, ruleId, errorId }: Pick<ThresholdArm, 'projectId' | 'ruleId' | 'errorId'>,
): void {
  const sql = 'DELETE FROM alert_arms WHERE project_id = ? AND rule_id = ? AND error_id = ?';
  db.run(sql, projectId, ruleId, errorId);
}
