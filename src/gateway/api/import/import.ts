import { AppError } from '../../../domain/app-error.ts';
import type { MoveInProgress } from '../../../domain/ports/move-in.ts';
import type { ParametersSchema } from '../../../schemas/parameters.ts';
import { projectTarget } from '../../http/audit/audit-targets.ts';
import { nullableTime, time, problems, problemSchema } from '../../http/common-schema.ts';
import { objectSchema } from '../../http/object-schema.ts';
import { presenter } from '../../http/presenter.ts';
import { projectRoute, type Route } from '../../http/route.ts';

const startImportSchema = {
  type: 'object',
  properties: {
    switch: {
      type: 'boolean',
      description: 'Whether the project becomes integrated when everything was imported; default false',
    },
  },
  additionalProperties: false,
} as const satisfies ParametersSchema;

const importProgressSchema = objectSchema({
  title: 'ImportProgress',
  properties: {
    state: { enum: ['running', 'done', 'failed', 'cancelled'] },
    stages: {
      type: 'array',
      items: objectSchema({
        title: 'ImportStage',
        properties: {
          name: { type: 'string' },
          done: { type: 'integer' },
          total: { type: ['integer', 'null'], description: 'null while it is unknown' },
        },
      }),
    },
    message: { type: 'string' },
    switch: { type: 'boolean', description: 'Whether the project becomes integrated at the end' },
    started_at: time,
    ended_at: nullableTime,
    notes: {
      type: 'array',
      items: { type: 'string' },
      description: 'What was not imported and must be set up again',
    },
  },
});

const PATH = '/api/v4/projects/:id/error_tracking/import';
const answer = { description: 'The progress of the import', schema: importProgressSchema };

const present = presenter(importProgressSchema);

function presentImportProgress(progress: MoveInProgress) {
  return present({ ...progress, switch: progress.switches });
}

/** The import of the project. It stays the one that it is when it is cancelled. */
const importTarget = projectTarget('Import', async ({ deps, project }) => {
  const found = await deps.moveIn.progress(project.id);
  const values = found === null ? {} : { state: found.state, switch: found.switches };
  return { id: project.id, name: project.path, values };
});

function noImport(): AppError {
  return new AppError('not_found', 'no import of this project was started');
}

export const importRoutes: readonly Route[] = [
  projectRoute({
    method: 'POST',
    path: PATH,
    operationId: 'startImport',
    summary: 'Import the history of a project from the tracker that it is linked to, or continue a stopped import',
    action: 'move_in',
    audit: { event: 'import_started', target: importTarget },
    parameters: startImportSchema,
    responses: {
      202: answer,
      ...problems,
      409: { description: 'An import of this project is running', schema: problemSchema },
    },
    async handle({ deps, project, params }) {
      if (!deps.integratedOffered) {
        throw new AppError('integrated_not_offered', 'the integrated backend is off for this instance');
      }
      const settings = await deps.store.settings(project.id);
      const started = await deps.moveIn.start(project, settings, params.switch ?? false);
      return { status: 202, body: presentImportProgress(started) };
    },
  }),
  projectRoute({
    method: 'GET',
    path: PATH,
    operationId: 'getImport',
    summary: 'Read the progress of the last import of a project',
    action: 'read_settings',
    responses: { 200: answer, ...problems },
    async handle({ deps, project }) {
      const found = await deps.moveIn.progress(project.id);
      if (found === null) throw noImport();
      return { status: 200, body: presentImportProgress(found) };
    },
  }),
  projectRoute({
    method: 'DELETE',
    path: PATH,
    operationId: 'cancelImport',
    summary: 'Stop the running import of a project; what was imported stays',
    action: 'move_in',
    audit: { event: 'import_cancelled', target: importTarget },
    responses: { 200: answer, ...problems },
    async handle({ deps, project }) {
      const found = await deps.moveIn.cancel(project.id);
      if (found === null) throw noImport();
      return { status: 200, body: presentImportProgress(found) };
    },
  }),
];
