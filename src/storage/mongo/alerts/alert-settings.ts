import type { AlertPreferences, ProjectAlerts } from '../../../domain/alert-rule.ts';
import type { ThresholdArm } from '../../../domain/ports/alert-store.ts';
import { requireProject } from '../commands/project-commands.ts';
import type { MongoContext } from '../context.ts';
import { reading, writing } from '../operation-options.ts';
import { againWhenRaced } from '../raced-writes.ts';
import { userById } from '../views/account-views.ts';
import { projectById } from '../views/project-views.ts';
import { armKey } from './alert-documents.ts';
import { unknownUser } from '../../refusals.ts';

export async function projectAlerts({ collections }: MongoContext, projectId: number): Promise<ProjectAlerts | null> {
  const row = await collections.projectAlerts.findOne({ _id: projectId }, reading('project_alerts.by_project'));
  if (row === null) return null;
  const { _id, ...alerts } = row;
  return alerts;
}

export async function listProjectAlerts({
  collections,
}: MongoContext): Promise<(ProjectAlerts & { readonly projectId: number })[]> {
  const rows = await collections.projectAlerts.find({}, reading('project_alerts.list')).sort({ _id: 1 }).toArray();
  return rows.map(({ _id, ...alerts }) => ({ projectId: _id, ...alerts }));
}

export async function saveProjectAlerts(
  context: MongoContext,
  projectId: number,
  alerts: ProjectAlerts,
): Promise<void> {
  await requireProject(context, projectId);
  const options = () => ({ ...writing('project_alerts.save'), upsert: true });
  await againWhenRaced(() => context.collections.projectAlerts.replaceOne({ _id: projectId }, alerts, options()));
}

export async function alertPreferences(
  { collections }: MongoContext,
  userId: number,
): Promise<AlertPreferences | null> {
  const row = await collections.alertPreferences.findOne({ _id: userId }, reading('alert_preferences.by_user'));
  if (row === null) return null;
  const { _id, ...preferences } = row;
  return preferences;
}

export async function listAlertPreferences({
  collections,
}: MongoContext): Promise<(AlertPreferences & { readonly userId: number })[]> {
  const rows = await collections.alertPreferences
    .find({}, reading('alert_preferences.list'))
    .sort({ _id: 1 })
    .toArray();
  return rows.map(({ _id, ...preferences }) => ({ userId: _id, ...preferences }));
}

export async function saveAlertPreferences(
  context: MongoContext,
  userId: number,
  preferences: AlertPreferences,
): Promise<void> {
  if ((await userById(context, userId)) === null) {
    throw unknownUser(userId);
  }
  const options = () => ({ ...writing('alert_preferences.save'), upsert: true });
  await againWhenRaced(() => context.collections.alertPreferences.replaceOne({ _id: userId }, preferences, options()));
}

export async function thresholdArms({ collections }: MongoContext, projectId: number): Promise<ThresholdArm[]> {
  const rows = await collections.alertArms
    .find({ projectId }, reading('alert_arms.list'))
    .sort({ ruleId: 1, errorId: 1 })
    .toArray();
  return rows.map(({ _id, ...arm }) => arm);
}

export async function saveThresholdArm(context: MongoContext, arm: ThresholdArm): Promise<void> {
  if ((await projectById(context, arm.projectId)) === null) return;
  const options = () => ({ ...writing('alert_arms.save'), upsert: true });
  await againWhenRaced(() => context.collections.alertArms.replaceOne({ _id: armKey(arm) }, arm, options()));
}

export async function removeThresholdArm(
  { collections }: MongoContext,
  arm: Parameters<typeof armKey>[0],
): Promise<void> {
  await collections.alertArms.deleteOne({ _id: armKey(arm) }, writing('alert_arms.remove'));
}
