import { AppError, type ErrorCode } from '../../domain/app-error.ts';
import { presentTrackerProject } from './common-schema.ts';

/** Answer in a form independent of Koa; a null body is an empty one. */
export interface HttpAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

type Build<Code extends ErrorCode = ErrorCode> = (error: AppError<Code>) => HttpAnswer;

/** Default Retry-After in seconds for errors without one. */
const DEFAULT_RETRY_SECONDS = 5;

/** Scopes of the API, which the host names in every refusal for any method. */
const REGISTERED_SCOPES = 'api read_api';

const answer = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): HttpAnswer => ({
  status,
  body,
  headers,
});

/**
 * Builds answers with a fixed message. Those of the application have `message`; those about the form of a request have
 * `error`.
 */
const fixed =
  (status: number, message: string): Build =>
  () =>
    answer(status, { message });
const fixedForm =
  (status: number, error: string): Build =>
  () =>
    answer(status, { error });
const spoken =
  (status: number): Build =>
  ({ message }) =>
    answer(status, { message });
const spokenForm =
  (status: number): Build =>
  ({ message }) =>
    answer(status, { error: message });
/** Builds answers with the code by which clients distinguish the cases. */
const coded =
  (status: number): Build =>
  ({ message, code }) =>
    answer(status, { message, code });

/** Codes that can be about a link to a tracker's project. */
type LinkCode = 'bad_request' | 'tracker_refused';

/** Returns the state of the linked project as `details`; null when the error is not about it. */
function linkState({ details }: AppError<LinkCode>): object | null {
  const { reason, project } = details ?? {};
  if (reason !== 'project_renamed' && reason !== 'project_missing') return null;
  return project === undefined ? { reason } : { reason, project: presentTrackerProject(project) };
}

/** Builds answers for a linked project that was renamed or is missing, with `details` for clients. */
const linked =
  (build: Build): Build<LinkCode> =>
  (error) => {
    const details = linkState(error);
    const { status, body } = build(error);
    return answer(status, details === null ? body : { message: error.message, code: 'tracker_refused', details });
  };
/** Builds answers in the form that SDKs read. */
const detailed =
  (status: number): Build =>
  ({ message }) =>
    answer(status, { detail: message });

const later =
  (build: Build): Build =>
  (error) => {
    const { status, body } = build(error);
    return answer(status, body, { 'Retry-After': String(error.retryAfterSeconds ?? DEFAULT_RETRY_SECONDS) });
  };

const CHALLENGE = 'Bearer realm="The API"';

const invalidToken =
  (description: string): Build =>
  () =>
    answer(
      401,
      { error: 'invalid_token', error_description: description },
      { 'WWW-Authenticate': `${CHALLENGE}, error="invalid_token", error_description="${description}"` },
    );

const internal = fixed(500, '500 Internal Server Error');

