import type { Person } from '../../domain/error-state.ts';
import type { IssueTracker, LinkedIssue, ProjectLinks, SourceRepository } from '../../domain/project-links.ts';
import { isoTime } from '../http/iso-time.ts';
import { presentPerson } from './triage.ts';

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

export function presentLinkedIssue({ id, url, title, at }: LinkedIssue, user: Person | null) {
  return { id, url, title, created_at: isoTime(at), user: presentPerson(user) };
}
