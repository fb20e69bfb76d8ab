import type { FromSchema } from 'json-schema-to-ts';
import type { ParametersSchema } from '../../../schemas/parameters.ts';
import { nullableText, time } from '../../http/common-schema.ts';
import { objectSchema } from '../../http/object-schema.ts';
import { cursor, perPage } from '../shared/error-filters-schema.ts';
import { factKinds } from './alert-rule-schema.ts';

const destination = objectSchema({
  title: 'AlertDestination',
  properties: {
    kind: { enum: ['channel', 'person'] },
    id: { type: 'integer', description: 'Of the channel or the user' },
    name: { type: 'string', description: 'Name at that time; never an address' },
  },
});

const counts = {
  title: 'FactCounts',
  type: 'object',
  properties: {
    new: { type: 'integer' },
    regressed: { type: 'integer' },
    escalated: { type: 'integer' },
    unmuted: { type: 'integer' },
  },
  required: factKinds,
  additionalProperties: false,
} as const;

const messageId = { type: 'string', description: 'Id of the message, the same over all repeats' } as const;

const resultProperties = {
  to: destination,
  attempts: { type: 'integer' },
} as const;

export const alertDeliverySchema = objectSchema({
  title: 'AlertDelivery',
  properties: {
    id: messageId,
    ...resultProperties,
    state: {
      enum: ['sent', 'failed', 'dropped'],
      description: 'failed: given up, can be sent again; dropped: not sent, answer says why',
    },
    answer: { type: 'string', description: 'Answer of the receiver, or why it was not sent' },
    at: { ...time, description: 'Time of the last attempt' },
    kind: { enum: ['facts', 'test', 'heartbeat', 'trouble'] },
    created_at: time,
    counts: { ...counts, description: 'What happened in this project' },
    errors: {
      type: 'array',
      description: 'Errors of this project that the message names, at most ten',
      items: objectSchema({
        properties: { id: { type: 'string' }, title: { type: 'string' }, fact: { enum: factKinds } },
      }),
    },
    note: { type: 'string', description: 'Text of a message that is not about errors; otherwise empty' },
  },
});

export const alertDeliveriesSchema = { type: 'array', items: alertDeliverySchema } as const;

export const listAlertDeliveriesSchema = {
  type: 'object',
  properties: {
    channel_id: { type: 'integer', minimum: 1, description: 'Only messages to this channel' },
    user_id: { type: 'integer', minimum: 1, description: 'Only messages to this person' },
    per_page: perPage,
    cursor,
  },
  required: ['per_page'],
  additionalProperties: false,
} as const satisfies ParametersSchema;

export type ListAlertDeliveries = FromSchema<typeof listAlertDeliveriesSchema>;

const cause = {
  title: 'FactCause',
  type: 'object',
  description: 'Why; only the members of its cause are present, of new and regressed none',
  properties: {
    users: { type: 'integer', description: 'Affected users that were reached' },
    spike: {
      type: 'object',
      properties: { events: { type: 'integer' }, mean: { type: 'number' } },
      required: ['events', 'mean'],
      additionalProperties: false,
      description: 'Events of one hour, and the mean of an hour of the seven days before',
    },
    threshold: {
      type: 'object',
      properties: { events: { type: 'integer' }, minutes: { type: 'integer' } },
      required: ['events', 'minutes'],
      additionalProperties: false,
      description: 'Threshold of a rule',
    },
    reason: { enum: ['until', 'events', 'users'], description: 'Condition that ended the status ignored' },
  },
  additionalProperties: false,
} as const;

export const errorAlertSchema = objectSchema({
  title: 'ErrorAlert',
  properties: {
    fact: { enum: factKinds },
    cause,
    at: time,
    release: nullableText,
    environment: nullableText,
    silence: { ...nullableText, description: 'Why it was reported to no destination; null: it was, or it waits' },
    deliveries: {
      type: 'array',
      description: 'Messages that report it; empty while it waits',
      items: objectSchema({
        title: 'ErrorAlertDelivery',
        properties: {
          id: { ...messageId, type: ['string', 'null'], description: 'Id of the message; null: it waits' },
          ...resultProperties,
          state: {
            enum: ['waiting', 'sending', 'sent', 'failed', 'dropped'],
            description: 'waiting: for its message; sending: on its way; failed: given up; dropped: not sent',
          },
          answer: { ...nullableText, description: 'Answer of the receiver, or why it waits or was not sent' },
          at: { ...time, description: 'Time of the last attempt; of waiting and sending that of the next one' },
        },
      }),
    },
  },
});

export const errorAlertsSchema = { type: 'array', items: errorAlertSchema } as const;
