import { builtCommit } from '../../../domain/artifacts/built-commit.ts';
import { MAX_FILES_SHOWN, MAX_SUSPECTS, suspectCommits } from '../../../domain/artifacts/suspect-commits.ts';
import type { ShownEvent } from '../../../domain/events/tracked-event.ts';
import type { Project } from '../../../domain/projects/project.ts';
import { repositoryOf } from '../../../domain/projects/repository-of.ts';
import type { ParametersSchema } from '../../../schemas/parameters.ts';
import { nullableText, problems } from '../../http/common-schema.ts';
import { objectSchema } from '../../http/object-schema.ts';
import { presenter } from '../../http/presenter.ts';
import type { GatewayStore } from '../../http/route-deps.ts';
import { projectRoute, type Route } from '../../http/route.ts';
import { commitMembers, commitProperties } from '../shared/commit-schema.ts';
import { errorIdOf, integratedOnly, projectBackend } from '../shared/project-backend.ts';
import { framesOf } from '../shared/stack-trace-presenter.ts';

const getSuspectCommitsSchema = {
  type: 'object',
  properties: {
    event_id: {
      type: 'string',
      pattern: '^[0-9a-f]{32}$',
      description: 'Event of the error; without it the newest one',
    },
  },
  additionalProperties: false,
} as const satisfies ParametersSchema;

const suspectCommitsSchema = objectSchema({
  title: 'SuspectCommits',
  description: 'What builds told about the commits of the release of an event. It is a hint: commits are not examined',
  properties: {
    event_id: { type: 'string' },
    release: nullableText,
    built_from: {
      ...nullableText,
      description: 'Commit of the repository of the project, of which the release was built; null: unknown',
    },
    files_left_out: {
      type: 'integer',
      minimum: 0,
      description: 'Changed files of the release that were not kept, so that commits may be missing',
    },
    commits: {
      type: 'array',
      maxItems: MAX_SUSPECTS,
      description:
        'Commits of the release that changed a file of a frame of the application; that of the frame where it happened first',
      items: objectSchema({
        title: 'SuspectCommit',
        properties: {
          ...commitProperties,
          files: {
            type: 'array',
            items: { type: 'string' },
            maxItems: MAX_FILES_SHOWN,
            description: 'Changed files that frames are in',
          },
        },
      }),
    },
  },
});

const present = presenter(suspectCommitsSchema);

type Store = Pick<GatewayStore, 'buildRelease' | 'commitsOfRelease' | 'projectLinks'>;

async function suspectsOf(store: Store, { id }: Project, event: ShownEvent) {
  const { event_id: eventId, release } = event;
  if (release === null) return present({ eventId, release, builtFrom: null, filesLeftOut: 0, commits: [] });
  const [announced, commits, { repository }] = await Promise.all([
    store.buildRelease(id, release),
    store.commitsOfRelease(id, release),
    store.projectLinks(id),
  ]);
  const name = repository === null ? null : (repositoryOf(repository.urlTemplate)?.name ?? null);
  const suspects = suspectCommits(framesOf(event), commits);
  return present({
    ...{ eventId, release, builtFrom: builtCommit({ announced, commits }, name) },
    filesLeftOut: commits.reduce((sum, { filesLeftOut }) => sum + filesLeftOut, 0),
    commits: suspects.map((commit) => ({ ...commitMembers(commit), files: commit.files })),
  });
}

const REFUSAL = 'the connected third-party tracker keeps the commits of releases itself';

export const suspectCommitRoutes: readonly Route[] = [
  projectRoute({
    method: 'GET',
    path: '/api/v4/projects/:id/error_tracking/errors/:error_id/suspect_commits',
    operationId: 'getSuspectCommits',
    summary: 'Read which commits of its release changed the files that an event of an error happened in',
    action: 'read_errors',
    parameters: getSuspectCommitsSchema,
    responses: { 200: { description: 'The commits', schema: suspectCommitsSchema }, ...problems },
    async handle(call) {
      const tracked = await projectBackend(call);
      integratedOnly(tracked, REFUSAL);
      const { project, params, signal, deps } = call;
      const { event_id: eventId } = params;
      const errorId = errorIdOf(call);
      const { event } =
        eventId === undefined
          ? await tracked.backend.latestEvent(project, errorId, signal)
          : await tracked.backend.event(project, errorId, eventId, signal);
      return { status: 200, body: await suspectsOf(deps.store, project, event) };
    },
  }),
];
