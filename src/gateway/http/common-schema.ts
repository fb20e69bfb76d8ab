import { objectSchema } from './object-schema.ts';
import { presenter } from './presenter.ts';

/** Pattern of a text of one line: no control characters, and none of half a character. */
export const ONE_LINE = '^[^\\p{Cc}\\p{Cs}]*$';
export const nullableText = { type: ['string', 'null'] } as const;
export const nullableTime = { type: ['string', 'null'], format: 'date-time' } as const;
export const time = { type: 'string', format: 'date-time' } as const;

/** Repeats a member under the name that clients of the host read. */
export const underHostName = <S extends object>(schema: S) =>
  ({
    ...schema,
    description: "The same value under the host's original name; only if server.fieldNames is `both`",
  }) as const;

/** Only in a cached answer while the external tracker is unavailable. */
export const staleSince = {
  ...time,
  description: 'Time of this state; present only while the external tracker is unavailable',
} as const;

/** A project of an external tracker. */
export const trackerProjectSchema = objectSchema({
  title: 'TrackerProject',
  properties: {
    id: nullableText,
    name: { type: 'string' },
    status: nullableText,
    slug: { type: 'string' },
    organization_name: { type: 'string' },
    organization_id: nullableText,
    organization_slug: { type: 'string' },
  },
});

export const presentTrackerProject = presenter(trackerProjectSchema);

/** State of the linked project in the external tracker, and a suggested replacement. */
const lostProjectSchema = {
  title: 'LostProject',
  type: 'object',
  properties: {
    reason: { enum: ['project_renamed', 'project_missing'] },
    project: trackerProjectSchema,
  },
  required: ['reason'],
  additionalProperties: false,
} as const;

/** `{"message"}` for refusals by the application, `{"error"}` for malformed requests. */
export const problemSchema = {
  title: 'Problem',
  type: 'object',
  properties: {
    message: { type: 'string' },
    error: { type: 'string' },
    error_description: { type: 'string' },
    scope: { type: 'string' },
    code: { type: 'string' },
    details: lostProjectSchema,
    matching: { type: 'integer', description: 'Errors that match now, where another number was expected' },
  },
  anyOf: [{ required: ['message'] }, { required: ['error'] }],
  additionalProperties: false,
} as const;

/** Responses of all routes below a project. */
export const problems = {
  400: { description: 'A parameter is missing or wrong, or error tracking is not enabled', schema: problemSchema },
  401: { description: 'No valid access token', schema: problemSchema },
  403: { description: 'The role or the scope of the token is not enough', schema: problemSchema },
  404: { description: 'Not found, or not visible to the user', schema: problemSchema },
} as const;

/** `[line number, source line]`; `items` describes the content for readers without `prefixItems`. */
export const contextLine = {
  type: 'array',
  prefixItems: [{ type: 'integer' }, { type: 'string' }],
  items: { type: ['integer', 'string'] },
  minItems: 2,
  maxItems: 2,
} as const;

export const frequency = {
  type: 'array',
  items: { type: 'array', items: { type: 'integer' }, minItems: 2, maxItems: 2 },
} as const;
