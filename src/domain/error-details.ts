import type { IntakeOutcome } from './digest.ts';
import type { IngestGrant, RateLimit } from './ports/intake.ts';
import type { TrackerProject } from './tracker-project.ts';

/** Something an external tracker did. */
export interface TrackerDetails {
  /** The text that clients of the host's pages know for it. */
  readonly webMessage: string;
  /** The tracker's HTTP status, where it answered. */
  readonly status?: number;
  /** Finer than the code, such as `html` or `timeout`; a closed set per code. */
  readonly reason?: string;
  /** The project to link instead. */
  readonly project?: TrackerProject;
}

/** A key that may not send, or a contradiction between the address, the request and its envelope. */
interface KeyDetails {
  /** Label in metrics. */
  readonly reason?: string;
  /** The project and key that the refusal is counted for; absent where that is not known. */
  readonly grant?: IngestGrant;
}

/** A body that cannot be used. */
interface BodyDetails {
  /** Label in metrics. */
  readonly reason?: string;
  /** Reason in the counted outcome, where it differs from that of the code. */
  readonly outcome?: string;
  /** True: the connection cannot be used again. */
  readonly close?: boolean;
}

/** A request that was refused for now; nothing of it was kept. */
interface LaterDetails {
  /** Label in metrics and reason in the counted outcome. */
  readonly reason?: string;
  /** Every item of the request, where it was read. */
  readonly items?: readonly IntakeOutcome[];
}

/** Machine-readable extras, by error code; never secrets. Codes that are not listed have none. */
export interface ErrorDetails {
  /** Absent `location`: the method is none that may be redirected. */
  readonly project_moved: { readonly reason?: never; readonly location?: string };
  /** `allow`: the header of that name. */
  readonly method_not_allowed: { readonly reason?: never; readonly allow: string };
  /** About a link to a tracker's project that cannot be. */
  readonly bad_request: Pick<TrackerDetails, 'reason' | 'project'>;
  readonly tracker_blocked: TrackerDetails;
  readonly tracker_unreachable: TrackerDetails;
  readonly tracker_refused: TrackerDetails;
  readonly tracker_limited: TrackerDetails;
  readonly tracker_invalid_answer: TrackerDetails;
  /** `limits`: of SDKs, present where ingestion refused. */
  readonly rate_limited: LaterDetails & { readonly limits?: readonly RateLimit[] };
  /** `pid`: the process that owns the folder. */
  readonly data_dir_in_use: { readonly reason?: never; readonly pid: number };
  readonly ingest_unauthorized: KeyDetails;
  readonly ingest_forbidden: KeyDetails;
  readonly ingest_invalid: BodyDetails;
  /** `items`: every item of the request, where it was read. */
  readonly ingest_too_large: LaterDetails;
  /** `acceptEncoding`: the header of that name. */
  readonly ingest_unsupported_encoding: { readonly reason?: never; readonly acceptEncoding: string };
  readonly ingest_unavailable: LaterDetails;
}
