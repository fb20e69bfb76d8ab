import { answered, api } from './client.ts';
import type { components } from './schema.d.ts';

/** Account at an identity provider. */
export type Identity = components['schemas']['FullUser']['identities'][number];

/** Returns the accounts at identity providers with which the user signs in. */
export async function listIdentities(): Promise<Identity[]> {
  return (await answered(api.GET('/api/v4/user'))).data.identities;
}

/**
 * Returns where the browser connects an account. `password`: of the user; null: there is none. Throws an `ApiFailure`
 * for a wrong one, and while the provider is away.
 */
export async function connectIdentity(password: string | null): Promise<string> {
  const body = password === null ? {} : { password };
  return (await answered(api.POST('/-/session/identity', { body }))).data.url;
}

/** Throws an `ApiFailure` with the reason when it is the only way to sign in. */
export async function disconnectIdentity(id: number): Promise<void> {
  const path = { identity_id: id };
  await answered(api.DELETE('/api/v4/user/identities/{identity_id}', { params: { path } }));
}
