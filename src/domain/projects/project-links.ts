/** Where a project's sources are, so that frames lead to them. */
export interface SourceRepository {
  /**
   * Address of a line, with `{path}`, `{line}` and `{ref}`:
   * `https://git.example.org/shop/web/-/blob/{ref}/{path}#L{line}`. Only `https:` and `http:`; at most 500 characters.
   */
  readonly urlTemplate: string;
  /** Ref where the event has no release: `main`. At most 200 characters. */
  readonly defaultRef: string;
  /** Ref of a release, with `{release}` and `{version}` (the part after `@`): `v{version}`. Empty: always defaultRef. */
  readonly refTemplate: string;
  /** The first one that fits replaces the start of a frame's path; at most MAX_PATH_PREFIXES. */
  readonly prefixes: readonly { readonly from: string; readonly to: string }[];
}

export const MAX_PATH_PREFIXES = 20;

/** How issues on the host are made from errors. */
export interface IssueTracker {
  /** Kind of its REST interface; `link`: only addresses. */
  readonly kind: 'link' | 'gitlab' | 'github';
  /** Address of the page for a new issue, with `{title}` and `{description}`, which are encoded. At most 500 characters. */
  readonly newIssueUrl: string;
  /** `gitlab`, `github`: base address of the REST interface; null for `link`. */
  readonly apiUrl: string | null;
  /** `gitlab`, `github`: project there, `group/project`. */
  readonly project: string | null;
  /** True: a token is stored. It is never shown. */
  readonly hasToken: boolean;
}

/** Links of a project; null: not set. */
export interface ProjectLinks {
  readonly repository: SourceRepository | null;
  readonly issueTracker: IssueTracker | null;
}

/** Issue on the host that belongs to an error. */
export interface LinkedIssue {
  readonly id: number;
  /** Only `https:` and `http:`; at most MAX_ISSUE_URL characters. */
  readonly url: string;
  /** At most MAX_ISSUE_TITLE characters. */
  readonly title: string;
  readonly at: number;
  readonly userId: number | null;
}

/** Maximum of linked issues per error. */
export const MAX_LINKED_ISSUES = 20;

/** Maximum characters of the address and of the title of a linked issue. */
export const MAX_ISSUE_URL = 1_000;
export const MAX_ISSUE_TITLE = 200;
