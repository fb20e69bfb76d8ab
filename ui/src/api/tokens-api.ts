import { allPages } from './all-pages.ts';
import { answered, api } from './client.ts';
import type { components } from './schema.d.ts';

type Schemas = components['schemas'];
export type AccessToken = Schemas['PersonalAccessToken'];
export type NewAccessToken = Schemas['NewPersonalAccessToken'];
/** Scopes of tokens that users create for themselves; tokens of builds belong to projects. */
export type Scope = Exclude<AccessToken['scopes'][number], 'ci'>;

const PATH = '/api/v4/personal_access_tokens';
const BUILD_PATH = '/api/v4/projects/{id}/access_tokens';

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

/** Lists the tokens for build tools of a project. */
export function listBuildTokens(project: string): Promise<AccessToken[]> {
  return allPages((query) => answered(api.GET(BUILD_PATH, { params: { path: { id: project }, query } })));
}

/** Creates a token for build tools of a project. Only this answer shows it. */
export async function createBuildToken(project: string, name: string): Promise<NewAccessToken> {
  const params = { path: { id: project } };
  return (await answered(api.POST(BUILD_PATH, { params, body: { name, scopes: ['ci'] } }))).data;
}

export async function revokeBuildToken(project: string, id: number): Promise<void> {
  const path = { id: project, token_id: id };
  await answered(api.DELETE(`${BUILD_PATH}/{token_id}`, { params: { path } }));
}
