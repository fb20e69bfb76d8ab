import { AppError } from '../../domain/app-error.ts';
import { isWebAddress, issueUrlProblem } from '../../domain/projects/link-rules.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type { MadeIssue, NewIssue } from '../../domain/ports/link-setup.ts';
import { MAX_ISSUE_TITLE } from '../../domain/projects/project-links.ts';
import { isRecord } from '../../lib/own-property.ts';
import { oneLine, readAnswer, type RawAnswer, type TrackerReply } from '../http/answer.ts';
import { exchange, type ExchangeSettings } from '../http/exchange.ts';
import { whyBlocked, whyFailed } from '../http/outbound-post.ts';
import { BlockedError } from '../guard/blocked-error.ts';
import type { UrlGuard } from '../guard/url-guard.ts';
import { DIALECTS, type HostDialect } from './host-dialect.ts';
import { refusalOf } from './host-refusal.ts';

/** Where issues are made, with the opened token. */
export interface IssueHostAccess {
  readonly kind: keyof typeof DIALECTS;
  readonly apiUrl: string;
  /** Project on the host. */
  readonly project: string;
  readonly token: string;
}

/** Milliseconds for a whole request, its answer included. */
const TOTAL_MS = 30_000;
/** Maximum bytes of an answer; one about a project of GitHub has some 20 KB. */
const MAX_ANSWER_BYTES = 1024 * 1024;
/** Characters that are valid in a header. */
const TOKEN = /^[\x21-\x7e]{1,500}$/;

export interface IssueHost {
  /** Asks about the project with the token, and about the scopes of the token. Throws `issue_host_failed`. */
  check(access: IssueHostAccess, signal: AbortSignal): Promise<string>;
  /** Makes an issue, once. Throws `issue_host_failed`. */
  make(access: IssueHostAccess, issue: NewIssue): Promise<MadeIssue>;
}

const failed = (message: string): AppError => new AppError('issue_host_failed', message);

/** Added where a request may have had its effect. */
const MAY_EXIST = '; the issue may exist: look there before you try again';

export function createIssueHost(guard: UrlGuard, clock: Clock, totalMs = TOTAL_MS): IssueHost {
  const settings: ExchangeSettings = {
    maxResponseBytes: MAX_ANSWER_BYTES,
    lookupTimeoutMs: totalMs,
    connectTimeoutMs: totalMs,
    tlsTimeoutMs: totalMs,
    responseTimeoutMs: totalMs,
  };

  /** Sends one request. `after`: added to the reason where there is no usable answer. */
  async function ask(
    { kind, apiUrl, token }: IssueHostAccess,
    path: string,
    body: object | null,
    given: AbortSignal | null,
    after: string,
  ): Promise<{ reply: TrackerReply; answer: RawAnswer; host: string }> {
    const dialect = DIALECTS[kind];
    const url = new URL(dialect.baseOf(apiUrl) + path);
    if (!TOKEN.test(token)) {
      throw failed('the token has spaces or characters that no token has: enter it again');
    }
    const refusal = guard.refusal(url.href);
    if (refusal !== null) throw failed(whyBlocked(refusal, url.host, 'host'));
    const limit = AbortSignal.timeout(totalMs);
    const signal = given === null ? limit : AbortSignal.any([given, limit]);
    try {
      const answer = await exchange(url, {
        method: body === null ? 'GET' : 'POST',
        headers: dialect.headers(token),
        body: body === null ? null : JSON.stringify(body),
        guard,
        connections: null,
        settings,
        signal,
      });
      return { answer, reply: readAnswer(answer, url.host, token), host: url.host };
    } catch (error) {
      if (error instanceof BlockedError && error.kind !== 'unresolvable') {
        throw failed(whyBlocked(error, url.host, 'host'));
      }
      if (error instanceof AppError) {
        throw failed(`the answer of ${url.host} is none of ${dialect.name}, so check the address${after}`);
      }
      const cause = limit.aborted ? Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' }) : error;
      throw failed(whyFailed(cause, url.host, totalMs, after));
    }
  }

  return {
    async check(access, signal) {
      const dialect = DIALECTS[access.kind];
      const path = dialect.projectPath(access.project);
      const { reply, answer, host } = await ask(access, path, null, signal, '');
      if (!reply.ok) throw failed(refusalOf(dialect, access.project, host, reply, answer, clock.now()));
      const obstacle = dialect.obstacle(reply.body);
      if (obstacle !== null) throw failed(`${host} accepts the token, but ${obstacle}: change that there`);
      const scopes = access.kind === 'gitlab' ? await gitlabScopes(access, signal) : classicScopes(answer);
      const enough =
        scopes === null || scopes.includes(access.kind === 'gitlab' ? 'api' : 'repo') || isPublic(reply, scopes);
      if (!enough) {
        const held = scopes.length === 0 ? 'no scope' : `only the scope ${scopes.join(', ')}`;
        throw failed(`${host} accepts the token, but it has ${held}: ${dialect.permission}`);
      }
      const unsure = scopes === null ? ' The host does not tell whether the token may make issues.' : '';
      return `${host} accepts the token, and it can see ${access.project}.${unsure}`;
    },

    async make(access, issue) {
      const dialect = DIALECTS[access.kind];
      const path = `${dialect.projectPath(access.project)}/issues`;
      const { reply, answer, host } = await ask(access, path, dialect.body(issue), null, MAY_EXIST);
      if (!reply.ok) throw failed(refusalOf(dialect, access.project, host, reply, answer, clock.now()));
      return madeIssue(dialect, issue, host, reply.body);
    },
  };

  /** Scopes of the token itself; null where this version of GitLab does not tell. */
  async function gitlabScopes(access: IssueHostAccess, signal: AbortSignal): Promise<string[] | null> {
    try {
      const { reply } = await ask(access, '/api/v4/personal_access_tokens/self', null, signal, '');
      const scopes: unknown = reply.ok && isRecord(reply.body) ? reply.body.scopes : null;
      return Array.isArray(scopes) ? scopes.map((scope) => oneLine(String(scope), 60)) : null;
    } catch (error) {
      if (error instanceof AppError) return null;
      throw error;
    }
  }
}

/** Scopes of a classic token of GitHub, from the header of its answers; null for other tokens. */
function classicScopes({ headers }: RawAnswer): string[] | null {
  const given = headers['x-oauth-scopes'];
  if (given === undefined) return null;
  return String(given)
    .split(',')
    .map((scope) => oneLine(scope, 60))
    .filter((scope) => scope !== '');
}

/** In a public repository of GitHub a smaller scope is enough. */
function isPublic({ body }: TrackerReply, scopes: readonly string[]): boolean {
  return isRecord(body) && body.private === false && scopes.includes('public_repo');
}

/** Reads the address of a made issue. An address that cannot be linked is an error: the issue is there. */
function madeIssue({ urlMember, name }: HostDialect, asked: NewIssue, host: string, body: unknown): MadeIssue {
  const url = isRecord(body) ? body[urlMember] : undefined;
  const title = isRecord(body) && typeof body.title === 'string' ? oneLine(body.title, MAX_ISSUE_TITLE) : '';
  if (typeof url !== 'string' || !isWebAddress(url) || issueUrlProblem(url) !== null) {
    throw failed(`${host} did not answer with an issue of ${name}, so check its address${MAY_EXIST}`);
  }
  return { url, title: title === '' ? asked.title : title };
}
