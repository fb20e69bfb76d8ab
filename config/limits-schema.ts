const perMinute = (what: string) =>
  ({ type: 'integer', minimum: 0, maximum: 1e9, description: `${what} per minute; 0 is no limit.` }) as const;

const burst = (what: string) =>
  ({
    type: 'integer',
    minimum: 0,
    maximum: 1e9,
    description: `${what} that may come at once after a pause; 0: as many as in one minute.`,
  }) as const;

const scopeLimits = {
  eventsPerMinute: perMinute('Events'),
  eventsBurst: burst('Events'),
  sessionsPerMinute: perMinute('Session items'),
  sessionsBurst: burst('Session items'),
} as const;

const limitsOf = (description: string) =>
  ({
    type: 'object',
    additionalProperties: false,
    required: ['eventsPerMinute', 'eventsBurst', 'sessionsPerMinute', 'sessionsBurst'],
    description,
    properties: scopeLimits,
  }) as const;

const spikeGuard = {
  enabled: { type: 'boolean', description: 'Limit projects that send far more events than usual.' },
  factor: { type: 'number', minimum: 1, maximum: 1e6, description: 'Multiple of the usual rate that is accepted.' },
  minimumPerMinute: {
    type: 'integer',
    minimum: 1,
    maximum: 1e9,
    description: 'Events per minute that the guard always accepts.',
  },
} as const;

const limitsOfProject = {
  type: 'object',
  additionalProperties: false,
  description: 'Limits of one project; absent members keep the general value.',
  properties: {
    key: { type: 'object', additionalProperties: false, properties: scopeLimits },
    project: { type: 'object', additionalProperties: false, properties: scopeLimits },
    spikeGuard: { type: 'object', additionalProperties: false, properties: spikeGuard },
  },
} as const;

/** Schema of `limits`: rate limits for SDKs. */
export const limitsSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['key', 'project', 'instance', 'spikeGuard', 'projects'],
  properties: {
    key: limitsOf('Of each client key; beyond: 429.'),
    project: limitsOf('Of each project, all its keys together; beyond: 429.'),
    instance: limitsOf('Of this gateway, all projects together; beyond: 429.'),
    spikeGuard: {
      type: 'object',
      additionalProperties: false,
      required: ['enabled', 'factor', 'minimumPerMinute'],
      properties: spikeGuard,
    },
    projects: {
      type: 'object',
      additionalProperties: limitsOfProject,
      description: 'By full project path or numeric id.',
    },
  },
} as const;
