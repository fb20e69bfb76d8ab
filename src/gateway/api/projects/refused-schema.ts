import { time } from '../../http/common-schema.ts';

export const refusedSchema = {
  title: 'Refused',
  type: 'object',
  properties: {
    since: {
      ...time,
      description: 'Start of the process, since when it counts; each of several gateways counts separately',
    },
    refused: {
      type: 'array',
      description: 'Latest reason first',
      items: {
        type: 'object',
        properties: {
          reason: {
            enum: ['unknown_key', 'other_project'],
            description: 'unknown_key: no project has this key; other_project: the key belongs to another project',
          },
          requests: { type: 'integer' },
          last_at: time,
        },
        required: ['reason', 'requests', 'last_at'],
        additionalProperties: false,
      },
    },
  },
  required: ['since', 'refused'],
  additionalProperties: false,
} as const;
