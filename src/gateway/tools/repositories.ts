import type { Project } from '../../domain/projects/project.ts';
import { isoTime } from '../http/iso-time.ts';
import type { GatewayStore } from '../http/route-deps.ts';

/** Providers by the host of a repository, as tools name them. */
const PROVIDERS = new Map([
  ['github.com', { id: 'integrations:github', name: 'GitHub' }],
  ['gitlab.com', { id: 'integrations:gitlab', name: 'GitLab' }],
  ['bitbucket.org', { id: 'integrations:bitbucket', name: 'Bitbucket' }],
]);
const OTHER_PROVIDER = { id: 'integrations:gitlab', name: 'GitLab' };

/** Returns `acme/shop` and the address of the repository in the template of a line; null for another form. */
export function repositoryOf(urlTemplate: string): { readonly name: string; readonly url: URL } | null {
  const beginning = urlTemplate.slice(0, (urlTemplate.indexOf('{') + 1 || urlTemplate.length + 1) - 1);
  if (!URL.canParse(beginning)) return null;
  const url = new URL(beginning);
  // `/acme/shop/-/blob/` of GitLab, `/acme/shop/blob/` of GitHub, `/acme/shop/src/` of Bitbucket and Gitea.
  const name = /^\/(.+?)(?:\.git)?\/(?:-\/)?(?:blob|blame|tree|src|raw)(?:\/|$)/.exec(url.pathname)?.[1];
  if (name === undefined || !name.includes('/')) return null;
  return { name, url: new URL(`/${name}`, url) };
}

/**
 * Lists the repositories of *Source code* of projects, so that tools send the commit of a build instead of its history.
 * Each is named once.
 */
export async function repositoriesOf(store: Pick<GatewayStore, 'projectLinks'>, projects: readonly Project[]) {
  const found = new Map<string, object>();
  for (const { id, createdAt } of projects) {
    const { repository } = await store.projectLinks(id);
    const known = repository === null ? null : repositoryOf(repository.urlTemplate);
    if (known === null || found.has(known.url.href)) continue;
    found.set(known.url.href, {
      id: String(id),
      name: known.name,
      url: known.url.href,
      provider: PROVIDERS.get(known.url.hostname) ?? OTHER_PROVIDER,
      status: 'active',
      externalSlug: known.name,
      integrationId: null,
      externalId: String(id),
      dateCreated: isoTime(createdAt),
    });
  }
  return [...found.values()];
}
