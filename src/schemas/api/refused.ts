import { time } from './common.ts';

export const refusedSchema = {
  title: 'Refused',
  type: 'object',
  properties: {
    since: { ...time, description: 'The process counts since it started; with several gateways each counts its own' },
    refused: {
      type: 'array',
      description: 'The latest reason first',
      items: {
        type: 'object',
        properties: {
          reason: {
            enum: ['unknown_key', 'other_project'],
            description: 'unknown_key: nobody has such a key; other_project: another project has it',
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
