import { answered, api } from './client.ts';
import type { components } from './schema.d.ts';

/** Saved search of the signed-in user in the list of one project. */
export type SavedView = components['schemas']['SavedView'];
export type NewSavedView = components['schemas']['NewSavedView'];

const VIEWS = '/api/v4/projects/{id}/error_tracking/views';

/** Lists the user's views of a project, by name. */
export async function listViews(project: string, signal?: AbortSignal): Promise<SavedView[]> {
  const params = { path: { id: project } };
  return (await answered(api.GET(VIEWS, { params, ...(signal === undefined ? {} : { signal }) }))).data;
}

/** Saves a view, or replaces the one of the same name. Throws an `ApiFailure` beyond 50 views. */
export async function saveView(project: string, body: NewSavedView): Promise<SavedView> {
  return (await answered(api.POST(VIEWS, { params: { path: { id: project } }, body }))).data;
}

export async function deleteView(project: string, id: number): Promise<void> {
  await answered(api.DELETE(`${VIEWS}/{view_id}`, { params: { path: { id: project, view_id: id } } }));
}

/** Marks a project as favourite of the signed-in user, or removes the mark. Throws an `ApiFailure` beyond 200. */
export async function setFavourite(project: number, favourite: boolean): Promise<void> {
  const params = { path: { id: project } };
  if (favourite) await answered(api.PUT('/api/v4/user/favourites/{id}', { params }));
  else await answered(api.DELETE('/api/v4/user/favourites/{id}', { params }));
}
