import type { AlertChannel } from '../../../domain/alerts/alert-channel.ts';
import type { Conversation } from '../../../domain/alerts/alert-delivery.ts';
import type { AlertPreferences, ProjectAlerts } from '../../../domain/alerts/alert-rule.ts';
import type { ThresholdArm } from '../../../domain/ports/stores/alert-store.ts';
import { boolean, integer, json, kind, nullable, text, type Kind } from '../kind.ts';

export const alertChannels: Kind<AlertChannel, 'id'> = kind({
  name: 'alertChannels',
  key: ['id'],
  numbered: true,
  of: 'project',
  members: {
    id: integer,
    projectId: integer,
    type: text(),
    name: text(),
    host: text(),
    sealed: text(),
    enabled: boolean,
    disabledReason: nullable(text()),
    createdAt: integer,
  },
  indexes: { of_project: ['projectId', 'id'] },
});

export type AlertsOfProject = ProjectAlerts & { readonly projectId: number };

/** Alert settings of projects that have their own. */
export const projectAlerts: Kind<AlertsOfProject, 'projectId'> = kind({
  name: 'projectAlerts',
  key: ['projectId'],
  of: 'project',
  members: { projectId: integer, rules: json(), lastRuleId: integer, poll: boolean },
});

export type PreferencesOfUser = AlertPreferences & { readonly userId: number };

export const alertPreferences: Kind<PreferencesOfUser, 'userId'> = kind({
  name: 'alertPreferences',
  key: ['userId'],
  of: 'user',
  members: {
    userId: integer,
    mail: text(),
    projects: json(),
    quiet: nullable(json()),
    zone: text(),
    heartbeat: boolean,
  },
});

/** One per destination. It ends with its channel; when a project is deleted, its parts of a message on its way go. */
export const alertConversations: Kind<Conversation, 'destination'> = kind({
  name: 'alertConversations',
  key: ['destination'],
  of: 'instance',
  members: {
    destination: text(),
    version: integer,
    level: integer,
    lastSentAt: nullable(integer),
    number: integer,
    cursor: integer,
    firstWaiting: nullable(integer),
    lastWaiting: nullable(integer),
    notBefore: nullable(integer),
    pending: nullable(json()),
    heartbeatAt: nullable(integer),
    failingSince: nullable(integer),
    troubleTo: nullable(json()),
  },
});

/** Thresholds of rules that were crossed. */
export const alertArms: Kind<ThresholdArm, 'projectId' | 'ruleId' | 'errorId'> = kind({
  name: 'alertArms',
  key: ['projectId', 'ruleId', 'errorId'],
  of: 'project',
  members: {
    projectId: integer,
    ruleId: integer,
    errorId: text(),
    fired: integer,
    armed: boolean,
    belowSince: nullable(integer),
  },
  indexes: { of_project: ['projectId', 'ruleId', 'errorId'] },
});
