import type { IssueTracker, ProjectLinks, SourceRepository } from '../projects/project-links.ts';

export interface IssueTrackerDraft extends Omit<IssueTracker, 'hasToken'> {
  /** Absent: the stored one stays. Null: none. */
  readonly token?: string | null;
}

export interface LinksDraft {
  readonly repository: SourceRepository | null;
  readonly issueTracker: IssueTrackerDraft | null;
}

export interface NewIssue {
  /** 1 to MAX_ISSUE_TITLE characters. */
  readonly title: string;
  /** Markdown, at most 30,000 characters: below the limits of both hosts. */
  readonly description: string;
}

/** Issue that the host made. */
export interface MadeIssue {
  readonly url: string;
  readonly title: string;
}

/**
 * Set-up of the links of a project: checks addresses, seals the token of the issue tracker, and speaks with the host.
 * No method returns or logs the token.
 */
export interface LinkSetup {
  links(projectId: number): Promise<ProjectLinks>;
  /**
   * Replaces all links. Throws `invalid_parameter` for what cannot be one, for an address that is not allowed, and when
   * the stored token would be sent to another host than the one it was entered for.
   */
  save(projectId: number, draft: LinksDraft): Promise<ProjectLinks>;
  /**
   * Asks the host whether issues can be made with the draft and its token, else the stored one; makes nothing. Returns a
   * sentence. Throws as `save` and `makeIssue`.
   */
  test(projectId: number, draft: IssueTrackerDraft, signal: AbortSignal): Promise<string>;
  /**
   * Makes an issue on the host, once, within 30 seconds. Throws `bad_request` when the project has no issue tracker with
   * a token, and `issue_host_failed` with the cause and what to do.
   */
  makeIssue(projectId: number, issue: NewIssue): Promise<MadeIssue>;
}
