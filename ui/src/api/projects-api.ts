import { allPages } from './all-pages.ts';
import { answered, api } from './client.ts';
import type { components, operations } from './schema.d.ts';

type Schemas = components['schemas'];
export type Project = Schemas['Project'];
export type ProjectOverview = Schemas['ProjectOverview'];
export type Protection = Schemas['Protection'];
export type ProtectionBody = NonNullable<operations['putProtection']['requestBody']>['content']['application/json'];
export type NewProject = NonNullable<operations['createProject']['requestBody']>['content']['application/json'];
export type ProjectChange = NonNullable<operations['updateProject']['requestBody']>['content']['application/json'];

/** Lists the projects of the user; administrators get all. */
export function listProjects(): Promise<Project[]> {
  return allPages((query) => answered(api.GET('/api/v4/projects', { params: { query } })));
}

/** Lists the same projects with unresolved errors and events per hour. */
export function listOverviews(): Promise<ProjectOverview[]> {
  return allPages((query) => answered(api.GET('/api/v4/error_tracking/projects', { params: { query } })));
}

export async function getProject(project: string): Promise<Project> {
  return (await answered(api.GET('/api/v4/projects/{id}', { params: { path: { id: project } } }))).data;
}

/** Creates a project. Throws an `ApiFailure` with the reason, such as a path that is taken. */
export async function createProject(body: NewProject): Promise<Project> {
  return (await answered(api.POST('/api/v4/projects', { body }))).data;
}

export async function updateProject(project: number | string, body: ProjectChange): Promise<Project> {
  return (await answered(api.PUT('/api/v4/projects/{id}', { params: { path: { id: project } }, body }))).data;
}

export async function deleteProject(project: number): Promise<void> {
  await answered(api.DELETE('/api/v4/projects/{id}', { params: { path: { id: project } } }));
}

/** Reads scrubbing and rate limits: the effective ones, those of the instance, and those of the project. */
export async function getProtection(project: string): Promise<Protection> {
  const { data } = await answered(
    api.GET('/api/v4/projects/{id}/error_tracking/protection', { params: { path: { id: project } } }),
  );
  return data;
}

/** Saves the project's own protection. Throws an `ApiFailure` that names the wrong value. */
export async function saveProtection(project: string, body: ProtectionBody): Promise<Protection> {
  const path = { id: project };
  return (await answered(api.PUT('/api/v4/projects/{id}/error_tracking/protection', { params: { path }, body }))).data;
}

/** Sends an event as an SDK would, and returns its id. */
export async function sendTestEvent(project: string): Promise<string> {
  const { data } = await answered(
    api.POST('/api/v4/projects/{id}/error_tracking/test_event', { params: { path: { id: project } } }),
  );
  return data.event_id;
}

export type ErrorStream = Schemas['ErrorStream'];
export type StreamedError = ErrorStream['errors'][number];

/** Maximum errors of the stream of all projects. */
const STREAM_ERRORS = 30;

/** Lists what matters most of all projects, or of the favourites. */
export async function listStream(favourites: boolean, signal: AbortSignal): Promise<ErrorStream> {
  const query = { sort: 'matters', favourites, per_page: STREAM_ERRORS } as const;
  return (await answered(api.GET('/api/v4/error_tracking/errors', { params: { query }, signal }))).data;
}

/** Marks a project as a favourite of the signed-in user, or takes the mark away. */
export async function setFavourite(project: number, favourite: boolean): Promise<void> {
  const params = { path: { id: String(project) } };
  await answered(
    favourite
      ? api.PUT('/api/v4/user/favourites/{id}', { params })
      : api.DELETE('/api/v4/user/favourites/{id}', { params }),
  );
}
