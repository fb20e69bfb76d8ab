import { issueTrackerProblem, issueUrlProblem, repositoryProblem } from '../../domain/projects/link-rules.ts';
import type { LinkStore } from '../../domain/ports/stores/link-store.ts';
import {
  MAX_ISSUE_TITLE,
  type IssueTracker,
  type LinkedIssue,
  type SourceRepository,
} from '../../domain/projects/project-links.ts';
import { leaveOut, type LeftOuts } from '../state/left-outs.ts';
import { type FileRow, memberOf, objectsOf, textOf, timeOf, wordOf } from './row-values.ts';

/** Characters that a member may have before it is checked. */
const MAX_CHARACTERS = 1000;

const plain = (row: FileRow, name: string): string => textOf(row, name, MAX_CHARACTERS) ?? '';

function repositoryOf(row: FileRow): SourceRepository {
  return {
    urlTemplate: plain(row, 'url_template'),
    defaultRef: plain(row, 'default_ref'),
    refTemplate: plain(row, 'ref_template'),
    prefixes: objectsOf(row, 'prefixes').map((each) => ({ from: plain(each, 'from'), to: plain(each, 'to') })),
  };
}

function trackerOf(row: FileRow): IssueTracker {
  return {
    kind: wordOf(row, 'kind', ['link', 'gitlab', 'github']),
    newIssueUrl: plain(row, 'new_issue_url'),
    apiUrl: textOf(row, 'api_url', MAX_CHARACTERS),
    project: textOf(row, 'project', MAX_CHARACTERS),
    hasToken: false,
  };
}

/**
 * Takes the links of a project over where it has none here. Tokens are not in an export. Those that are wrong are
 * listed.
 */
export async function takeLinks(
  store: Pick<LinkStore, 'projectLinks' | 'setProjectLinks'>,
  { id, path }: { readonly id: number; readonly path: string },
  row: FileRow,
  left: LeftOuts,
): Promise<void> {
  const given = { repository: memberOf(row, 'repository'), tracker: memberOf(row, 'issue_tracker') };
  const present = await store.projectLinks(id);
  const fitting = <T>(of: FileRow, value: T, problem: string | null): T | null => {
    if (Object.keys(of).length === 0) return null;
    if (problem !== null) leaveOut(left, path, 'links', problem);
    return problem === null ? value : null;
  };
  const [repository, tracker] = [repositoryOf(given.repository), trackerOf(given.tracker)];
  const links = {
    ...present,
    repository: present.repository ?? fitting(given.repository, repository, repositoryProblem(repository)),
    issueTracker: present.issueTracker ?? fitting(given.tracker, tracker, issueTrackerProblem(tracker)),
  };
  if (links.repository === present.repository && links.issueTracker === present.issueTracker) return;
  await store.setProjectLinks(id, links);
}

/** Returns the linked issues of an error; those without a valid address are left out. */
export function linkedIssuesOf(
  own: FileRow,
  at: number,
  members: ReadonlyMap<string, number>,
): Omit<LinkedIssue, 'id'>[] {
  const issues: Omit<LinkedIssue, 'id'>[] = [];
  for (const row of objectsOf(own, 'linked_issues')) {
    const url = row['url'];
    if (typeof url !== 'string' || issueUrlProblem(url) !== null) continue;
    const email = textOf(memberOf(row, 'user'), 'email', 254);
    const userId = email === null ? undefined : members.get(email.toLowerCase());
    const title = textOf(row, 'title', MAX_ISSUE_TITLE) ?? url.slice(0, MAX_ISSUE_TITLE);
    issues.push({ url, title, at: timeOf(row, 'created_at') ?? at, userId: userId ?? null });
  }
  return issues;
}
