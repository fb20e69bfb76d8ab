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
