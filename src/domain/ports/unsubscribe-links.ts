/** Signed links that end alert mails to one person (RFC 8058). They need no sign-in and do not expire. */
export interface UnsubscribeLinks {
  /** Absolute address; a GET shows a page with a button, a POST ends the mails. */
  linkFor(userId: number): string;
  /** Returns the user of a token from such a link; null for a forged or malformed one. */
  userOf(token: string): number | null;
}

/** Path of the route below the external URL; the query has `token`. */
export const UNSUBSCRIBE_PATH = '/-/alerts/unsubscribe';
