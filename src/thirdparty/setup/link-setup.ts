import { AppError } from '../../domain/app-error.ts';
import { issueTrackerProblem, repositoryProblem } from '../../domain/projects/link-rules.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type { IssueTrackerDraft, LinkSetup } from '../../domain/ports/link-setup.ts';
import type { LinkStore, StoredLinks } from '../../domain/ports/stores/link-store.ts';
import type { IssueTracker, ProjectLinks } from '../../domain/projects/project-links.ts';
import type { TokenCipher } from '../secrets/encrypted-token.ts';
import { whyBlocked } from '../http/outbound-post.ts';
import { DIALECTS } from '../issue-host/host-dialect.ts';
import { createIssueHost, type IssueHostAccess } from '../issue-host/issue-host.ts';
import type { UrlGuard } from '../guard/url-guard.ts';

export interface LinkSetupDeps {
  readonly store: Pick<LinkStore, 'projectLinks' | 'setProjectLinks'>;
  /** Cipher of `issue tracker token`. */
  readonly cipher: TokenCipher;
  readonly guard: UrlGuard;
  readonly clock: Clock;
  /** Milliseconds for a request to a host. Default: 30,000. */
  readonly totalMs?: number;
}

const invalid = (message: string): AppError => new AppError('invalid_parameter', message);

const shown = ({ repository, issueTracker }: StoredLinks): ProjectLinks => ({ repository, issueTracker });

/** True when a token for one tracker may be sent to another one: same kind, same origin. */
function isSameHost(one: IssueTracker | null, { kind, apiUrl }: Pick<IssueTracker, 'kind' | 'apiUrl'>): boolean {
  if (one?.kind !== kind || one.apiUrl === null || apiUrl === null) return false;
  return new URL(one.apiUrl).origin === new URL(apiUrl).origin;
}

/** Creates the set-up of links. */
export function createLinkSetup({ store, cipher, guard, clock, totalMs }: LinkSetupDeps): LinkSetup {
  const host = createIssueHost(guard, clock, totalMs);

  /** Returns the tracker of a draft in its stored form. Throws `invalid_parameter`. */
  function checkedTracker({ token: _, ...draft }: IssueTrackerDraft): IssueTracker {
    const tracker = { ...draft, hasToken: false };
    const problem = issueTrackerProblem(tracker);
    if (problem !== null) throw invalid(problem);
    if (tracker.kind === 'link' || tracker.apiUrl === null) return tracker;
    const apiUrl = DIALECTS[tracker.kind].baseOf(tracker.apiUrl);
    const refusal = guard.refusal(apiUrl);
    if (refusal !== null) {
      throw invalid(`issue_tracker.api_url is blocked: ${whyBlocked(refusal, new URL(apiUrl).host, 'host')}`);
    }
    return { ...tracker, apiUrl };
  }

  /** Returns the sealed token after a change; null: none. Throws `invalid_parameter` for one of another host. */
  function sealedAfter(
    projectId: number,
    tracker: IssueTracker,
    given: string | null | undefined,
    before: StoredLinks,
  ): string | null {
    if (tracker.kind === 'link') {
      if (given !== undefined && given !== null) throw invalid('issue_tracker.token is not for the kind link');
      return null;
    }
    if (given === null) return null;
    if (given !== undefined) {
      const token = given.trim();
      if (!/^[\x21-\x7e]{1,500}$/.test(token)) throw invalid('issue_tracker.token is invalid: enter it again');
      return cipher.encrypt(token, projectId);
    }
    if (before.sealedToken === null) return null;
    if (isSameHost(before.issueTracker, tracker)) return before.sealedToken;
    throw invalid('issue_tracker.token is missing: the stored one belongs to the host before, so enter one of the new');
  }

  /** Returns the access to a host; null: it takes no token, or there is none. */
  function accessOf(projectId: number, tracker: IssueTracker, sealed: string | null): IssueHostAccess | null {
    const { kind, apiUrl, project } = tracker;
    if (kind === 'link' || apiUrl === null || project === null || sealed === null) return null;
    return { kind, apiUrl, project, token: cipher.decrypt(sealed, projectId) };
  }

  return {
    links: async (projectId) => shown(await store.projectLinks(projectId)),

    async save(projectId, { repository, issueTracker: draft }) {
      const problem = repository === null ? null : repositoryProblem(repository);
      if (problem !== null) throw invalid(problem);
      const before = await store.projectLinks(projectId);
      const tracker = draft === null ? null : checkedTracker(draft);
      const sealedToken = tracker === null ? null : sealedAfter(projectId, tracker, draft?.token, before);
      const issueTracker = tracker === null ? null : { ...tracker, hasToken: sealedToken !== null };
      await store.setProjectLinks(projectId, { repository, issueTracker, sealedToken });
      return { repository, issueTracker };
    },

    async test(projectId, draft, signal) {
      const tracker = checkedTracker(draft);
      const sealed = sealedAfter(projectId, tracker, draft.token, await store.projectLinks(projectId));
      const access = accessOf(projectId, tracker, sealed);
      if (access === null) throw invalid('issue_tracker.token is missing: enter a token to test');
      return host.check(access, signal);
    },

    async makeIssue(projectId, issue) {
      const { issueTracker, sealedToken } = await store.projectLinks(projectId);
      const access = issueTracker === null ? null : accessOf(projectId, issueTracker, sealedToken);
      if (access === null) {
        throw new AppError(
          'bad_request',
          'the project has no issue tracker with a token: a Maintainer enters it under Settings, "Source code and issues"',
        );
      }
      return host.make(access, issue);
    },
  };
}
