import type { IssueTracker, ProjectLinks, SourceRepository } from '../../../domain/project-links.ts';

function presentRepository({ urlTemplate, defaultRef, refTemplate, prefixes }: SourceRepository) {
  return { url_template: urlTemplate, default_ref: defaultRef, ref_template: refTemplate, prefixes };
}

function presentTracker({ kind, newIssueUrl, apiUrl, project, hasToken }: IssueTracker) {
  return { kind, new_issue_url: newIssueUrl, api_url: apiUrl, project, has_token: hasToken };
}

export function presentLinks({ repository, issueTracker }: ProjectLinks) {
  return {
    repository: repository === null ? null : presentRepository(repository),
    issue_tracker: issueTracker === null ? null : presentTracker(issueTracker),
  };
}
