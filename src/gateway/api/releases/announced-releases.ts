import { nullableTime, problems, time } from '../../http/common-schema.ts';
import { objectSchema } from '../../http/object-schema.ts';
import { presenter } from '../../http/presenter.ts';
import { projectRoute, type Route } from '../../http/route.ts';
import { integratedOnly, projectBackend } from '../shared/project-backend.ts';

/** Maximum releases in an answer. */
const MAX_ANNOUNCED = 20;

const announcedSchema = {
  type: 'array',
  maxItems: MAX_ANNOUNCED,
  items: objectSchema({
    title: 'AnnouncedRelease',
    properties: {
      release: { type: 'string' },
      created_at: { ...time, description: 'When a build announced it' },
      released_at: { ...nullableTime, description: 'When a build finished it; null: none did' },
    },
  }),
} as const;

const present = presenter(announcedSchema.items);

const REFUSAL = 'the connected third-party tracker cannot list releases';

export const announcedReleaseRoutes: readonly Route[] = [
  projectRoute({
    method: 'GET',
    path: '/api/v4/projects/:id/error_tracking/announced_releases',
    operationId: 'listAnnouncedReleases',
    summary: 'List releases that builds announced and that have neither events nor sessions yet, the newest 20',
    action: 'read_errors',
    responses: { 200: { description: 'The releases, newest first', schema: announcedSchema }, ...problems },
    async handle(call) {
      const errors = integratedOnly(await projectBackend(call), REFUSAL);
      const { project, deps } = call;
      const announced = await deps.store.listBuildReleases(project.id);
      const seen = new Set(announced.length === 0 ? [] : await errors.releaseNames(project));
      const unseen = announced.filter(({ release }) => !seen.has(release));
      return { status: 200, body: unseen.slice(0, MAX_ANNOUNCED).map(present) };
    },
  }),
];
