/** One POST to an address that a person entered. */
export interface OutboundPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
}

/**
 * What came of it. `answered`: any status, also of a redirect, which is not followed. `blocked`: the URL guard refused
 * the address. `failed`: no answer; the receiver may have the message or not.
 */
export type PostOutcome =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** `Retry-After` in milliseconds from now; null: absent, or malformed. */
      readonly retryAfterMs: number | null;
      /** The first MAX_ANSWER_BYTES of the answer. */
      readonly body: string;
    }
  | { readonly kind: 'blocked' | 'failed'; readonly why: string };

/** Bytes of an answer that are read. */
export const MAX_ANSWER_BYTES = 4096;

/** Sends once, within 30 seconds in all. Never throws; `why` is a sentence without the address, its host excepted. */
export type PostOnce = (post: OutboundPost, signal: AbortSignal) => Promise<PostOutcome>;
