import type { FromSchema } from 'json-schema-to-ts';
import { nullableText, nullableTime, time } from './common.ts';

const channelTypes = ['mail', 'webhook', 'slack', 'mattermost', 'teams', 'discord', 'alertmanager', 'gitlab'] as const;

const outlookProperties = {
  state: {
    enum: ['idle', 'gathering', 'waiting', 'sending', 'retrying', 'off'],
    description: 'gathering: collects what comes together; waiting: until next_at, see reason; off: gets no messages',
  },
  next_at: { ...nullableTime, description: 'Time of the next message or attempt; null: none is planned' },
  reason: { type: 'string', description: 'What it waits for, as a sentence; empty when idle' },
  last_sent_at: nullableTime,
  failing_since: { ...nullableTime, description: 'Since when attempts to send fail; null: they do not' },
  last_answer: { ...nullableText, description: 'Answer of the last failed attempt of the message on its way' },
} as const;

const outlookRequired = Object.keys(outlookProperties) as (keyof typeof outlookProperties)[];

export const alertOutlookSchema = {
  title: 'AlertOutlook',
  type: 'object',
  properties: outlookProperties,
  required: outlookRequired,
  additionalProperties: false,
} as const;

export const alertPersonSchema = {
  title: 'AlertPerson',
  type: 'object',
  properties: { id: { type: 'integer' }, name: { type: 'string' }, outlook: alertOutlookSchema },
  required: ['id', 'name', 'outlook'],
  additionalProperties: false,
} as const;

const channelProperties = {
  id: { type: 'integer' },
  type: { enum: channelTypes },
  name: { type: 'string' },
  host: { type: 'string', description: 'Host of the address, which is never shown; of mail the domains' },
  enabled: { type: 'boolean' },
  disabled_reason: { ...nullableText, description: 'Why errgate switched the channel off; null: it did not' },
  created_at: time,
  outlook: alertOutlookSchema,
} as const;

const channelRequired = Object.keys(channelProperties) as (keyof typeof channelProperties)[];

export const alertChannelSchema = {
  title: 'AlertChannel',
  type: 'object',
  properties: channelProperties,
  required: channelRequired,
  additionalProperties: false,
} as const;

export const alertChannelsSchema = { type: 'array', items: alertChannelSchema } as const;

export const savedAlertChannelSchema = {
  ...alertChannelSchema,
  title: 'SavedAlertChannel',
  properties: {
    ...channelProperties,
    secret: {
      type: 'string',
      description: 'Only if errgate made it with this request: the signing secret of a webhook. It is not shown again',
    },
  },
} as const;

const name = {
  type: 'string',
  minLength: 1,
  maxLength: 100,
  pattern: '^[^\\p{Cc}\\p{Cs}]*[^\\s\\p{Cc}\\p{Cs}][^\\p{Cc}\\p{Cs}]*$',
  'x-expected': 'one line of text',
} as const;
const url = {
  type: 'string',
  minLength: 1,
  maxLength: 2048,
  'x-secret': true,
  description: 'Address that messages are sent to; of mail the mail addresses, separated by commas. Write-only',
} as const;
const secret = {
  type: ['string', 'null'],
  maxLength: 500,
  'x-secret': true,
  description:
    'webhook: signing secret (whsec_ and 24 to 64 bytes in base64), made if omitted; gitlab and alertmanager: bearer token. Write-only',
} as const;

export const newAlertChannelSchema = {
  title: 'NewAlertChannel',
  type: 'object',
  properties: { type: { enum: channelTypes }, name, url, secret },
  required: ['type', 'name', 'url'],
} as const;

export type NewAlertChannel = FromSchema<typeof newAlertChannelSchema>;

export const putAlertChannelSchema = {
  title: 'PutAlertChannel',
  type: 'object',
  description: 'Omitted members keep their values; the type cannot change',
  properties: {
    name,
    url,
    secret,
    rotate_secret: { const: true, description: 'webhook: makes a new signing secret, which the answer has' },
    enabled: { type: 'boolean', description: 'true also ends that errgate switched it off' },
  },
} as const;

export type PutAlertChannel = FromSchema<typeof putAlertChannelSchema>;
