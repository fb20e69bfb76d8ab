import type { StoredLinks } from '../domain/ports/stores/link-store.ts';

/** Returns the links of a project as its line in an export has them, without the token. */
export function exportedLinks({ repository, issueTracker }: StoredLinks): object {
  return {
    ...(repository === null
      ? {}
      : {
          repository: {
            url_template: repository.urlTemplate,
            default_ref: repository.defaultRef,
            ref_template: repository.refTemplate,
            prefixes: repository.prefixes.map(({ from, to }) => ({ from, to })),
          },
        }),
    ...(issueTracker === null
      ? {}
      : {
          issue_tracker: {
            kind: issueTracker.kind,
            new_issue_url: issueTracker.newIssueUrl,
            api_url: issueTracker.apiUrl,
            project: issueTracker.project,
          },
        }),
  };
}
