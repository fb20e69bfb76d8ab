import type { FromSchema } from 'json-schema-to-ts';
import { compileSchema } from '../compile.ts';

/** Trackers write ids as text or as numbers; long numbers arrive as text. */
export const thirdpartyId = { type: ['string', 'integer'] } as const;
const nullableId = { type: ['string', 'integer', 'null'] } as const;
const nullableText = { type: ['string', 'null'] } as const;
/** Only shown: an answer is not refused for it. */
const anything = {} as const;
/** Counts come as numbers or as decimal text. */
const countOrText = { type: ['string', 'integer'], pattern: '^\\d{1,15}$', minimum: 0 } as const;

/** A version by name, or a whole release. */
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
 * One issue as Sentry-compatible trackers send it, list and detail alike: what is needed is required, what is
 * read is typed, everything else (annotations in any form, people, activity) may be there and is not looked at.
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

/** What a change of status answers; some trackers mix two spellings here, so little is asked of it. */
export const thirdpartyUpdateSchema = {
  type: 'object',
  properties: { id: nullableId, status: nullableText },
  additionalProperties: true,
} as const;

export type ThirdpartyUpdate = FromSchema<typeof thirdpartyUpdateSchema>;

export const isThirdpartyUpdate = compileSchema<ThirdpartyUpdate>(thirdpartyUpdateSchema);
