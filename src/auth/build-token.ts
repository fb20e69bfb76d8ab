import { randomBytes } from 'node:crypto';
import type { AccessToken, NewAccessToken } from '../domain/projects/account.ts';
import { organizationOf } from '../domain/projects/slugs.ts';
import type { Project } from '../domain/projects/project.ts';
import { AppError } from '../domain/app-error.ts';
import type { AccountStore } from '../domain/ports/stores/account-store.ts';
import { hashAccessToken } from './access-token.ts';

/**
 * Creates the text of a token as build tools parse it: three parts joined by `_`, of which the second tells them address
 * and organization. Base64 has no `_`. Shown once, never stored.
 *
 * An address below a path is left out. `sentry-cli` accepts none, and would prefer that of the token to the one that it
 * is given.
 */
function generateBuildToken(address: string, organization: string, now: number): string {
  const url = new URL(address).pathname === '/' ? address : null;
  const facts = { iat: Math.floor(now / 1000), url, region_url: url, org: organization };
  const secret = randomBytes(32).toString('base64').replaceAll('=', '');
  return `sntrys_${Buffer.from(JSON.stringify(facts)).toString('base64')}_${secret}`;
}

export interface NewBuildToken extends Omit<NewAccessToken, 'hash' | 'scopes'> {
  /** At least one, all of one organization. */
  readonly projects: readonly Project[];
  /** Address of this service, without a slash at its end. */
  readonly url: string;
}

/**
 * Creates a token with the scope `ci` for some projects; returns it with its text. An interruption leaves a token
 * without any project. Throws `bad_request` for projects of two organizations, because tools send one.
 */
export async function createBuildToken(
  store: Pick<AccountStore, 'createToken' | 'addProjectsOfToken'>,
  { projects, url, ...rest }: NewBuildToken,
  now: number,
): Promise<{ readonly token: AccessToken; readonly text: string }> {
  const [organization, ...more] = [...new Set(projects.map(organizationOf))];
  if (organization === undefined || more.length > 0) {
    throw new AppError('bad_request', 'A token of builds is for projects of one group: name one project at least.');
  }
  const text = generateBuildToken(url, organization, now);
  const token = await store.createToken({ ...rest, hash: hashAccessToken(text), scopes: ['ci'] });
  await store.addProjectsOfToken(
    token.id,
    projects.map(({ id }) => id),
  );
  return { token, text };
}
