import { mayRemoveNotesOfOthers } from '../../../auth/policy.ts';
import { AppError } from '../../../domain/app-error.ts';
import { MAX_NOTE_LENGTH } from '../../../domain/errors/error-state.ts';
import { IN_ACTIVITY } from '../../http/audit/audit-rule.ts';
import { problems, problemSchema } from '../../http/common-schema.ts';
import { offsetPage } from '../../http/page-links.ts';
import { projectRoute, type ProjectCall, type Route } from '../../http/route.ts';
import { errorIdOf, integratedOnly, projectBackend } from '../shared/project-backend.ts';
import { presentErrorDetail } from './error-presenter.ts';
import { errorDetailSchema } from './error-schema.ts';
import { presentActivity, presentNote } from './triage-presenter.ts';
import {
  activitiesSchema,
  assigneeBodySchema,
  newNoteSchema,
  noteSchema,
  notesSchema,
  reviewBodySchema,
} from './triage-schema.ts';

const BASE = '/api/v4/projects/:id/error_tracking/errors/:error_id';

const IN_TRACKER = 'Assignees, notes and activities of a third-party tracker are kept there: use the tracker';

async function integrated(call: ProjectCall<unknown>) {
  const tracked = await projectBackend(call);
  return { ...tracked, errors: integratedOnly(tracked, IN_TRACKER) };
}

function assigneeOf({ rawParameters }: ProjectCall<unknown>): number | null {
  const { user_id: id } = rawParameters;
  if (id === undefined) throw new AppError('invalid_parameter', 'user_id is missing');
  if (id === null || id === '') return null;
  const number = typeof id === 'string' && /^\d{1,15}$/.test(id) ? Number(id) : id;
  if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < 1) {
    throw new AppError('invalid_parameter', 'user_id is invalid: give the id of a member, or null');
  }
  return number;
}

function noteTextOf({ rawParameters }: ProjectCall<unknown>): string {
  const { text } = rawParameters;
  if (text === undefined) throw new AppError('invalid_parameter', 'text is missing');
  if (typeof text !== 'string' || text.includes('\0') || !text.isWellFormed()) {
    throw new AppError('invalid_parameter', 'text is invalid');
  }
  if (text.trim() === '') throw new AppError('invalid_parameter', 'text is empty');
  if (text.length > MAX_NOTE_LENGTH) {
    throw new AppError('invalid_parameter', `text is too long (maximum is ${MAX_NOTE_LENGTH} characters)`);
  }
  return text;
}

export const triageRoutes: readonly Route[] = [
  projectRoute({
    method: 'PUT',
    path: `${BASE}/review`,
    operationId: 'reviewError',
    summary: 'Mark an error as looked at, or as not',
    action: 'update_errors',
    audit: { not: 'says only that a person has looked at an error' },
    body: reviewBodySchema,
    responses: { 204: { description: 'The error is marked' }, ...problems },
    async handle(call) {
      const { errors } = await integrated(call);
      const { reviewed } = call.rawParameters;
      if (typeof reviewed !== 'boolean') {
        throw new AppError('invalid_parameter', 'reviewed is invalid: give true or false');
      }
      await errors.review(call.project, errorIdOf(call), reviewed);
      return { status: 204, body: null };
    },
  }),
  projectRoute({
    method: 'PUT',
    path: `${BASE}/assignee`,
    operationId: 'setAssignee',
    summary: 'Assign an error to a member of the project, or remove its assignee',
    action: 'update_errors',
    audit: IN_ACTIVITY,
    body: assigneeBodySchema,
    responses: { 200: { description: 'The updated error', schema: errorDetailSchema }, ...problems },
    async handle(call) {
      const { errors, backend, context } = await integrated(call);
      const errorId = errorIdOf(call);
      await errors.assign(call.project, errorId, assigneeOf(call), call.principal.user.id);
      const error = await backend.get(call.project, errorId);
      return { status: 200, body: presentErrorDetail(error, context) };
    },
  }),
  projectRoute({
    method: 'GET',
    path: `${BASE}/notes`,
    operationId: 'listNotes',
    summary: 'List the notes on an error, paged by page and per_page',
    action: 'read_errors',
    pagedByOffset: true,
    responses: { 200: { description: 'One page of notes, oldest first', schema: notesSchema }, ...problems },
    async handle(call) {
      const { errors } = await integrated(call);
      const { items, headers } = offsetPage(call, await errors.notes(call.project, errorIdOf(call)));
      return { status: 200, headers, body: items.map(presentNote) };
    },
  }),
  projectRoute({
    method: 'POST',
    path: `${BASE}/notes`,
    operationId: 'addNote',
    summary: 'Add a note to an error',
    action: 'update_errors',
    audit: IN_ACTIVITY,
    body: newNoteSchema,
    responses: {
      201: { description: 'The note', schema: noteSchema },
      ...problems,
      409: { description: 'The error has the maximum of notes', schema: problemSchema },
    },
    async handle(call) {
      const { errors } = await integrated(call);
      const note = await errors.addNote(call.project, errorIdOf(call), call.principal.user.id, noteTextOf(call));
      return { status: 201, body: presentNote(note) };
    },
  }),
  projectRoute({
    method: 'DELETE',
    path: `${BASE}/notes/:note_id`,
    operationId: 'deleteNote',
    summary: 'Delete an own note; maintainers also those of others',
    action: 'update_errors',
    audit: IN_ACTIVITY,
    responses: { 204: { description: 'The note is deleted' }, ...problems },
    async handle(call) {
      const { errors } = await integrated(call);
      const { deps, project, principal } = call;
      const userId = principal.user.id;
      const ofOthers = mayRemoveNotesOfOthers(principal, await deps.store.accessLevel(project.id, userId));
      await errors.removeNote(project, errorIdOf(call), call.path.note_id ?? '', { userId, ofOthers });
      return { status: 204, body: null };
    },
  }),
  projectRoute({
    method: 'GET',
    path: `${BASE}/activity`,
    operationId: 'listActivity',
    summary: 'List what was done with an error, and what happened to it: the newest 100 entries, newest first',
    action: 'read_errors',
    responses: { 200: { description: 'The activity log', schema: activitiesSchema }, ...problems },
    async handle(call) {
      const { errors } = await integrated(call);
      const entries = await errors.activity(call.project, errorIdOf(call));
      return { status: 200, body: entries.map(presentActivity) };
    },
  }),
];
