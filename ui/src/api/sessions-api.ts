import { answered, api } from './client.ts';
import type { components } from './schema.d.ts';

/** Browser that the user is signed in with. */
export type ListedSession = components['schemas']['ListedSession'];

const PATH = '/api/v4/user/sessions';

/** Lists the sessions of the signed-in user, the last used first. */
export async function listSessions(signal: AbortSignal): Promise<ListedSession[]> {
  return (await answered(api.GET(PATH, { signal }))).data;
}

export async function endListedSession(id: string): Promise<void> {
  await answered(api.DELETE(`${PATH}/{session_id}`, { params: { path: { session_id: id } } }));
}
