import type { IssueTracker, LinkedIssue, SourceRepository } from '../project-links.ts';
import type { SavedView } from '../saved-view.ts';

/** Links as stored: with the sealed token. */
export interface StoredLinks {
  readonly repository: SourceRepository | null;
  readonly issueTracker: IssueTracker | null;
  readonly sealedToken: string | null;
}

/** Addresses that belong to a project and its errors, and what a person set for a project. */
export interface LinkStore {
  projectLinks(projectId: number): Promise<StoredLinks>;
  /** Replaces all links of a project. */
  setProjectLinks(projectId: number, links: StoredLinks): Promise<void>;
  /** Oldest first; of a merged error those of all members. Null when the error is unknown. */
  linkedIssues(projectId: number, errorId: string): Promise<LinkedIssue[] | null>;
  /** The same address again changes nothing. Null when the error is unknown. Throws `conflict` beyond the maximum. */
  addLinkedIssue(
    projectId: number,
    errorId: string,
    issue: Pick<LinkedIssue, 'url' | 'title'>,
    userId: number,
    now: number,
  ): Promise<LinkedIssue | null>;
  removeLinkedIssue(projectId: number, errorId: string, id: number, userId: number, now: number): Promise<boolean>;
  /** By name. */
  savedViews(projectId: number, userId: number): Promise<SavedView[]>;
  /** Adds a view, or replaces the one with the same name. Throws `conflict` beyond MAX_SAVED_VIEWS. */
  saveView(projectId: number, userId: number, view: Omit<SavedView, 'id'>): Promise<SavedView>;
  removeView(projectId: number, userId: number, id: number): Promise<boolean>;
  /** Ids of the projects that a person marked. */
  favourites(userId: number): Promise<number[]>;
  /** Throws `conflict` beyond MAX_FAVOURITES. */
  setFavourite(userId: number, projectId: number, favourite: boolean): Promise<void>;
}
