import type { FromSchema } from 'json-schema-to-ts';
import { nullableText } from '../../http/common-schema.ts';
import { objectSchema } from '../../http/object-schema.ts';
import { quietHours, timeZone } from './alert-rule-schema.ts';

/** Maximum projects with an own setting of one person. */
const MAX_PROJECTS = 1000;

const mail = {
  enum: ['all', 'mine', 'off'],
  description: 'all: what the rules of the projects send; mine: only errors assigned to the person; off: nothing',
} as const;

const projects = {
  type: 'array',
  maxItems: MAX_PROJECTS,
  description: 'Projects with a setting of their own; others as mail',
  items: objectSchema({ properties: { project_id: { type: 'integer', minimum: 1 }, mail } }),
} as const;

const zone = {
  ...timeZone,
  description: 'Time zone of quiet and of the daily message, such as Europe/Berlin',
} as const;

const heartbeat = { type: 'boolean', description: 'A daily message also when nothing happened' } as const;

export const alertSettingsSchema = objectSchema({
  title: 'AlertSettings',
  properties: {
    mail,
    projects,
    quiet: quietHours,
    zone,
    heartbeat,
    email: { ...nullableText, description: 'Address of the person; null: none, so no mail' },
    mail_configured: { type: 'boolean', description: 'Whether this installation sends mail' },
  },
});

export const putAlertSettingsSchema = {
  title: 'PutAlertSettings',
  type: 'object',
  description: 'Omitted members keep their values',
  properties: { mail, projects, quiet: quietHours, zone, heartbeat },
} as const;

export type PutAlertSettings = FromSchema<typeof putAlertSettingsSchema>;
