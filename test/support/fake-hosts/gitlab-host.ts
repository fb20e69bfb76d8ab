import { answer, jsonOf, startHost, type FakeIssueHost, type HostAnswer } from './issue-host.ts';

const TITLE = 255;
const DESCRIPTION = 1_048_576;

interface Options {
  readonly token: string;
  /** Full path of its only project. */
  readonly project: string;
  /** Scopes of the token; null: a version that does not tell. */
  readonly scopes?: readonly string[] | null;
  readonly issuesAccess?: 'enabled' | 'private' | 'disabled';
  readonly archived?: boolean;
}

/**
 * GitLab with one project, after docs.gitlab.com (Issues API, Projects API, Personal access tokens API): paths are
 * matched as they are sent, so that a slash in the project must be encoded.
 */
export function startGitlab(given: Options): Promise<FakeIssueHost> {
  const { token, project, scopes = ['api'], issuesAccess = 'enabled', archived = false } = given;
  const base = `/api/v4/projects/${project.replaceAll('/', '%2F')}`;
  return startHost((request, issues, url): HostAnswer => {
    const { method, path, headers } = request;
    if (headers.authorization !== undefined) return answer(401, { message: '401 Unauthorized' });
    if (headers['private-token'] !== token) return answer(401, { message: '401 Unauthorized' });
    if (method === 'GET' && path === '/api/v4/personal_access_tokens/self') {
      return scopes === null ? answer(404, { error: '404 Not Found' }) : answer(200, { id: 1, scopes, active: true });
    }
    if (method === 'GET' && path === base) {
      return answer(200, {
        ...{ id: 7, path_with_namespace: project, archived, issues_access_level: issuesAccess },
        issues_enabled: issuesAccess !== 'disabled',
        description: 'x'.repeat(20_000),
      });
    }
    if (method !== 'POST' || path !== `${base}/issues`) return answer(404, { message: '404 Project Not Found' });
    if (scopes !== null && !scopes.includes('api')) {
      return answer(403, { error: 'insufficient_scope', error_description: 'The request requires higher privileges' });
    }
    const body = jsonOf(request);
    if (body === null) return answer(400, { error: 'title is missing' });
    const { title, description = '', ...others } = body;
    if (Object.keys(others).length > 0) return answer(400, { error: `unknown: ${Object.keys(others).join()}` });
    if (typeof title !== 'string' || title === '') return answer(400, { error: 'title is missing' });
    if (title.length > TITLE) return answer(400, { message: { title: ['is too long (maximum is 255 characters)'] } });
    if (typeof description !== 'string' || description.length > DESCRIPTION) {
      return answer(400, { message: { description: ['is too long'] } });
    }
    issues.push({ title, description });
    const iid = issues.length;
    return answer(201, { id: 100 + iid, iid, title, description, web_url: `${url}/${project}/-/issues/${iid}` });
  });
}
