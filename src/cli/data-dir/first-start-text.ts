import type { FirstStart } from './first-start.ts';

/** Smallest event that is shown with a title, a code location and a user. */
const SAMPLE_EVENT = {
  level: 'error',
  platform: 'javascript',
  exception: {
    values: [
      {
        type: 'FirstError',
        value: 'the very first error',
        stacktrace: { frames: [{ filename: 'shop/checkout.js', function: 'pay', lineno: 42, in_app: true }] },
      },
    ],
  },
  user: { id: '1' },
};

/** A line for bash: single quotes keep the JSON as it is. */
function curlFirstError(start: FirstStart, dsnText: string): string {
  const dsn = new URL(dsnText);
  const address = `${start.url}/errortracking/api/v1/projects/api/${start.project_id}/store/`;
  return [
    `curl '${address}'`,
    `-H 'X-Sentry-Auth: Sentry sentry_version=7, sentry_key=${dsn.username}'`,
    `-H 'Content-Type: application/json'`,
    `-d '${JSON.stringify(SAMPLE_EVENT)}'`,
  ].join(' ');
}

function sendFirstError(start: FirstStart, dsn: string): string {
  return `Sign in at ${start.url} and see the errors of the project:

  ${start.url}/${start.project_path}/-/error_tracking

Send a first error:

  ${curlFirstError(start, dsn)}

It appears on the page automatically. Or read it a second later:

  curl -H 'PRIVATE-TOKEN: ${start.token}' '${start.url}/api/v4/projects/${start.project_id}/error_tracking/errors'
`;
}

function connectTracker(start: FirstStart): string {
  return `The integrated backend is not offered here (ERRGATE_INTEGRATED_ENABLED=false), so this service accepts no events.
Sign in and connect the project to an external tracker, which then serves its errors:

  ${start.url}/${start.project_path}/-/settings/operations

Applications continue to use the DSN of that tracker.
`;
}

/** Returns the text that the first start prints: the only time that the secrets are shown. */
export function firstStartText(start: FirstStart, file: string): string {
  const { dsn } = start;
  const created =
    dsn === null ? 'an administrator, a project and a token' : 'an administrator, a project, a token and a client key';
  const dsnLine = dsn === null ? '' : `\n  DSN       ${dsn}`;
  return `First start: created ${created}.

  address   ${start.url}
  user      ${start.username}
  password  ${start.password}
  token     ${start.token}
  project   ${start.project_path} (id ${start.project_id})${dsnLine}

These details are also in ${file} (readable only by you).

${dsn === null ? connectTracker(start) : sendFirstError(start, dsn)}`;
}
