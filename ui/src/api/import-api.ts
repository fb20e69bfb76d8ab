import { ApiFailure } from './api-failure.ts';
import { answered, api } from './client.ts';
import type { components } from './schema.d.ts';

export type ImportProgress = components['schemas']['ImportProgress'];
export type FormerLink = components['schemas']['FormerLink'];

const PATH = '/api/v4/projects/{id}/error_tracking/import';
const on = (project: string) => ({ params: { path: { id: project } } });

/** Reads the progress of the last import; null when none was ever started. */
export async function getImport(project: string): Promise<ImportProgress | null> {
  try {
    return (await answered(api.GET(PATH, on(project)))).data;
  } catch (error) {
    if (error instanceof ApiFailure && error.kind === 'missing') return null;
    throw error;
  }
}

/** Starts the import, or continues a stopped one. `switches`: the project becomes integrated at the end. */
export async function startImport(project: string, switches: boolean): Promise<ImportProgress> {
  return (await answered(api.POST(PATH, { ...on(project), body: { switch: switches } }))).data;
}

export async function cancelImport(project: string): Promise<ImportProgress> {
  return (await answered(api.DELETE(PATH, on(project)))).data;
}

/** Finds imported errors by an address or an id of their former tracker. */
export async function findFormerLink(path: string): Promise<FormerLink[]> {
  return (await answered(api.GET('/api/v4/error_tracking/former_links', { params: { query: { path } } }))).data;
}
