/**
 * Webhook by which the host says that an issue was closed or reopened. A project without one has no row: errors follow
 * their issues only where a Maintainer asked for it.
 */
export interface IssueHook {
  readonly projectId: number;
  /** Sealed signing secret. */
  readonly sealed: string;
  /** Time at which the secret was made or entered. */
  readonly createdAt: number;
}

/** State of an issue on the host, in the words of GitLab. */
export type IssueState = 'opened' | 'closed';

/** The newest change of an issue that was taken. Older ones and repeats of it change nothing. */
export interface SeenIssue {
  readonly projectId: number;
  /** Hash of the normalised address, 32 hexadecimal digits. */
  readonly issue: string;
  readonly state: IssueState;
  /** Time of the change on the host. */
  readonly at: number;
  /** Id of the request that brought it; empty: it had none. */
  readonly delivery: string;
}

/** Maximum of issues of a project whose newest change is remembered; those changed longest ago are forgotten. */
export const MAX_SEEN_ISSUES = 200;

/** Maximum of links that one change of an issue leads to; further ones stay as they are. */
export const MAX_ERRORS_OF_ISSUE = 1_000;
