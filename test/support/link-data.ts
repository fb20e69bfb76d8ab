import type { StoredLinks } from '../../src/domain/ports/stores/link-store.ts';
import type { SourceRepository } from '../../src/domain/projects/project-links.ts';

/** Repository on a GitLab, with a prefix and refs of releases. */
export function makeRepository(changes: Partial<SourceRepository> = {}): SourceRepository {
  return {
    urlTemplate: 'https://git.test/shop/-/blob/{ref}/{path}#L{line}',
    defaultRef: 'main',
    refTemplate: 'v{version}',
    prefixes: [{ from: '/app/', to: '' }],
    ...changes,
  };
}

/** Links of a project with everything set. */
export function makeLinks(changes: Partial<StoredLinks> = {}): StoredLinks {
  return {
    repository: makeRepository(),
    issueTracker: {
      kind: 'gitlab',
      newIssueUrl: 'https://git.test/shop/-/issues/new?issue[title]={title}&issue[description]={description}',
      apiUrl: 'https://git.test',
      project: 'shop',
      hasToken: true,
    },
    sealedToken: 'sealed',
    ...changes,
  };
}
