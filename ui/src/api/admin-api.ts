import { allPages } from './all-pages.ts';
import { answered, api } from './client.ts';
import type { components, operations } from './schema.d.ts';

type Schemas = components['schemas'];
export type User = Schemas['User'];
export type NewUser = Schemas['NewUser'];
export type Instance = Schemas['Instance'];
export type WantedUser = NonNullable<operations['createUser']['requestBody']>['content']['application/json'];

const PATH = '/api/v4/users';

export function listUsers(): Promise<User[]> {
  return allPages((query) => answered(api.GET(PATH, { params: { query } })));
}

/** Creates a user. Without a password the service generates one, and only this answer shows it. */
export async function createUser(body: WantedUser): Promise<NewUser> {
  return (await answered(api.POST(PATH, { body }))).data;
}

export async function setAdministrator(id: number, admin: boolean): Promise<User> {
  return (await answered(api.PUT(`${PATH}/{user_id}`, { params: { path: { user_id: id } }, body: { admin } }))).data;
}

/** Sets a password, which the user has to change at the next sign-in. */
export async function setPassword(id: number, password: string): Promise<void> {
  await answered(api.PUT(`${PATH}/{user_id}`, { params: { path: { user_id: id } }, body: { password } }));
}

/** Sets an e-mail address; an empty one removes it. */
export async function setEmail(id: number, email: string): Promise<void> {
  await answered(api.PUT(`${PATH}/{user_id}`, { params: { path: { user_id: id } }, body: { email } }));
}

/** Removes the second factor of a user, and ends their sessions. */
export async function resetSecondFactor(id: number): Promise<void> {
  await answered(api.DELETE(`${PATH}/{user_id}/second_factor`, { params: { path: { user_id: id } } }));
}

/** Blocks or unblocks a user. */
export async function setBlocked(id: number, blocked: boolean): Promise<void> {
  const params = { path: { user_id: id } };
  await answered(
    blocked ? api.POST(`${PATH}/{user_id}/block`, { params }) : api.POST(`${PATH}/{user_id}/unblock`, { params }),
  );
}

export async function getInstance(): Promise<Instance> {
  return (await answered(api.GET('/api/v4/admin/health'))).data;
}
