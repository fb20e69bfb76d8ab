import type { FromSchema } from 'json-schema-to-ts';
import { time } from '../../http/common-schema.ts';
import { nullablePerson } from './triage-schema.ts';

export const linkedIssueSchema = {
  title: 'LinkedIssue',
  type: 'object',
  properties: {
    id: { type: 'integer' },
    url: { type: 'string' },
    title: { type: 'string' },
    created_at: { ...time, description: 'Time at which it was linked' },
    user: { ...nullablePerson, description: 'Who linked it; null: an import' },
  },
  required: ['id', 'url', 'title', 'created_at', 'user'],
  additionalProperties: false,
} as const;

export const linkedIssuesSchema = { type: 'array', items: linkedIssueSchema } as const;

export const newLinkedIssueSchema = {
  title: 'NewLinkedIssue',
  type: 'object',
  description: 'Links the issue at url, or with create makes one in the issue tracker of the project and links it',
  properties: {
    url: { type: 'string', maxLength: 1000, description: 'Address of an issue that exists' },
    create: { const: true, description: 'Makes an issue with title and description' },
    title: { type: 'string', maxLength: 200, description: 'With url: what is shown; absent: the address' },
    description: { type: 'string', maxLength: 30_000, description: 'With create: in Markdown' },
  },
} as const;

export type NewLinkedIssue = FromSchema<typeof newLinkedIssueSchema>;