const TABLE: { readonly [Code in ErrorCode]: Build<Code> } = {
  unauthorized: () => answer(401, { message: '401 Unauthorized' }, { 'WWW-Authenticate': CHALLENGE }),
  token_expired: invalidToken('Token is expired. You can either do re-authorization or token refresh.'),
  token_revoked: invalidToken('Token was revoked. You have to re-authorize from the user.'),
  invalid_credentials: spoken(401),
  csrf_token_invalid: coded(403),
  cross_site_request: coded(403),
  sign_on_failed: coded(400),
  sign_on_refused: coded(403),
  sign_on_unavailable: later(coded(503)),
  password_change_required: coded(403),
  second_factor_required: coded(403),
  second_factor_locked: coded(403),
  insufficient_scope: () =>
    answer(403, {
      error: 'insufficient_scope',
      error_description: 'The request requires higher privileges than provided by the access token.',
      scope: REGISTERED_SCOPES,
    }),
  forbidden: fixed(403, '403 Forbidden'),
  not_found: fixed(404, '404 Not found'),
  events_removed: spoken(404),
  project_not_found: fixed(404, '404 Project Not Found'),
  group_not_found: fixed(404, '404 Group Not Found'),
  project_moved: ({ details }) => {
    const location = details?.location;
    return location === undefined
      ? answer(405, { message: 'Non GET methods are not allowed for moved projects' }, { Allow: 'GET, HEAD' })
      : answer(301, { message: '301 Moved Permanently' }, { Location: location });
  },
  settings_not_found: fixed(404, '404 Error Tracking Setting Not Found'),
  integrated_not_offered: fixed(404, '404 Not Found'),
  route_not_found: fixedForm(404, '404 Not Found'),
  method_not_allowed: ({ details }) => answer(405, { error: '405 Not Allowed' }, { Allow: details?.allow ?? '' }),
  api_version_gone: fixedForm(410, 'API V3 is no longer supported. Use API V4 instead.'),
  // Command lines and plugins of SDKs show `detail`.
  tracker_route_absent: detailed(404),
  invalid_parameter: spokenForm(400),
  invalid_search: coded(400),
  bad_request: linked(spoken(400)),
  malformed_body: spokenForm(400),
  unsupported_media_type: spokenForm(415),
  not_acceptable: spokenForm(406),
  // The rest of the body is not read, so the connection cannot be used again.
  payload_too_large: ({ message }) => answer(413, { error: message }, { Connection: 'close' }),
  tracking_disabled: fixed(400, 'Error Tracking is not enabled'),
  unsupported_by_tracker: coded(400),
  // Pages ask again after the time in Poll-Interval.
  not_ready: () => answer(204, null),
  tracker_blocked: coded(502),
  tracker_unreachable: coded(502),
  tracker_refused: linked(coded(502)),
  tracker_limited: later(coded(503)),
  tracker_invalid_answer: coded(502),
  issue_host_failed: coded(502),
  conflict: ({ message, details }) =>
    answer(409, { message, ...(details?.matching === undefined ? {} : { matching: details.matching }) }),
  rate_limited: later(spoken(429)),
  store_unavailable: later(spoken(503)),
  ingest_unauthorized: detailed(401),
  ingest_forbidden: detailed(403),
  ingest_invalid: detailed(400),
  ingest_too_large: detailed(413),
  ingest_unsupported_encoding: detailed(415),
  ingest_unavailable: later(detailed(503)),
  // Answered as internal errors, because none of these can occur while a request is served.
  store_outdated: internal,
  store_too_new: internal,
  data_dir_in_use: internal,
  invalid_configuration: internal,
  internal,
};

/** Converts an error to an HTTP answer, for all routes. */
export function answerFor<Code extends ErrorCode>(error: AppError<Code>): HttpAnswer {
  const build: Build<Code> = TABLE[error.code];
  return build(error);
}

/** Message of an internal error. The log has the details under the request id. */
export const UNEXPECTED: HttpAnswer = answer(500, { message: '500 Internal Server Error' });

const TOOL_REFUSALS: Partial<Record<ErrorCode, string>> = {
  unauthorized: 'The token is not known: create one with `errgate token create --scope ci`.',
  insufficient_scope: 'The token has neither the scope ci nor api: create one with `errgate token create --scope ci`.',
};

/** Converts an error for build tools, which show `detail`; the status is that of other clients. */
export function toolAnswerFor(error: unknown): HttpAnswer {
  const { status, headers } = error instanceof AppError ? answerFor(error) : UNEXPECTED;
  if (!(error instanceof AppError) || status === 500) {
    return answer(500, { detail: 'The service failed; its log has the reason.' });
  }
  return answer(status, { detail: TOOL_REFUSALS[error.code] ?? error.message }, headers);
}

/**
 * Converts an error for the web surface. It hides invisible things behind an empty 404, and asks unknown users to sign
 * in.
 */
export function webAnswerFor(error: AppError): HttpAnswer {
  switch (error.code) {
    case 'unauthorized':
    case 'token_expired':
    case 'token_revoked':
      return answer(
        401,
        { error: 'You need to sign in or sign up before continuing.' },
        { 'WWW-Authenticate': CHALLENGE },
      );
    case 'insufficient_scope':
    case 'forbidden':
    case 'project_not_found':
      return answer(404, null);
    case 'invalid_parameter':
      return answer(400, { message: error.message });
    case 'tracker_blocked':
    case 'tracker_unreachable':
    case 'tracker_refused':
    case 'tracker_limited':
    case 'tracker_invalid_answer':
      return answer(400, { message: error.details?.webMessage ?? error.message });
    default:
      return answerFor(error);
  }
}
