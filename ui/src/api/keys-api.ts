import { projectAddress } from '../lib/project-path.ts';
import { allPages } from './all-pages.ts';
import { answered, api } from './client.ts';
import type { components } from './schema.d.ts';

type Answered = components['schemas']['ClientKey'];
/** Time of the last use, some minutes late; null: never used. */
export type ClientKey = Answered & { readonly last_used_at: string | null };

const PATH = '/api/v4/projects/{id}/error_tracking/client_keys';
const withUse = (key: Answered): ClientKey => ({ ...key, last_used_at: key.last_used_at ?? null });

/** Lists all keys, disabled ones included, oldest first. Only for maintainers. */
export async function listKeys(project: string): Promise<ClientKey[]> {
  const path = { id: project };
  const all = await allPages((query) =>
    answered(api.GET(PATH, { params: { path, query: { ...query, usage: true } } })),
  );
  return all.map(withUse);
}

export async function createKey(project: string): Promise<ClientKey> {
  return withUse((await answered(api.POST(PATH, { params: { path: { id: project } } }))).data);
}

export async function deleteKey(project: string, id: number): Promise<void> {
  await answered(api.DELETE(`${PATH}/{key_id}`, { params: { path: { id: project, key_id: id } } }));
}

/** Enables or disables a key. SDKs that use a disabled key are refused. */
export async function setKeyActive(project: string, id: number, active: boolean): Promise<void> {
  const path = { id: project, key_id: id };
  await answered(api.PUT(`${PATH}/{key_id}`, { params: { path }, body: { active } }));
}

/** Reads the address of the linked project in the external tracker; null with the integrated backend. */
export async function findTrackerAddress(project: string): Promise<string | null> {
  const { data } = await answered(
    api.GET('/{project_path}/-/error_tracking.json', {
      // The route takes the path unescaped, with its slashes.
      params: { path: { project_path: project }, query: {} },
      pathSerializer: () => `${projectAddress(project)}/-/error_tracking.json`,
    }),
  );
  const address = data?.external_url ?? '';
  return address === '' ? null : address;
}
