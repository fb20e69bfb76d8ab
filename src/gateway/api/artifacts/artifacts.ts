import { BUNDLE_KINDS, type ArtifactBundle } from '../../../domain/artifacts/artifact.ts';
import { AppError } from '../../../domain/app-error.ts';
import { nullableText, nullableTime, problems, time } from '../../http/common-schema.ts';
import { objectSchema } from '../../http/object-schema.ts';
import { offsetPage } from '../../http/page-links.ts';
import { presenter } from '../../http/presenter.ts';
import { projectRoute, type Route } from '../../http/route.ts';

const artifactSchema = objectSchema({
  title: 'Artifact',
  description: 'Upload of a build tool',
  properties: {
    id: { type: 'string', description: 'SHA-1 of the uploaded file' },
    kind: { enum: BUNDLE_KINDS },
    release: nullableText,
    dist: nullableText,
    debug_ids: { type: 'array', items: { type: 'string' } },
    files: { type: 'integer', description: 'Number of its files' },
    size: { type: 'integer', description: 'Bytes of the upload' },
    stored_bytes: { type: 'integer', description: 'Bytes of the upload and of what was made of it' },
    complete: { type: 'boolean', description: 'false: it is being written, or that was interrupted' },
    uploaded_at: time,
    last_used_at: { ...nullableTime, description: 'Last frame that it mapped, exact to a day; null: none' },
  },
});
const artifactsSchema = { type: 'array', items: artifactSchema } as const;

const present = presenter(artifactSchema);
const presentArtifact = (bundle: ArtifactBundle) => present(bundle);

const PATH = '/api/v4/projects/:id/error_tracking/artifacts';

export const artifactRoutes: readonly Route[] = [
  projectRoute({
    method: 'GET',
    path: PATH,
    operationId: 'listArtifacts',
    summary: 'List uploads of build tools, newest first, paged by page and per_page',
    action: 'read_artifacts',
    pagedByOffset: true,
    responses: { 200: { description: 'One page of uploads', schema: artifactsSchema }, ...problems },
    async handle(call) {
      const { items, headers } = offsetPage(call, await call.deps.store.listBundles(call.project.id));
      return { status: 200, headers, body: items.map(presentArtifact) };
    },
  }),
  projectRoute({
    method: 'DELETE',
    path: `${PATH}/:bundle_id`,
    operationId: 'removeArtifact',
    summary: 'Remove an upload; errors that it mapped stay as they are',
    action: 'manage_artifacts',
    responses: { 204: { description: 'The upload was removed' }, ...problems },
    async handle({ deps, project, path }) {
      if (!(await deps.store.removeBundle(project.id, (path.bundle_id ?? '').toLowerCase()))) {
        throw new AppError('not_found', 'there is no such upload');
      }
      return { status: 204, body: null };
    },
  }),
];
