import { allPages } from './all-pages.ts';
import { answered, api } from './client.ts';
import type { components } from './schema.d.ts';

type Schemas = components['schemas'];
export type AccessToken = Schemas['PersonalAccessToken'];
export type NewAccessToken = Schemas['NewPersonalAccessToken'];
export type Scope = AccessToken['scopes'][number];

const PATH = '/api/v4/personal_access_tokens';

export interface WantedToken {
  readonly name: string;
  /** What it is for; may be blank. */
  readonly description: string;
  readonly scope: Scope;
  /** The last day on which it works, `2027-01-31`; blank: for ever. */
  readonly expiresAt: string;
}

/** One's own. */
export function listTokens(): Promise<AccessToken[]> {
  return allPages((query) => answered(api.GET(PATH, { params: { query } })));
}

/** The answer shows the token, this once. */
export async function createToken({ name, description, scope, expiresAt }: WantedToken): Promise<NewAccessToken> {
  const body = {
    name,
    scopes: [scope],
    ...(description === '' ? {} : { description }),
    ...(expiresAt === '' ? {} : { expires_at: expiresAt }),
  };
  return (await answered(api.POST(PATH, { body }))).data;
}

export async function revokeToken(id: number): Promise<void> {
  await answered(api.DELETE(`${PATH}/{token_id}`, { params: { path: { token_id: id } } }));
}
