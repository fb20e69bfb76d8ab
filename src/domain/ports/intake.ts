import type { Readable } from 'node:stream';

/** Project and key that a request may send for, after its key was checked against the address. */
export interface IngestGrant {
  readonly projectId: number;
  readonly keyId: number;
  /**
   * Requests received before this time are forwarded too; milliseconds since the epoch, `Infinity`: no end. Absent: the
   * project has no forward.
   */
  readonly forwardUntil?: number;
}

export interface IngestRequest {
  readonly kind: 'envelope' | 'store';
  /** Raw body as sent. The intake reads or discards all of it. */
  readonly body: Readable;
  readonly contentEncoding: string | undefined;
  readonly contentType: string | undefined;
  /** Address of the sender, or of the client behind trusted proxies; null when unknown. */
  readonly clientIp: string | null;
  /** `sentry_client` or the user agent, for diagnostics; null when absent. */
  readonly client: string | null;
  /** Headers of the request, by lower-case name; absent: none. */
  readonly headers?: Readonly<Record<string, string | string[] | undefined>>;
  /** Result of checking the key in the request, before the body is read; null without a key there. */
  readonly grant: IngestGrant | null;
}

/** Request that is read far enough to authorise it. Holds memory until `keep` or `refuse`; one of them must follow. */
export interface OpenedRequest {
  /** `dsn` of the envelope header; null without one, and for a store request. */
  readonly dsn: string | null;
  /**
   * Reads the rest and stores it. Throws AppError with an `ingest_…` code, or `rate_limited` with `limits`; nothing is
   * stored then, and the refusal is counted.
   */
  keep(grant: IngestGrant): Promise<IngestAnswer>;
  /** Ends a refused request. Counts it when the request itself carried a key. */
  refuse(error: unknown): void;
}

/** Rate limit in force for an SDK. */
export interface RateLimit {
  /** Scope in protocol terms: the client key, the project, or this whole instance. */
  readonly scope: 'key' | 'project' | 'organization';
  /** Data categories of the protocol. */
  readonly categories: readonly string[];
  /** Whole seconds, at least 1. */
  readonly retryAfterSeconds: number;
}

export interface IngestAnswer {
  /** Event id for later reads; null when the envelope contains no event. */
  readonly eventId: string | null;
  /** Limits that dropped a part of the envelope; empty: none. */
  readonly limits: readonly RateLimit[];
}

/** Turns raw requests into durable journal records. Resolves only when the acknowledged data is durable. */
export interface Intake {
  /** Reads an envelope up to its header, and no part of a store request. Throws as `OpenedRequest.keep`. */
  open(request: IngestRequest): Promise<OpenedRequest>;
  /** Counts a request that was refused after its key was recognised and before the intake opened it. */
  countRefused(grant: IngestGrant, kind: IngestRequest['kind'], reason: string): void;
}
