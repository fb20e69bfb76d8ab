import type { FromSchema } from 'json-schema-to-ts';
import { compileSchema } from '../compile.ts';

const nullableText = { type: ['string', 'null'] } as const;
const nullableId = { type: ['string', 'integer', 'null'] } as const;
/** Checked member by member in the mapping, which accepts any JSON. */
const anything = {} as const;

/** Event as list row or in full. Rows have no entries. */
export const thirdpartyEventSchema = {
  type: 'object',
  required: ['eventID'],
  properties: {
    eventID: { type: 'string' },
    groupID: nullableId,
    projectID: nullableId,
    nextEventID: nullableText,
    previousEventID: nullableText,
    dateCreated: nullableText,
    dateReceived: nullableText,
    platform: nullableText,
    type: nullableText,
    title: nullableText,
    message: nullableText,
    dist: nullableText,
    entries: {
      type: ['array', 'null'],
      items: {
        type: 'object',
        required: ['type'],
        properties: { type: { type: 'string' }, data: anything },
        additionalProperties: true,
      },
    },
    level: anything,
    tags: anything,
    contexts: anything,
    context: anything,
    packages: anything,
    user: anything,
    sdk: anything,
    release: anything,
    fingerprints: anything,
    errors: anything,
    userReport: anything,
  },
  additionalProperties: true,
} as const;

export type ThirdpartyEvent = FromSchema<typeof thirdpartyEventSchema>;

export const isThirdpartyEvent = compileSchema<ThirdpartyEvent>(thirdpartyEventSchema);

/** Distribution of the values of one tag over the events of an issue. */
export const thirdpartyTagSchema = {
  type: 'object',
  required: ['key'],
  properties: {
    key: { type: 'string' },
    totalValues: { type: ['integer', 'null'], minimum: 0 },
    topValues: {
      type: ['array', 'null'],
      items: {
        type: 'object',
        properties: { value: nullableText, name: nullableText, count: { type: ['integer', 'null'], minimum: 0 } },
        additionalProperties: true,
      },
    },
  },
  additionalProperties: true,
} as const;

export type ThirdpartyTag = FromSchema<typeof thirdpartyTagSchema>;

export const isThirdpartyTag = compileSchema<ThirdpartyTag>(thirdpartyTagSchema);
