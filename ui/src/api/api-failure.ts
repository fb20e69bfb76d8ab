import type { components } from './schema.d.ts';

/** What became of the linked project of an external tracker, and the one to link instead. */
export type LostProject = components['schemas']['LostProject'];

/**
 * Why there is no answer, as far as pages treat the cases differently.
 * `offline`: nothing was reached, or only a proxy in front of the service. `busy`: it is there, but cannot answer now.
 * `tracker`: the external tracker of the project is the reason.
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
  /** 0 when there was no answer at all. */
  readonly status: number;
  /** Seconds that the service asks to wait; null when it did not say. */
  readonly retryAfter: number | null;
  /** Null where the linked project is not what it is about. */
  readonly lost: LostProject | null;
  /** Names the request in the log of the service; empty when there was no answer. */
  readonly requestId: string;

  constructor(
    kind: FailureKind,
    message: string,
    status = 0,
    retryAfter: number | null = null,
    lost: LostProject | null = null,
    requestId = '',
  ) {
    super(message);
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
  /** Whether the service wrote it, and not a proxy. */
  readonly ours: boolean;
  readonly lost: LostProject | null;
}

function problemOf(body: unknown): Problem {
  const { message, error, code, details } = (typeof body === 'object' && body !== null ? body : {}) as Record<
    string,
    unknown
  >;
  const said = [message, error].find((text) => typeof text === 'string');
  return {
    message: typeof said === 'string' ? said : '',
    code: typeof code === 'string' ? code : '',
    ours: typeof said === 'string',
    lost: typeof details === 'object' && details !== null && 'reason' in details ? (details as LostProject) : null,
  };
}

/** What a write says that was not done, as the session of the browser is another one than that of the page. */
const OUTDATED = 'Nothing was changed: another tab of this browser signed in again. Try again.';

/** The code of that refusal. */
const OUTDATED_CODE = 'csrf_token_invalid';

/** Whether a body refuses a write because of the session that it was made for. */
export function isOutdated(body: unknown): boolean {
  return problemOf(body).code === OUTDATED_CODE;
}

function kindOf(status: number, { message, code, ours }: Problem): FailureKind {
  if (code === 'unsupported_by_tracker') return 'unsupported';
  if (code.startsWith('tracker_')) return 'tracker';
  if (code === OUTDATED_CODE) return 'refused';
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

/** What a refusal means to pages. `body` is the parsed JSON, or whatever else came. */
export function failureFor(response: Response, body: unknown): ApiFailure {
  const problem = problemOf(body);
  const kind = kindOf(response.status, problem);
  if (problem.code === OUTDATED_CODE) return new ApiFailure(kind, OUTDATED, response.status);
  const message = problem.message === '' ? `The server answered with status ${response.status}.` : problem.message;
  const wait = secondsOf(response.headers.get('Retry-After'));
  const requestId = response.headers.get('X-Request-Id') ?? '';
  return new ApiFailure(kind, message, response.status, wait, problem.lost, requestId);
}
