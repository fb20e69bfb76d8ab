import { nullableText, nullableTime, time } from '../../http/common-schema.ts';
import { objectSchema } from '../../http/object-schema.ts';

const count = { type: 'integer' } as const;

const escalationCause = {
  title: 'EscalationCause',
  type: 'object',
  description: 'At most one member is present; none if the external tracker gives no reason',
  properties: {
    users: { ...count, description: 'Affected users that were reached' },
    spike: objectSchema({
      description: 'Events of one hour, and the mean of an hour before',
      properties: { events: count, mean: { type: 'number' } },
    }),
    threshold: objectSchema({
      description: 'Events within minutes, of an alert rule',
      properties: { events: count, minutes: count },
    }),
  },
  additionalProperties: false,
} as const;

const regression = objectSchema({
  title: 'Regression',
  properties: {
    at: { ...nullableTime, description: 'Null if the external tracker gives no time' },
    release: { ...nullableText, description: 'Release of the event that reopened it' },
  },
});

const escalation = objectSchema({
  title: 'Escalation',
  properties: {
    at: { ...nullableTime, description: 'Null: an external tracker does not say since when' },
    cause: escalationCause,
  },
});

const unmuting = objectSchema({
  title: 'Unmuting',
  properties: {
    at: time,
    reason: { enum: ['until', 'events', 'users', null], description: 'Condition that came true' },
    count: { type: ['integer', 'null'], description: 'Events or users that were waited for; null: it was a time' },
  },
});

export const marksSchema = objectSchema({
  title: 'ErrorMarks',
  properties: {
    new: {
      type: 'boolean',
      description: 'First seen within 24 hours; external trackers use their own definition of new',
    },
    regressed: {
      anyOf: [regression, { type: 'null' }],
      description:
        'Last time within seven days that an event reopened it; null: none, it is not unresolved, or it was ignored until a condition since',
    },
    escalating: {
      anyOf: [escalation, { type: 'null' }],
      description: 'Newest cause within 24 hours; null: none, or it is not unresolved',
    },
    unmuted: {
      anyOf: [unmuting, { type: 'null' }],
      description:
        'When and why it stopped being ignored, until a member looks at it, at most seven days; null: it did not',
    },
    unhandled: { type: ['boolean', 'null'], description: 'Its first event was not handled; null: it does not say' },
    for_review: {
      type: ['boolean', 'null'],
      description:
        'Became new, regressed, escalating or unmuted within seven days, and no member looked at it since; null: unknown, for external trackers',
    },
  },
});

export const nullableMarks = {
  anyOf: [marksSchema, { type: 'null' }],
  description: 'What deserves attention; null for external trackers that do not say',
} as const;
