import type { components } from './schema.d.ts';

/** Reason why a linked tracker project is no longer found, with the project to link instead if known. */
export type LostProject = components['schemas']['LostProject'];

/**
 * Cause of a failed request, as far as pages treat causes differently.
 * `offline`: no answer, or only one of a proxy in front of the service. `busy`: the service runs, but cannot answer
 * now.
 * `tracker`: the external tracker of the project failed.
 */
export type FailureKind =
  | 'offline'
  | 'busy'
  | 'signed-out'
  | 'forbidden'
  | 'missing'
  | 'disabled'
  | 'tracker'
  | 'unsupported'
  | 'refused'
  | 'broken';

export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';
  readonly kind: FailureKind;
  /** HTTP status; 0 without an answer. */
  readonly status: number;
  /** `Retry-After` in seconds; null when the service did not send one. */
  readonly retryAfter: number | null;
  /** Linked project that was lost; null for other failures. */
  readonly lost: LostProject | null;
  /** Request id in the log of the service; empty without an answer. */
  readonly requestId: string;
  /** Code of the service that distinguishes causes, such as `invalid_search`; empty without one. */
  readonly code: string;
  /** Errors that a bulk action would change, where another number was confirmed; null for other failures. */
  readonly matching: number | null;

  constructor(
    kind: FailureKind,
    message: string,
    status = 0,
    retryAfter: number | null = null,
    lost: LostProject | null = null,
    requestId = '',
    { code = '', matching = null }: { readonly code?: string; readonly matching?: number | null } = {},
  ) {
    super(message);
    this.code = code;
    this.matching = matching;
    this.lost = lost;
    this.requestId = requestId;
    this.kind = kind;
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

interface Problem {
  readonly message: string;
  readonly code: string;
  /** Whether the answer came from the service and not from a proxy. */
  readonly ours: boolean;
  readonly lost: LostProject | null;
  readonly matching: number | null;
}

function problemOf(body: unknown): Problem {
  const { message, error, code, details, matching } = (typeof body === 'object' && body !== null ? body : {}) as Record<
    string,
    unknown
  >;
  const said = [message, error].find((text) => typeof text === 'string');
  return {
    message: typeof said === 'string' ? said : '',
    code: typeof code === 'string' ? code : '',
    ours: typeof said === 'string',
    matching: typeof matching === 'number' ? matching : null,
    lost: typeof details === 'object' && details !== null && 'reason' in details ? (details as LostProject) : null,
  };
}

/** Message of a write that was refused because the browser has another session than the page. */
const OUTDATED = 'Nothing was changed: another tab of this browser signed in again. Try again.';

/** Error code of that refusal. */
const OUTDATED_CODE = 'csrf_token_invalid';

/** Checks whether a body refuses a write because of an outdated session. */
export function isOutdated(body: unknown): boolean {
  return problemOf(body).code === OUTDATED_CODE;
}

function kindOf(status: number, { message, code, ours }: Problem): FailureKind {
  if (code === 'unsupported_by_tracker') return 'unsupported';
  if (code.startsWith('tracker_')) return 'tracker';
  if (code === OUTDATED_CODE || code === 'issue_host_failed') return 'refused';
  if (status === 401) return 'signed-out';
  if (status === 403) return 'forbidden';
  if (status === 404) return 'missing';
  if (status === 429) return 'busy';
  if (status >= 502 && status <= 504) return ours ? 'busy' : 'offline';
  if (status >= 500) return 'broken';
  return message === 'Error Tracking is not enabled' ? 'disabled' : 'refused';
}

function secondsOf(header: string | null): number | null {
  const seconds = Number(header ?? '');
  return header !== null && Number.isFinite(seconds) && seconds >= 0 ? seconds : null;
}

/** Builds the failure for a refused request. `body` is the parsed JSON, or the text of any other answer. */
export function failureFor(response: Response, body: unknown): ApiFailure {
  const problem = problemOf(body);
  const kind = kindOf(response.status, problem);
  if (problem.code === OUTDATED_CODE) return new ApiFailure(kind, OUTDATED, response.status);
  const message = problem.message === '' ? `The server answered with status ${response.status}.` : problem.message;
  const wait = secondsOf(response.headers.get('Retry-After'));
  const requestId = response.headers.get('X-Request-Id') ?? '';
  return new ApiFailure(kind, message, response.status, wait, problem.lost, requestId, problem);
}
