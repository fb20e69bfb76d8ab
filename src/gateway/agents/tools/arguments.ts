/** Arguments of several tools. */
export const project = {
  type: ['string', 'integer'],
  maxLength: 1024,
  description: 'Path (group/project) or id of a project, or the address of one of its pages',
} as const;

export const errorId = {
  type: ['string', 'integer'],
  maxLength: 2048,
  description: 'Id of an error, group/project#17, or the address of its page (then without project)',
} as const;

export const limit = { type: 'integer', minimum: 1, maximum: 50, description: 'Default 20' } as const;

export const cursor = {
  type: 'string',
  maxLength: 1024,
  description: 'From an earlier answer to the same call',
} as const;

export const name = (description: string) => ({ type: 'string', minLength: 1, maxLength: 200, description }) as const;
