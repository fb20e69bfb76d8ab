import { allPages } from './all-pages.ts';
import { answered, api } from './client.ts';
import type { components } from './schema.d.ts';

type Schemas = components['schemas'];
export type AccessToken = Schemas['PersonalAccessToken'];
export type NewAccessToken = Schemas['NewPersonalAccessToken'];
/** Scopes of tokens that users create for themselves; tokens of builds belong to projects. */
export type Scope = Exclude<AccessToken['scopes'][number], 'ci'>;

const PATH = '/api/v4/personal_access_tokens';

export interface WantedToken {
  readonly name: string;
  /** Purpose of the token; may be blank. */
  readonly description: string;
  readonly scope: Scope;
  /** Last day of validity, such as `2027-01-31`; blank: no expiry. */
  readonly expiresAt: string;
}

/** Lists the access tokens of the signed-in user. */
export function listTokens(): Promise<AccessToken[]> {
  return allPages((query) => answered(api.GET(PATH, { params: { query } })));
}

/** Creates a token. Only this answer shows it. */
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
