import { answer, jsonOf, startHost, type FakeIssueHost, type HostAnswer } from './issue-host.ts';

const TITLE = 256;
const BODY = 65_536;

interface Options {
  readonly token: string;
  /** `owner/repository`, its only one. */
  readonly project: string;
  /** Scopes of a classic token; null: a fine-grained one. */
  readonly scopes?: readonly string[] | null;
  readonly isPrivate?: boolean;
  readonly hasIssues?: boolean;
  /** Path of the REST interface: empty on api.github.com, `/api/v3` on Enterprise Server. */
  readonly base?: string;
}

/** GitHub with one repository, after docs.github.com (REST API: issues, repositories, authentication). */
export function startGithub(given: Options): Promise<FakeIssueHost> {
  const { token, project, scopes = null, isPrivate = true, hasIssues = true, base = '/api/v3' } = given;
  const repository = `${base}/repos/${project}`;
  const told: Readonly<Record<string, string>> = scopes === null ? {} : { 'X-OAuth-Scopes': scopes.join(', ') };
  const say = (status: number, message: string) =>
    answer(status, { message, documentation_url: 'https://docs.github.com/rest' }, told);
  return startHost((request, issues, url): HostAnswer => {
    const { method, path, headers } = request;
    if (headers['user-agent'] === undefined) return say(403, 'Request forbidden by administrative rules.');
    if (headers['private-token'] !== undefined) return say(401, 'Bad credentials');
    if (headers.authorization !== `Bearer ${token}`) return say(401, 'Bad credentials');
    if (headers['x-github-api-version'] !== '2022-11-28') return say(400, 'Unsupported API version');
    if (headers.accept !== 'application/vnd.github+json') return say(415, "Unsupported 'Accept' header");
    if (method === 'GET' && path === repository) {
      return answer(
        200,
        { id: 7, full_name: project, private: isPrivate, has_issues: hasIssues, archived: false },
        told,
      );
    }
    if (method !== 'POST' || path !== `${repository}/issues`) return say(404, 'Not Found');
    if (!hasIssues) return say(410, 'Issues has been disabled in this repository.');
    const body = jsonOf(request);
    if (body === null) return say(400, 'Problems parsing JSON');
    const { title, body: text = '', ...others } = body;
    if (Object.keys(others).length > 0) return say(422, `Invalid request. "${Object.keys(others).join()}" is unknown`);
    if (typeof title !== 'string' || title === '' || title.length > TITLE) return say(422, 'Validation Failed');
    if (typeof text !== 'string' || text.length > BODY) return say(422, 'Validation Failed');
    issues.push({ title, description: text });
    const number = issues.length;
    const user = { login: 'bot', bio: 'x'.repeat(8000) };
    return answer(
      201,
      { id: 1, number, title, body: text, user, html_url: `${url}/${project}/issues/${number}` },
      told,
    );
  });
}
