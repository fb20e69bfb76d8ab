import type { FromSchema } from 'json-schema-to-ts';
import { compileSchema } from '../compile.ts';

/** Trackers send ids as text or as numbers; long numbers arrive as text. */
export const thirdpartyId = { type: ['string', 'integer'] } as const;
const nullableId = { type: ['string', 'integer', 'null'] } as const;
const nullableText = { type: ['string', 'null'] } as const;
/** For display only: does not cause a refusal. */
const anything = {} as const;
/** Trackers send counts as numbers or as decimal text. */
const countOrText = { type: ['string', 'integer'], pattern: '^\\d{1,15}$', minimum: 0 } as const;

/** Version string or complete release. */
const release = {
  anyOf: [
    { type: ['string', 'null'] },
    {
      type: 'object',
      properties: { version: nullableText, shortVersion: anything, lastCommit: anything },
      additionalProperties: true,
    },
  ],
} as const;

/**
 * Issue of Sentry-compatible trackers, in lists and details. Needed members are required, used members are typed; all
 * others (annotations, people, activity) are ignored.
 */
export const thirdpartyIssueSchema = {
  type: 'object',
  required: ['id', 'title', 'status', 'count'],
  properties: {
    id: thirdpartyId,
    title: { type: 'string' },
    status: { type: 'string' },
    count: countOrText,
    userCount: { type: ['string', 'integer', 'null'], pattern: '^\\d{1,15}$', minimum: 0 },
    type: nullableText,
    culprit: nullableText,
    level: nullableText,
    platform: nullableText,
    permalink: nullableText,
    shortId: anything,
    logger: anything,
    substatus: anything,
    firstSeen: nullableText,
    lastSeen: nullableText,
    metadata: { type: ['object', 'null'], additionalProperties: true },
    project: {
      type: ['object', 'null'],
      properties: { id: nullableId, slug: nullableText, name: anything },
      additionalProperties: true,
    },
    stats: { type: ['object', 'null'], additionalProperties: true },
    firstRelease: release,
    lastRelease: release,
    tags: anything,
  },
  additionalProperties: true,
} as const;

export type ThirdpartyIssue = FromSchema<typeof thirdpartyIssueSchema>;

export const isThirdpartyIssue = compileSchema<ThirdpartyIssue>(thirdpartyIssueSchema);

/** Response to a status change; lenient, because some trackers mix two spellings. */
export const thirdpartyUpdateSchema = {
  type: 'object',
  properties: { id: nullableId, status: nullableText },
  additionalProperties: true,
} as const;

export type ThirdpartyUpdate = FromSchema<typeof thirdpartyUpdateSchema>;

export const isThirdpartyUpdate = compileSchema<ThirdpartyUpdate>(thirdpartyUpdateSchema);
