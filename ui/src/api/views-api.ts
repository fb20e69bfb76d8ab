import { answered, api } from './client.ts';
import type { components } from './schema.d.ts';

export type SavedView = components['schemas']['SavedView'];
export type NewSavedView = components['schemas']['NewSavedView'];

const PATH = '/api/v4/projects/{id}/error_tracking/views';

/** Lists the saved searches of the signed-in user in a project, by name. */
export async function listViews(project: string, signal: AbortSignal): Promise<readonly SavedView[]> {
  return (await answered(api.GET(PATH, { params: { path: { id: project } }, signal }))).data;
}

/** Saves a search, or replaces the one with the same name. */
export async function saveView(project: string, view: NewSavedView): Promise<SavedView> {
  return (await answered(api.POST(PATH, { params: { path: { id: project } }, body: view }))).data;
}

export async function deleteView(project: string, id: number): Promise<void> {
  await answered(api.DELETE(`${PATH}/{view_id}`, { params: { path: { id: project, view_id: id } } }));
}
