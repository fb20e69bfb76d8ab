import type { Level } from '../events/event.ts';
import type { FactKind } from './alert-fact.ts';

/** Events within minutes that let an error escalate for one rule. */
export interface EventThreshold {
  /** 1 to 1,000,000. */
  readonly events: number;
  /** 1 to 1,440. */
  readonly minutes: number;
}

/** What a rule reports. */
export interface RuleTriggers {
  readonly kinds: readonly FactKind[];
  /** Null: none. Fires when crossed; again after a whole window below half of it. */
  readonly threshold: EventThreshold | null;
  /** Affected users that are reported beside the powers of ten; null: none. */
  readonly users: number | null;
}

/** Restrictions of a rule; an empty list does not restrict. */
export interface RuleFilter {
  readonly environments: readonly string[];
  readonly exceptEnvironments: readonly string[];
  readonly levels: readonly Level[];
  readonly releases: readonly string[];
  /** Each key must have one of its values on the error. */
  readonly tags: readonly { readonly key: string; readonly value: string }[];
  /** Part of type, title, message or culprit, case-insensitive; empty: any. */
  readonly contains: string;
}

/** Recipients of a rule. */
export interface RuleRecipients {
  /** True: members from Developer up, by mail, as their own settings say. */
  readonly members: boolean;
  /** Further members by id, by mail. */
  readonly users: readonly number[];
  /** `all`: also channels that are made later. */
  readonly channels: 'all' | readonly number[];
}

export const RULE_MODES = ['now', 'hourly', 'daily'] as const;
export type RuleMode = (typeof RULE_MODES)[number];

/** Hours without messages, by the clock of a zone. `from` after `to` spans midnight. */
export interface QuietHours {
  /** HH:MM */
  readonly from: string;
  readonly to: string;
}

export interface RuleTiming {
  readonly mode: RuleMode;
  /** `daily`: HH:MM. */
  readonly at: string;
  readonly quiet: QuietHours | null;
  /** IANA zone of `at` and `quiet`. */
  readonly zone: string;
}

export interface AlertRule {
  /** Positive, unique in the project, never used again. */
  readonly id: number;
  /** 1 to 100 characters. */
  readonly name: string;
  readonly enabled: boolean;
  readonly when: RuleTriggers;
  readonly only: RuleFilter;
  readonly to: RuleRecipients;
  readonly how: RuleTiming;
}

/** Alert settings of a project. */
export interface ProjectAlerts {
  /** At most MAX_RULES. */
  readonly rules: readonly AlertRule[];
  /** Greatest rule id that was given; ids are not used again. */
  readonly lastRuleId: number;
  /** External tracker's projects: true polls the tracker for new and regressed errors. */
  readonly poll: boolean;
}

export const MAX_RULES = 20;

/** Environments that do not alert unless a rule names them. */
export const QUIET_ENVIRONMENTS = ['development', 'dev', 'local', 'test'] as const;

/** The rule of a project that has no settings of its own. */
export const DEFAULT_RULE: AlertRule = {
  id: 1,
  name: 'Important changes',
  enabled: true,
  when: { kinds: ['new', 'regressed', 'escalated', 'unmuted'], threshold: null, users: null },
  only: {
    environments: [],
    exceptEnvironments: QUIET_ENVIRONMENTS,
    levels: ['error', 'fatal'],
    releases: [],
    tags: [],
    contains: '',
  },
  to: { members: true, users: [], channels: 'all' },
  how: { mode: 'now', at: '09:00', quiet: null, zone: 'UTC' },
};

export const DEFAULT_ALERTS: ProjectAlerts = { rules: [DEFAULT_RULE], lastRuleId: 1, poll: false };

export const MAIL_MODES = ['all', 'mine', 'off'] as const;
/** `mine`: only errors that are assigned to the person. */
export type MailMode = (typeof MAIL_MODES)[number];

/** What a person wants by mail. */
export interface AlertPreferences {
  readonly mail: MailMode;
  /** By project; others as `mail`. */
  readonly projects: readonly { readonly projectId: number; readonly mail: MailMode }[];
  readonly quiet: QuietHours | null;
  /** IANA zone of `quiet` and of the daily message. */
  readonly zone: string;
  /** True: a daily message also when nothing happened. */
  readonly heartbeat: boolean;
}

export const DEFAULT_PREFERENCES: AlertPreferences = {
  mail: 'all',
  projects: [],
  quiet: null,
  zone: 'UTC',
  heartbeat: false,
};
