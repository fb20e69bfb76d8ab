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

/** The projects one is a member of (administrators: all). */
export function listProjects(): Promise<Project[]> {
  return allPages((query) => answered(api.GET('/api/v4/projects', { params: { query } })));
}

/** The same with what is unresolved in them, and how often it happened. */
export function listOverviews(): Promise<ProjectOverview[]> {
  return allPages((query) => answered(api.GET('/api/v4/error_tracking/projects', { params: { query } })));
}

export async function getProject(project: string): Promise<Project> {
  return (await answered(api.GET('/api/v4/projects/{id}', { params: { path: { id: project } } }))).data;
}

/** Throws an `ApiFailure` whose message says what is wrong, such as a path that is taken. */
export async function createProject(body: NewProject): Promise<Project> {
  return (await answered(api.POST('/api/v4/projects', { body }))).data;
}

export async function updateProject(project: number | string, body: ProjectChange): Promise<Project> {
  return (await answered(api.PUT('/api/v4/projects/{id}', { params: { path: { id: project } }, body }))).data;
}

export async function deleteProject(project: number): Promise<void> {
  await answered(api.DELETE('/api/v4/projects/{id}', { params: { path: { id: project } } }));
}

/** What events lose before they are stored, and how many may come: in force, as configured, and what the project asks for itself. */
export async function getProtection(project: string): Promise<Protection> {
  const { data } = await answered(
    api.GET('/api/v4/projects/{id}/error_tracking/protection', { params: { path: { id: project } } }),
  );
  return data;
}

/** Throws an `ApiFailure` whose message says what is wrong with a value. */
export async function saveProtection(project: string, body: ProtectionBody): Promise<Protection> {
  const path = { id: project };
  return (await answered(api.PUT('/api/v4/projects/{id}/error_tracking/protection', { params: { path }, body }))).data;
}

/** Sends an event the way an SDK does; its id. */
export async function sendTestEvent(project: string): Promise<string> {
  const { data } = await answered(
    api.POST('/api/v4/projects/{id}/error_tracking/test_event', { params: { path: { id: project } } }),
  );
  return data.event_id;
}
