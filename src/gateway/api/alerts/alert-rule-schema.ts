import type { FromSchema } from 'json-schema-to-ts';
import { ONE_LINE } from '../../http/common-schema.ts';
import { objectSchema } from '../../http/object-schema.ts';
import { levelValues } from '../shared/error-filters-schema.ts';
import { alertPersonSchema } from './alert-channel-schema.ts';

export const factKinds = ['new', 'regressed', 'escalated', 'unmuted'] as const;

/** Limits of a rule: list entries, and characters per text. */
const MAX_ENTRIES = 50;
const MAX_TEXT = 200;

const oneLine = {
  type: 'string',
  maxLength: MAX_TEXT,
  pattern: ONE_LINE,
  'x-expected': 'one line of text',
} as const;

const word = { ...oneLine, minLength: 1 } as const;
const words = (description: string) =>
  ({ type: 'array', items: word, maxItems: MAX_ENTRIES, uniqueItems: true, description }) as const;

/** Time of day. */
export const clockTime = {
  type: 'string',
  pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
  'x-expected': 'a time such as 08:30',
} as const;

export const timeZone = { type: 'string', minLength: 1, maxLength: 64 } as const;

export const quietHours = {
  title: 'QuietHours',
  type: ['object', 'null'],
  description: 'Hours without messages, which are sent after them; from after to spans midnight. null: none',
  properties: { from: clockTime, to: clockTime },
  required: ['from', 'to'],
  additionalProperties: false,
} as const;

const id = { type: 'integer', minimum: 1, description: 'Given by errgate; never used again in the project' } as const;
const name = { ...word, maxLength: 100 } as const;
const enabled = { type: 'boolean' } as const;

const when = {
  kinds: {
    type: 'array',
    items: { enum: factKinds },
    uniqueItems: true,
    description: 'What happened: new error, came back, spreads, no longer ignored',
  },
  threshold: {
    type: ['object', 'null'],
    description: 'Also when an error has this many events within these minutes; null: no threshold',
    properties: {
      events: { type: 'integer', minimum: 1, maximum: 1_000_000 },
      minutes: { type: 'integer', minimum: 1, maximum: 1440 },
    },
    required: ['events', 'minutes'],
    additionalProperties: false,
  },
  users: {
    type: ['integer', 'null'],
    minimum: 1,
    maximum: 1_000_000_000,
    description: 'Also when an error affects this many users; null: no number',
  },
} as const;

const only = {
  environments: words('Only these environments; empty: any'),
  except_environments: words('None of these environments'),
  levels: {
    type: 'array',
    items: { enum: levelValues },
    uniqueItems: true,
    description: 'Only these levels; empty: any',
  },
  releases: words('Only these releases; empty: any'),
  tags: {
    type: 'array',
    maxItems: MAX_ENTRIES,
    description: 'Each key must have one of its values; empty: any',
    items: objectSchema({ properties: { key: word, value: word } }),
  },
  contains: { ...oneLine, description: 'Text in type, title, message or culprit, case-insensitive; empty: any' },
} as const;

const to = {
  members: { type: 'boolean', description: 'Members from Developer up, by mail, as their own settings say' },
  users: {
    type: 'array',
    items: { type: 'integer', minimum: 1 },
    maxItems: 100,
    uniqueItems: true,
    description: 'Ids of further members, by mail',
  },
  channels: {
    description: 'Ids of channels, or `all`, which includes channels made later',
    anyOf: [
      { const: 'all' },
      { type: 'array', items: { type: 'integer', minimum: 1 }, maxItems: 100, uniqueItems: true },
    ],
  },
} as const;

const how = {
  mode: { enum: ['now', 'hourly', 'daily'], description: 'At once, or gathered for an hour or a day' },
  at: { ...clockTime, description: 'Time of the daily message' },
  quiet: quietHours,
  zone: { ...timeZone, description: 'Time zone of at and quiet, such as Europe/Berlin' },
} as const;

/** Returns the schema of a part of a rule whose members may be omitted. */
const partial = <P extends object>(properties: P) =>
  ({ type: 'object', properties, additionalProperties: false }) as const;

export const alertRuleSchema = objectSchema({
  title: 'AlertRule',
  properties: {
    id,
    name,
    enabled,
    when: objectSchema({ properties: when }),
    only: objectSchema({ properties: only }),
    to: objectSchema({ properties: to }),
    how: objectSchema({ properties: how }),
  },
});

const newAlertRuleSchema = {
  title: 'NewAlertRule',
  type: 'object',
  description: 'Omitted members have the values of the default rule',
  properties: {
    id: { ...id, description: 'Of an existing rule; omitted: a new rule' },
    name,
    enabled,
    when: partial(when),
    only: partial(only),
    to: partial(to),
    how: partial(how),
  },
  required: ['name'],
  additionalProperties: false,
} as const;

export type NewAlertRule = FromSchema<typeof newAlertRuleSchema>;

export const alertsSchema = objectSchema({
  title: 'Alerts',
  properties: {
    rules: { type: 'array', items: alertRuleSchema },
    poll: {
      type: 'boolean',
      description: 'Projects of external trackers: whether errgate asks the tracker for new and regressed errors',
    },
    default: { type: 'boolean', description: 'true: the project has no rules of its own, these apply to it' },
    mail: { type: 'boolean', description: 'Whether mail is configured; otherwise people get no messages' },
    people: {
      type: 'array',
      items: alertPersonSchema,
      description: 'People that messages go to, as rules and they say',
    },
  },
});

/** The body may have further members, which are ignored. */
export const putAlertsSchema = {
  title: 'PutAlerts',
  type: 'object',
  description:
    'Users of rules must be members of the project, and channels its own. Those that no longer exist are left out of answers',
  properties: {
    rules: {
      type: 'array',
      items: newAlertRuleSchema,
      description: 'Replaces all rules; at most 20. Omitted: they stay',
    },
    poll: { type: 'boolean', description: 'Omitted: stays as it is' },
  },
} as const;

export type PutAlerts = FromSchema<typeof putAlertsSchema>;
