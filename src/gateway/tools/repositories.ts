import type { Project } from '../../domain/projects/project.ts';
import { repositoryOf } from '../../domain/projects/repository-of.ts';
import { isoTime } from '../http/iso-time.ts';
import type { GatewayStore } from '../http/route-deps.ts';

/** Providers by the host of a repository, as tools name them. */
const PROVIDERS = new Map([
  ['github.com', { id: 'integrations:github', name: 'GitHub' }],
  ['gitlab.com', { id: 'integrations:gitlab', name: 'GitLab' }],
  ['bitbucket.org', { id: 'integrations:bitbucket', name: 'Bitbucket' }],
]);
const OTHER_PROVIDER = { id: 'integrations:gitlab', name: 'GitLab' };

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
