/** Request to another tracker. */
export interface EnvelopeRequest {
  readonly url: string;
  /** Authorisation included; never logged. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Answer of a tracker to an envelope, with the two headers that limit what it takes. */
export interface EnvelopeAnswer {
  readonly status: number;
  /** `X-Sentry-Rate-Limits`; null: absent. */
  readonly rateLimits: string | null;
  /** `Retry-After`; null: absent. */
  readonly retryAfter: string | null;
}

/**
 * Sends one envelope. Returns any answer, never follows a redirect. Throws AppError with a `tracker_…` code when there
 * is no answer in time or the address is blocked.
 */
export type SendEnvelope = (request: EnvelopeRequest, signal: AbortSignal) => Promise<EnvelopeAnswer>;
