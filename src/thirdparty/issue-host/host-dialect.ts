import { isRecord } from '../../lib/own-property.ts';
import type { NewIssue } from '../../domain/ports/link-setup.ts';

/** What differs between the REST interfaces of the hosts. */
export interface HostDialect {
  /** Name for people. */
  readonly name: string;
  /** Base address in the form that paths are added to: no slash at the end. */
  baseOf(apiUrl: string): string;
  /** Headers of every request. */
  headers(token: string): Readonly<Record<string, string>>;
  /** Path of the project, and of its issues. */
  projectPath(project: string): string;
  /** Body of the request for a new issue. */
  body(issue: NewIssue): object;
  /** Members of the answer that have the address and the title of the issue. */
  readonly urlMember: 'web_url' | 'html_url';
  /** Says what is missing where the token is accepted and the action is not allowed. */
  readonly permission: string;
  /** Reads whether issues can be made from the answer about the project; null: they can. */
  obstacle(project: unknown): string | null;
}

const withoutSlash = (url: string): string => url.replace(/\/+$/, '');

/** docs.gitlab.com/api/issues. Level 20, Reporter, may also make issues in private projects. */
export const GITLAB: HostDialect = {
  name: 'GitLab',
  baseOf: (apiUrl) => withoutSlash(apiUrl).replace(/\/api(\/v4)?$/, ''),
  headers: (token) => ({ 'PRIVATE-TOKEN': token }),
  projectPath: (project) => `/api/v4/projects/${encodeURIComponent(project)}`,
  body: ({ title, description }) => ({ title, description }),
  urlMember: 'web_url',
  permission: 'give it the scope api and at least the role Reporter in the project',
  obstacle(project) {
    if (!isRecord(project)) return 'the host did not return a project';
    if (project.archived === true) return 'the project is archived';
    const isOff = project.issues_access_level === 'disabled' || project.issues_enabled === false;
    return isOff ? 'issues are switched off in the project' : null;
  },
};

/** docs.github.com/en/rest/issues. */
export const GITHUB: HostDialect = {
  name: 'GitHub',
  baseOf(apiUrl) {
    const url = new URL(withoutSlash(apiUrl));
    if (/^(www\.)?github\.com$/.test(url.host)) return 'https://api.github.com';
    // The REST interface of GitHub Enterprise Server is below this path.
    return url.pathname === '/' && url.host !== 'api.github.com' ? `${url.origin}/api/v3` : withoutSlash(url.href);
  },
  headers: (token) => ({
    Authorization: `Bearer ${token}`,
    Accept: 'application/vnd.github+json',
    'X-GitHub-Api-Version': '2022-11-28',
  }),
  projectPath: (project) => `/repos/${project.split('/').map(encodeURIComponent).join('/')}`,
  body: ({ title, description }) => ({ title, body: description }),
  urlMember: 'html_url',
  permission: 'give it the permission Issues: read and write (classic tokens: the scope repo) for the repository',
  obstacle(project) {
    if (!isRecord(project)) return 'the answer is not about a repository';
    if (project.archived === true) return 'the repository is archived';
    return project.has_issues === false ? 'issues are switched off in the repository' : null;
  },
};

export const DIALECTS = { gitlab: GITLAB, github: GITHUB } as const;
