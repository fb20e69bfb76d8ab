import { BUNDLE_KINDS, storedBytesOf, type ArtifactBundle } from '../../../domain/artifacts/artifact.ts';
import { AppError } from '../../../domain/app-error.ts';
import { organizationOf, slugOf } from '../../../domain/projects/slugs.ts';
import type { ParametersSchema } from '../../../schemas/parameters.ts';
import { projectTarget } from '../../http/audit/audit-targets.ts';
import { nullableText, nullableTime, problems, time } from '../../http/common-schema.ts';
import { objectSchema } from '../../http/object-schema.ts';
import { offsetHeaders } from '../../http/page-links.ts';
import { presenter } from '../../http/presenter.ts';
import { projectRoute, type Route } from '../../http/route.ts';
import { pageOf } from './page-of-bundles.ts';

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
    problems: {
      type: 'array',
      description: 'Why files of it cannot be mapped, the most frequent reason first; at most 10 reasons',
      items: objectSchema({
        title: 'ArtifactProblem',
        properties: {
          reason: { type: 'string' },
          count: { type: 'integer', description: 'Number of these files' },
          files: { type: 'array', items: { type: 'string' }, description: 'Addresses or debug ids of the first ones' },
        },
      }),
    },
    uploaded_at: time,
    last_used_at: { ...nullableTime, description: 'Last frame that it mapped, exact to an hour; null: none' },
  },
});
const artifactsSchema = { type: 'array', items: artifactSchema } as const;

const listArtifactsSchema = {
  type: 'object',
  properties: {
    release: { type: 'string', description: 'Only uploads for this release' },
    search: {
      type: 'string',
      maxLength: 200,
      description: 'Only uploads whose release or dist contains this text, or whose id or a debug id begins with it',
    },
  },
  additionalProperties: false,
} as const satisfies ParametersSchema;

const buildToolsSchema = objectSchema({
  title: 'BuildTools',
  description: 'What build tools need to know about a project, and how full its uploads are',
  properties: {
    url: { type: 'string', description: 'Address of this service, without a slash at its end' },
    organization: { type: 'string', description: 'Name of the group' },
    project: { type: 'string', description: 'Name of the project' },
    uploads: { type: 'integer', description: 'Number of uploads' },
    stored_bytes: { type: 'integer', description: 'Bytes of all uploads and of what was made of them' },
    max_bytes: { type: 'integer', description: 'Above them uploads are removed, those in use last' },
    unused_days: { type: 'integer', description: 'Days after which an unused upload is removed' },
  },
});

const present = presenter(artifactSchema);
const presentArtifact = (bundle: ArtifactBundle) => present(bundle);
const presentBuildTools = presenter(buildToolsSchema);

const PATH = '/api/v4/projects/:id/error_tracking/artifacts';

const uploadTarget = projectTarget('Upload', async ({ deps, project, path }) => {
  const id = (path.bundle_id ?? '').toLowerCase();
  const upload = (await deps.store.listBundles(project.id)).find((each) => each.id === id);
  if (upload === undefined) return null;
  const { kind, release, dist, files } = upload;
  return { id, name: `upload ${id.slice(0, 8)}`, values: { kind, release, dist, files } };
});

export const artifactRoutes: readonly Route[] = [
  projectRoute({
    method: 'GET',
    path: PATH,
    operationId: 'listArtifacts',
    summary: 'List uploads of build tools, newest first, paged by page and per_page',
    action: 'read_artifacts',
    parameters: listArtifactsSchema,
    pagedByOffset: true,
    responses: { 200: { description: 'One page of uploads', schema: artifactsSchema }, ...problems },
    async handle(call) {
      const { items, total } = await pageOf(call);
      return { status: 200, headers: offsetHeaders(call, total), body: items.map(presentArtifact) };
    },
  }),
  projectRoute({
    method: 'GET',
    path: '/api/v4/projects/:id/error_tracking/build_tools',
    operationId: 'getBuildTools',
    summary: 'Read what build tools need to know about the project, and how full its uploads are',
    action: 'read_artifacts',
    responses: { 200: { description: 'The names for build tools', schema: buildToolsSchema }, ...problems },
    async handle({ deps, project }) {
      const bundles = await deps.store.bundleUses(project.id);
      const { projectMaxBytes, unusedDays } = deps.uploads.limits;
      const body = presentBuildTools({
        url: deps.externalUrl(),
        organization: organizationOf(project),
        project: slugOf(project),
        uploads: bundles.length,
        storedBytes: storedBytesOf(bundles),
        maxBytes: projectMaxBytes,
        unusedDays,
      });
      return { status: 200, body };
    },
  }),
  projectRoute({
    method: 'DELETE',
    path: `${PATH}/:bundle_id`,
    operationId: 'removeArtifact',
    summary: 'Remove an upload; errors that it mapped stay as they are',
    action: 'manage_artifacts',
    audit: { event: 'upload_deleted', target: uploadTarget },
    responses: { 204: { description: 'The upload was removed' }, ...problems },
    async handle({ deps, project, path }) {
      if (!(await deps.store.removeBundle(project.id, (path.bundle_id ?? '').toLowerCase()))) {
        throw new AppError('not_found', 'there is no such upload');
      }
      return { status: 204, body: null };
    },
  }),
];
