import type { IssueTracker, NewIssueTracker } from '../../../api/links-api.ts';

export type TrackerKind = 'none' | IssueTracker['kind'];

/** What a person enters about the issue tracker. */
export interface TrackerDraft {
  kind: TrackerKind;
  /** Address of the host, such as https://gitlab.com. */
  host: string;
  project: string;
  /** Empty: the stored one stays. */
  token: string;
  /** Of the kind `link` only. */
  newIssueUrl: string;
}

export const DEFAULT_HOSTS = { gitlab: 'https://gitlab.com', github: 'https://github.com' } as const;

/** Address of the REST interface, and of the pages, of a GitHub: they differ. */
const GITHUB_API = 'https://api.github.com';

function hostOf(apiUrl: string | null): string {
  if (apiUrl === null) return '';
  return apiUrl === GITHUB_API ? DEFAULT_HOSTS.github : apiUrl.replace(/\/api\/v3$/, '');
}

export function draftOfTracker(tracker: IssueTracker | null): TrackerDraft {
  return {
    kind: tracker?.kind ?? 'none',
    host: hostOf(tracker?.api_url ?? null),
    project: tracker?.project ?? '',
    token: '',
    newIssueUrl: tracker?.kind === 'link' ? tracker.new_issue_url : '',
  };
}

/** Page of a host for a new issue. */
function pageOf(kind: 'gitlab' | 'github', host: string, project: string): string {
  const base = `${host.trim().replace(/\/+$/, '')}/${project.trim()}`;
  return kind === 'gitlab'
    ? `${base}/-/issues/new?issue[title]={title}&issue[description]={description}`
    : `${base}/issues/new?title={title}&body={description}`;
}

/** Null: no issue tracker. */
export function trackerOf({ kind, host, project, token, newIssueUrl }: TrackerDraft): NewIssueTracker | null {
  if (kind === 'none') return null;
  if (kind === 'link') return { kind, new_issue_url: newIssueUrl.trim(), api_url: null, project: null };
  return {
    kind,
    new_issue_url: pageOf(kind, host, project),
    api_url: host.trim(),
    project: project.trim(),
    ...(token === '' ? {} : { token }),
  };
}
