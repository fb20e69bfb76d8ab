export const nullableText = { type: ['string', 'null'] } as const;
export const nullableTime = { type: ['string', 'null'], format: 'date-time' } as const;
export const time = { type: 'string', format: 'date-time' } as const;

/** A member again, under the name that the host's own clients read. */
export const underHostName = <S extends object>(schema: S) =>
  ({
    ...schema,
    description: "The same under the host's original name; only where server.fieldNames is both",
  }) as const;

/** Only in the last known copy of what an external tracker said, while it is away. */
export const staleSince = { ...time, description: 'When it was like this: the external tracker is away' } as const;

/** A project of an external tracker. */
export const trackerProjectSchema = {
  title: 'TrackerProject',
  type: 'object',
  properties: {
    id: nullableText,
    name: { type: 'string' },
    status: nullableText,
    slug: { type: 'string' },
    organization_name: { type: 'string' },
    organization_id: nullableText,
    organization_slug: { type: 'string' },
  },
  required: ['id', 'name', 'status', 'slug', 'organization_name', 'organization_id', 'organization_slug'],
  additionalProperties: false,
} as const;

/** What became of the linked project of an external tracker, and the one to link instead. */
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

/** `{"message"}` for what the application refuses, `{"error"}` for what is wrong with the request's form. */
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
  },
  anyOf: [{ required: ['message'] }, { required: ['error'] }],
  additionalProperties: false,
} as const;

/** Any of these may come from every route that is about a project. */
export const problems = {
  400: { description: 'A parameter is missing or wrong, or error tracking is not enabled', schema: problemSchema },
  401: { description: 'No valid access token', schema: problemSchema },
  403: { description: 'The role or the scope of the token is not enough', schema: problemSchema },
  404: { description: 'Unknown, or not to be known about', schema: problemSchema },
} as const;

/** `[line number, source line]`; `items` says for readers that know no `prefixItems` what may stand in it. */
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
