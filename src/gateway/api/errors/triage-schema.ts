import { nullableText, time } from '../../http/common-schema.ts';
import { objectSchema } from '../../http/object-schema.ts';

const count = { type: 'integer', minimum: 1, maximum: 1_000_000_000 } as const;

/** What a status waits for, in the names that trackers use. */
const detailProperties = {
  inRelease: {
    type: 'string',
    maxLength: 200,
    description: 'Release in which it is resolved: events of this and older releases do not reopen it',
  },
  inNextRelease: {
    const: true,
    description: 'It is resolved in the release after the newest one: events of known releases do not reopen it',
  },
  inCommit: {
    type: 'object',
    properties: { commit: { type: 'string', maxLength: 200 }, repository: nullableText },
    required: ['commit'],
    additionalProperties: false,
    description:
      'Commit that resolves it. Where the version of one of the newest 100 releases names it, inRelease becomes that release; else the first later one that names it',
  },
  ignoreUntil: { ...time, description: 'It is ignored until this time' },
  ignoreCount: { ...count, description: 'Number of further events after which it is no longer ignored' },
  ignoreUserCount: { ...count, description: 'Number of further users after which it is no longer ignored' },
} as const;

export const statusDetailsSchema = {
  title: 'StatusDetails',
  type: ['object', 'null'],
  description: 'What the status waits for; empty: nothing; null: the backend does not tell',
  properties: {
    ...detailProperties,
    afterRelease: { ...nullableText, description: 'With inNextRelease: the newest release at that time' },
  },
  additionalProperties: false,
} as const;

const givenStatusDetailsSchema = {
  title: 'NewStatusDetails',
  type: 'object',
  description:
    'For resolved: inRelease ("latest": the newest one), inNextRelease or inCommit. For ignored: one or more conditions, of which the first to come true counts. Also accepted as statusDetails',
  properties: {
    ...detailProperties,
    ignoreDuration: { ...count, description: 'Minutes, instead of ignoreUntil' },
  },
  additionalProperties: false,
} as const;

export const updateErrorBodySchema = {
  title: 'UpdateError',
  type: 'object',
  properties: {
    status: { enum: ['unresolved', 'resolved', 'ignored'], description: 'The new state' },
    status_details: givenStatusDetailsSchema,
  },
  required: ['status'],
} as const;

const person = objectSchema({
  properties: { id: { type: 'integer' }, username: { type: 'string' }, name: { type: 'string' } },
});

export const personSchema = { title: 'Person', ...person } as const;
export const nullablePerson = { anyOf: [personSchema, { type: 'null' }] } as const;

export const noteSchema = objectSchema({
  title: 'Note',
  properties: {
    id: { type: 'string' },
    author: { ...nullablePerson, description: 'Null: imported, or the user was removed' },
    author_name: { type: 'string' },
    created_at: time,
    text: { type: 'string' },
    imported: { type: 'boolean', description: 'True: from a former tracker; it cannot be deleted' },
  },
});

export const notesSchema = { type: 'array', items: noteSchema } as const;

export const newNoteSchema = {
  title: 'NewNote',
  type: 'object',
  description: 'An error has at most 200 notes',
  properties: { text: { type: 'string', minLength: 1, maxLength: 10_000 } },
  required: ['text'],
} as const;

export const reviewBodySchema = {
  title: 'Review',
  type: 'object',
  properties: { reviewed: { type: 'boolean', description: 'True: a member looked at the error' } },
  required: ['reviewed'],
} as const;

export const assigneeBodySchema = {
  title: 'NewAssignee',
  type: 'object',
  properties: {
    user_id: {
      type: ['integer', 'null'],
      description: 'Member of the project with the role Reporter or a higher one; null: none',
    },
  },
  required: ['user_id'],
} as const;

export const activitySchema = objectSchema({
  title: 'Activity',
  properties: {
    created_at: time,
    kind: {
      enum: [
        'resolved',
        'ignored',
        'unresolved',
        'regressed',
        'unmuted',
        'assigned',
        'unassigned',
        'note_added',
        'note_removed',
        'merged',
        'unmerged',
        'imported',
        'issue_linked',
        'issue_unlinked',
      ],
    },
    user: { ...nullablePerson, description: 'Null: errgate itself, an issue on the host, an import, or a command' },
    status_details: statusDetailsSchema,
    release: { ...nullableText, description: 'regressed: release of the event' },
    reason: { enum: ['until', 'events', 'users', null], description: 'unmuted: condition that came true' },
    assignee: nullablePerson,
    note_id: nullableText,
    error_ids: {
      type: ['array', 'null'],
      items: { type: 'string' },
      description: 'merged, unmerged: the other errors',
    },
    source: { ...nullableText, description: 'Kind of the tracker that it was imported from, or changed in' },
    issue_id: nullableText,
    issue_url: {
      ...nullableText,
      description:
        'issue_linked, issue_unlinked: address of the issue on the host. resolved, unresolved: of the issue that was closed or reopened there',
    },
    issue_title: nullableText,
    agent: {
      ...nullableText,
      description: 'Name of the access token of the agent through which the user did it; null: none',
    },
  },
});

export const activitiesSchema = { type: 'array', items: activitySchema } as const;
