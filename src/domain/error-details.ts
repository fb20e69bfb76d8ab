import type { IntakeOutcome } from './ingest/digest.ts';
import type { IngestGrant, RateLimit } from './ports/intake.ts';
import type { TrackerProject } from './projects/tracker-project.ts';

/** Failure of an external tracker. */
export interface TrackerDetails {
  /** Message that clients of the host's pages expect. */
  readonly webMessage: string;
  /** HTTP status of the tracker, if it responded. */
  readonly status?: number;
  /** More specific than the code, such as `html` or `timeout`; a closed set per code. */
  readonly reason?: string;
  /** Suggested project to link instead. */
  readonly project?: TrackerProject;
  /** Seconds without requests that a limiting tracker asked for, at most an hour. Only background jobs wait as long. */
  readonly pauseSeconds?: number;
}

/** Unauthorised key, or a contradiction between address, request and envelope. */
interface KeyDetails {
  /** Label in metrics. */
  readonly reason?: string;
  /** Project and key that the refusal is counted for; absent when unknown. */
  readonly grant?: IngestGrant;
}

/** Unusable request body. */
interface BodyDetails {
  /** Label in metrics. */
  readonly reason?: string;
  /** Reason of the counted outcome, when it differs from that of the code. */
  readonly outcome?: string;
  /** True: the connection must be closed. */
  readonly close?: boolean;
}

/** Temporary refusal of a whole request. */
interface LaterDetails {
  /** Label in metrics and reason in the counted outcome. */
  readonly reason?: string;
  /** All items of the request, if it was parsed. */
  readonly items?: readonly IntakeOutcome[];
}

/** Machine-readable details by error code; never secrets. Codes that are not listed have none. */
export interface ErrorDetails {
  /** `location` is absent for methods that must not be redirected. */
  readonly project_moved: { readonly reason?: never; readonly location?: string };
  /** `allow`: value of the `Allow` header. */
  readonly method_not_allowed: { readonly reason?: never; readonly allow: string };
  /** Invalid link to a project of a tracker. */
  readonly bad_request: Pick<TrackerDetails, 'reason' | 'project'>;
  /** `matching`: errors that a bulk action would change, where another number was confirmed. */
  readonly conflict: { readonly reason?: never; readonly matching?: number };
  readonly tracker_blocked: TrackerDetails;
  readonly tracker_unreachable: TrackerDetails;
  readonly tracker_refused: TrackerDetails;
  readonly tracker_limited: TrackerDetails;
  readonly tracker_invalid_answer: TrackerDetails;
  /** `limits`: rate limits for SDKs, present on ingestion routes. */
  readonly rate_limited: LaterDetails & { readonly limits?: readonly RateLimit[] };
  /** `pid`: process that holds the folder. */
  readonly data_dir_in_use: { readonly reason?: never; readonly pid: number };
  readonly ingest_unauthorized: KeyDetails;
  readonly ingest_forbidden: KeyDetails;
  readonly ingest_invalid: BodyDetails;
  /** `items`: all items of the request, if it was parsed. */
  readonly ingest_too_large: LaterDetails;
  /** `acceptEncoding`: value of the `Accept-Encoding` header. */
  readonly ingest_unsupported_encoding: { readonly reason?: never; readonly acceptEncoding: string };
  readonly ingest_unavailable: LaterDetails;
}
