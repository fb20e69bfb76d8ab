/** Mails that a link ends: those of one project to a person, or all to that person. */
export interface UnsubscribeScope {
  readonly userId: number;
  /** Null: of all projects. */
  readonly projectId: number | null;
}

/** Signed links that end alert mails to one person (RFC 8058). They need no sign-in and do not expire. */
export interface UnsubscribeLinks {
  /** Absolute address; a GET shows a page with buttons, a POST ends the mails. */
  linkFor(scope: UnsubscribeScope): string;
  /** Returns what a token from such a link ends; null for a forged or malformed one. */
  scopeOf(token: string): UnsubscribeScope | null;
}

/** Path of the route below the external URL; the query has `token`. */
export const UNSUBSCRIBE_PATH = '/-/alerts/unsubscribe';
