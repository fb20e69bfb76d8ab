import type { IssueHook, SeenIssue } from '../../projects/issue-hook.ts';
import type { IssueTracker, LinkedIssue, SourceRepository } from '../../projects/project-links.ts';
import type { SavedView } from '../../search/saved-view.ts';

/** Links as stored: with the sealed token. */
export interface StoredLinks {
  readonly repository: SourceRepository | null;
  readonly issueTracker: IssueTracker | null;
  readonly sealedToken: string | null;
}

/** An error, and the address of an issue that is linked to it. */
export interface ErrorWithIssue {
  readonly errorId: string;
  readonly url: string;
}

/** Addresses that belong to a project and its errors, and what a person set for a project. */
export interface LinkStore {
  projectLinks(projectId: number): Promise<StoredLinks>;
  /** Replaces all links of a project. */
  setProjectLinks(projectId: number, links: StoredLinks): Promise<void>;
  /** Replaces a sealed token unless it was changed meanwhile; false then. */
  replaceSealedIssueToken(projectId: number, before: string, after: string): Promise<boolean>;
  /** Oldest first; of a merged error those of all members, each address once. Null when the error is unknown. */
  linkedIssues(projectId: number, errorId: string): Promise<LinkedIssue[] | null>;
  /**
   * Adds an issue and writes `issue_linked` to the log of the error. The same address again changes nothing. Null when
   * the error is unknown. Throws `conflict` beyond MAX_LINKED_ISSUES.
   */
  addLinkedIssue(
    projectId: number,
    errorId: string,
    issue: Pick<LinkedIssue, 'url' | 'title'>,
    userId: number,
    now: number,
  ): Promise<LinkedIssue | null>;
  /**
   * Adds issues of an export to an imported error, without an entry in its log. Known addresses stay as they are; those
   * beyond MAX_LINKED_ISSUES are left out, and those that the log says were removed here since. Throws `not_found` when the error is unknown or was not imported.
   */
  putLinkedIssues(projectId: number, errorId: string, issues: readonly Omit<LinkedIssue, 'id'>[]): Promise<void>;
  /** Writes `issue_unlinked` to the log. False when the error does not have it. */
  removeLinkedIssue(projectId: number, errorId: string, id: number, userId: number, now: number): Promise<boolean>;
  /**
   * Errors with a linked issue whose address begins with one of these texts, each with that address: at most
   * MAX_ERRORS_OF_ISSUE, by address. The id of a merged error is its own.
   */
  errorsWithIssue(projectId: number, starts: readonly string[]): Promise<ErrorWithIssue[]>;
  /** Null: the project has none. */
  issueHook(projectId: number): Promise<IssueHook | null>;
  listIssueHooks(): Promise<IssueHook[]>;
  /** Adds or replaces the webhook of a project. */
  setIssueHook(hook: IssueHook): Promise<void>;
  removeIssueHook(projectId: number): Promise<boolean>;
  /** Replaces a sealed secret unless it was changed meanwhile; false then. */
  replaceSealedHook(projectId: number, before: string, after: string): Promise<boolean>;
  /** The newest change of an issue that was taken; null: none, or it was forgotten. */
  seenIssue(projectId: number, issue: string): Promise<SeenIssue | null>;
  /**
   * Replaces `before` by `after`; null: there is none. False, without a write, when another request has replaced it
   * meanwhile. Forgets the oldest beyond MAX_SEEN_ISSUES.
   */
  moveSeenIssue(
    key: Pick<SeenIssue, 'projectId' | 'issue'>,
    before: SeenIssue | null,
    after: SeenIssue | null,
  ): Promise<boolean>;
  /** By name. Views and the favourite of a member go when the member is removed from the project. */
  savedViews(projectId: number, userId: number): Promise<SavedView[]>;
  /**
   * Adds a view, or replaces the one with the same name, which keeps its id. A default view ends the one before. Throws
   * `conflict` beyond MAX_SAVED_VIEWS.
   */
  saveView(projectId: number, userId: number, view: Omit<SavedView, 'id'>): Promise<SavedView>;
  removeView(projectId: number, userId: number, id: number): Promise<boolean>;
  /** Ids of the projects that a person marked, ascending. */
  favourites(userId: number): Promise<number[]>;
  /** Throws `conflict` beyond MAX_FAVOURITES. */
  setFavourite(userId: number, projectId: number, favourite: boolean): Promise<void>;
}
