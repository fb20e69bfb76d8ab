import { AppError } from '../../../domain/app-error.ts';
import { hasControl } from '../../../domain/names.ts';
import { OWN_VIEW } from '../../http/audit/audit-rule.ts';
import { bodyValidator } from '../../http/body-validator.ts';
import { problems, problemSchema } from '../../http/common-schema.ts';
import { idOf } from '../../http/path-ids.ts';
import { presenter } from '../../http/presenter.ts';
import { projectRoute, type Route } from '../../http/route.ts';

const PATH = '/api/v4/projects/:id/error_tracking/views';

const givenMembers = {
  name: { type: 'string', minLength: 1, maxLength: 60 },
  query: {
    type: 'string',
    maxLength: 1000,
    description: "Query string of the list's address, without its page",
  },
  is_default: {
    type: 'boolean',
    description: 'Default view of the list; at most one per person and project',
  },
} as const;

const savedViewSchema = {
  title: 'SavedView',
  type: 'object',
  properties: { id: { type: 'integer' }, ...givenMembers },
  required: ['id', 'name', 'query', 'is_default'],
  additionalProperties: false,
} as const;

const newSavedViewSchema = {
  title: 'NewSavedView',
  type: 'object',
  properties: givenMembers,
  required: ['name', 'query'],
} as const;

const validateNew = bodyValidator(newSavedViewSchema);
const presentView = presenter(savedViewSchema);

/** Throws `invalid_parameter` for a text that a store cannot keep, or that is no query string. */
function assertTexts(name: string, query: string): void {
  if (name === '') throw new AppError('invalid_parameter', 'name is empty');
  if (hasControl(name) || !name.isWellFormed()) throw new AppError('invalid_parameter', 'name is invalid');
  if (query.startsWith('?') || !/^[\x21-\x7e]*$/.test(query)) {
    throw new AppError(
      'invalid_parameter',
      'query is invalid: give the query string of an address, encoded, without "?"',
    );
  }
}

export const savedViewRoutes: readonly Route[] = [
  projectRoute({
    method: 'GET',
    path: PATH,
    operationId: 'listViews',
    summary: 'List your saved views of a project: searches of its list, at most 50',
    action: 'read_views',
    responses: {
      200: { description: 'The views, by name', schema: { type: 'array', items: savedViewSchema } },
      ...problems,
    },
    async handle({ deps, project, principal }) {
      const views = await deps.store.savedViews(project.id, principal.user.id);
      return { status: 200, body: views.map(presentView) };
    },
  }),
  projectRoute({
    method: 'POST',
    path: PATH,
    operationId: 'saveView',
    summary: 'Save a view, or replace your view of the same name',
    action: 'update_views',
    audit: OWN_VIEW,
    body: newSavedViewSchema,
    jsonOnly: true,
    responses: {
      201: { description: 'The view', schema: savedViewSchema },
      ...problems,
      409: { description: 'You have the maximum of views of this project', schema: problemSchema },
    },
    async handle({ deps, project, principal, rawParameters }) {
      const { name: text, query, is_default: isDefault = false } = validateNew(rawParameters);
      const name = text.trim();
      assertTexts(name, query);
      const view = await deps.store.saveView(project.id, principal.user.id, { name, query, isDefault });
      return { status: 201, body: presentView(view) };
    },
  }),
  projectRoute({
    method: 'DELETE',
    path: `${PATH}/:view_id`,
    operationId: 'deleteView',
    summary: 'Delete a saved view of yours',
    action: 'update_views',
    audit: OWN_VIEW,
    responses: { 204: { description: 'The view is deleted' }, ...problems },
    async handle({ deps, project, principal, path }) {
      const id = idOf(path.view_id);
      if (id === null || !(await deps.store.removeView(project.id, principal.user.id, id))) {
        throw new AppError('not_found', 'no such saved view in this project');
      }
      return { status: 204, body: null };
    },
  }),
];
