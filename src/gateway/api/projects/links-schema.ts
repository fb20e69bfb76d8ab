import type { FromSchema } from 'json-schema-to-ts';
import { nullableText } from '../../http/common-schema.ts';
import { objectSchema } from '../../http/object-schema.ts';

const template = { type: 'string', maxLength: 500 } as const;

const repositoryProperties = {
  url_template: {
    ...template,
    description:
      'Address of a line with {path}, {line} and {ref}, such as https://git.example/shop/-/blob/{ref}/{path}#L{line}',
  },
  default_ref: { type: 'string', maxLength: 200, description: 'Branch, tag or commit where an event has no release' },
  ref_template: {
    type: 'string',
    maxLength: 200,
    description:
      'Ref of a release with {release} or {version} (what follows @), such as v{version}; empty: always default_ref',
  },
  prefixes: {
    type: 'array',
    maxItems: 20,
    description: "The first one that fits replaces the start of a frame's path",
    items: objectSchema({ properties: { from: template, to: template } }),
  },
} as const;

const sourceRepositorySchema = {
  title: 'SourceRepository',
  type: 'object',
  properties: repositoryProperties,
  required: ['url_template', 'default_ref', 'ref_template', 'prefixes'],
  additionalProperties: false,
} as const;

const kind = {
  enum: ['link', 'gitlab', 'github'],
  description: 'link: only addresses; gitlab, github: issues are made by the REST interface of the host',
} as const;

const newIssueUrl = {
  ...template,
  description: 'Address of the page for a new issue, with {title} and {description}; empty: none',
} as const;

const apiUrl = { ...nullableText, maxLength: 500, description: 'Address of the host; null for the kind link' } as const;
const project = {
  ...nullableText,
  maxLength: 500,
  description: 'Project on the host: group/project or owner/repository; null for the kind link',
} as const;

const issueTrackerSchema = objectSchema({
  title: 'IssueTracker',
  properties: {
    kind,
    new_issue_url: newIssueUrl,
    api_url: apiUrl,
    project,
    has_token: { type: 'boolean', description: 'Whether a token is stored; it is never shown' },
  },
});

export const linksSchema = objectSchema({
  title: 'ProjectLinks',
  properties: {
    repository: { anyOf: [sourceRepositorySchema, { type: 'null' }] },
    issue_tracker: { anyOf: [issueTrackerSchema, { type: 'null' }] },
  },
});

const trackerBodySchema = {
  title: 'NewIssueTracker',
  type: 'object',
  properties: {
    kind,
    new_issue_url: newIssueUrl,
    api_url: apiUrl,
    project,
    token: {
      ...nullableText,
      maxLength: 500,
      'x-secret': true,
      description: 'Token of the host. Absent: the stored one stays, unless kind or host change; null: none',
    },
  },
  required: ['kind'],
} as const;

const repositoryBodySchema = {
  title: 'NewSourceRepository',
  type: 'object',
  properties: repositoryProperties,
  required: ['url_template', 'default_ref'],
} as const;

export const putLinksSchema = {
  title: 'PutProjectLinks',
  type: 'object',
  description: 'Replaces all links of the project',
  properties: {
    repository: { anyOf: [repositoryBodySchema, { type: 'null' }] },
    issue_tracker: { anyOf: [trackerBodySchema, { type: 'null' }] },
  },
  required: ['repository', 'issue_tracker'],
} as const;

export type PutLinks = FromSchema<typeof putLinksSchema>;

export const testIssueTrackerSchema = trackerBodySchema;
export type TestIssueTracker = FromSchema<typeof trackerBodySchema>;

export const trackerTestSchema = objectSchema({
  title: 'IssueTrackerTest',
  properties: { message: { type: 'string', description: 'What the host says of the token and the project' } },
});
