import type { Readable } from 'node:stream';

/** Who a request may send for: the result of checking its key against the project in the address. */
export interface IngestGrant {
  readonly projectId: number;
  readonly keyId: number;
}

export interface IngestRequest {
  readonly kind: 'envelope' | 'store';
  /** The raw body as it came over the wire. The intake reads or discards all of it. */
  readonly body: Readable;
  readonly contentEncoding: string | undefined;
  readonly contentType: string | undefined;
  /** Address of the sender (behind trusted proxies: of their client); null when unknown. */
  readonly clientIp: string | null;
  /** `sentry_client` or the user agent, for diagnostics; null when absent. */
  readonly client: string | null;
  /** Given when the request itself carried a key: already checked, before a byte of the body was read. */
  readonly grant: IngestGrant | null;
}

/** A request of which enough is read to authorise it. Holds memory until `keep` or `refuse`, one of which must follow. */
export interface OpenedRequest {
  /** `dsn` in the header of the envelope; null where it has none, and for a store request. */
  readonly dsn: string | null;
  /**
   * Reads the rest and keeps it. Throws AppError with one of the `ingest_…` codes, or `rate_limited` with `limits`:
   * nothing was kept then, and it is counted what was refused.
   */
  keep(grant: IngestGrant): Promise<IngestAnswer>;
  /** Ends a request that may not be kept. Counts it where the request itself carried a key. */
  refuse(error: unknown): void;
}

/** What an SDK is asked to hold back, for how long. */
export interface RateLimit {
  /** What the limit is of, in the protocol's words: the client key, the project, or this whole instance. */
  readonly scope: 'key' | 'project' | 'organization';
  /** The protocol's data categories. */
  readonly categories: readonly string[];
  /** Whole seconds, at least 1. */
  readonly retryAfterSeconds: number;
}

export interface IngestAnswer {
  /** The id under which the event can be read; null when the envelope held no event. */
  readonly eventId: string | null;
  /** Limits that part of the envelope met while the rest was kept; empty: none. */
  readonly limits: readonly RateLimit[];
}

/** From raw request to durable journal record. Resolves only when what it acknowledges survives. */
export interface Intake {
  /** Reads an envelope up to its header, a store request not at all. Throws as `OpenedRequest.keep`. */
  open(request: IngestRequest): Promise<OpenedRequest>;
  /** Counts a request whose key was recognised and refused, so that the intake never saw it. */
  countRefused(grant: IngestGrant, kind: IngestRequest['kind'], reason: string): void;
}
