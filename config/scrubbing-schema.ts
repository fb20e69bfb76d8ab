/** A list of key names. */
export const names = (description: string) =>
  ({ type: 'array', items: { type: 'string', minLength: 1 }, description }) as const;

const scrubbingOfProject = {
  type: 'object',
  additionalProperties: false,
  description: 'Additions for one project; absent members keep the general value.',
  properties: {
    enabled: { type: 'boolean', description: 'Whether events of this project are scrubbed at all.' },
    scrubIps: { type: 'boolean', description: 'Remove IP addresses too.' },
    sensitiveFields: names('Additional key names whose values are replaced.'),
    safeFields: names('Key names whose values are never replaced.'),
  },
} as const;

/** Schema of `scrubbing`: the data that is removed from events before they are stored. */
export const scrubbingSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['enabled', 'scrubIps', 'sensitiveFields', 'safeFields', 'projects'],
  properties: {
    enabled: { type: 'boolean', description: 'Replace secrets in events before they are stored.' },
    scrubIps: { type: 'boolean', description: 'Remove IP addresses too.' },
    sensitiveFields: names('Additional key names whose values are replaced.'),
    safeFields: names('Key names whose values are never replaced.'),
    projects: {
      type: 'object',
      additionalProperties: scrubbingOfProject,
      description: 'By full project path or numeric id.',
    },
  },
} as const;
