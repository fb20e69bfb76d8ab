import type { AppError } from '../../domain/app-error.ts';
import type { Advice } from '../../domain/ports/tracker-setup.ts';
import type { TrackerProject } from '../../domain/projects/tracker-project.ts';
import type { TrackingSettings } from '../../domain/projects/tracking-settings.ts';
import { oneLine, type TrackerReply } from '../http/answer.ts';
import { parseApiUrl } from '../http/api-url.ts';
import type { ServerFound } from '../endpoints/server.ts';
import { blockCure, type BlockedError } from '../guard/blocked-error.ts';
import { TOO_LONG } from '../guard/url-form.ts';
import type { UnusableRow } from '../http/shape.ts';
import { DEPRECATION, isDeprecatedVersion } from '../dialect/tracker-version.ts';

/** Any of the names satisfies the requirement. */
const NEEDS = [
  { names: ['project:read', 'project:write', 'project:admin'], lost: 'its projects cannot be listed' },
  { names: ['event:read', 'event:write', 'event:admin'], lost: 'errors cannot be read' },
  { names: ['event:write', 'event:admin'], lost: 'errors can be read, but not resolved or ignored from here' },
] as const;

/** Maximum characters of slugs from a tracker. */
const MAX_NAMED_CHARACTERS = 300;

/** The text with a capital letter first and a full stop last. */
function sentence(text: string): string {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.?!]$/.test(whole) ? whole : `${whole}.`;
}

const ALL_SCOPES = 'project:read, event:read and event:write';

export function scopeAdvice(scopes: readonly string[] | null): Advice[] {
  if (scopes === null) return [];
  return NEEDS.filter(({ names }) => !names.some((name) => scopes.includes(name))).map(({ names, lost }) => ({
    code: 'scope_missing',
    message: `The token lacks the scope ${names[0]}: ${lost}. Give it ${ALL_SCOPES}.`,
  }));
}

/** Detects tokens for uploads by their prefix. */
export function tokenAdvice(token: string): Advice[] {
  if (!token.startsWith('sntrys_')) return [];
  const message = `This is an organization token (sntrys_…), which cannot read projects or errors. Make a personal token or an internal integration with ${ALL_SCOPES}.`;
  return [{ code: 'organization_token', message }];
}

/** Advice on trackers without an API for reading. */
export function kindAdvice(server: ServerFound | null): Advice[] {
  if (server?.kind !== 'bugsink') return [];
  const message =
    'This server is a Bugsink. It accepts events from Sentry SDKs, but has no Sentry-compatible API to read errors from.';
  return [{ code: 'not_a_tracker', message }];
}

export function versionAdvice(server: ServerFound | null): Advice[] {
  // Other kinds have other version schemes.
  if (server?.kind !== 'sentry' || server.version === null || !isDeprecatedVersion(server.version)) return [];
  return [{ code: 'tracker_outdated', message: `The tracker is version ${server.version}: ${DEPRECATION}.` }];
}

export function cutAdvice(count: number): Advice {
  return { code: 'list_cut', message: `Only the first ${count} projects are listed: the tracker has more.` };
}

export function closedAdvice(organizations: readonly string[]): Advice[] {
  if (organizations.length === 0) return [];
  const named = oneLine(organizations.join(', '), MAX_NAMED_CHARACTERS);
  const message = `The token may not list the projects of: ${named}. Give it org:read and project:read there too.`;
  return [{ code: 'scope_missing', message }];
}

export function unusableAdvice(rows: readonly UnusableRow[]): Advice[] {
  const [first] = rows;
  if (first === undefined) return [];
  const named = oneLine(rows.map(({ name }) => name ?? 'one without a name').join(', '), MAX_NAMED_CHARACTERS);
  const message = `Left out of the list, because errgate cannot use them: ${named} (${first.problem.message}).`;
  return [{ code: 'projects_left_out', message }];
}

/** Advice on the currently linked project. */
export function linkAdvice(before: TrackingSettings | null, projects: readonly TrackerProject[]): Advice[] {
  const { organization, project } = parseApiUrl(before?.apiUrl ?? null) ?? { organization: null, project: null };
  if (organization === null || project === null) return [];
  if (projects.some(({ slug, organizationSlug }) => slug === project && organizationSlug === organization)) return [];
  const id = before?.thirdpartyProjectId ?? null;
  const renamed = id === null ? undefined : projects.find((one) => one.id === id);
  const name = `${organization}/${project}`;
  if (renamed !== undefined) {
    const now = `${renamed.organizationSlug}/${renamed.slug}`;
    return [{ code: 'project_renamed', message: `The project ${name} was renamed to ${now}. Select it and save.` }];
  }
  const shown = before?.projectName ?? name;
  const message = `Project "${shown}" is no longer available. Select another project to continue.`;
  return [{ code: 'project_missing', message }];
}

/** Advice on a refused address; null for a malformed one, which the refusal explains. */
export function blockedAdvice(address: string, { reason, kind }: BlockedError): Advice | null {
  if (kind === 'form' || kind === 'unresolvable') return null;
  const { host } = new URL(address);
  return { code: 'address_blocked', message: sentence(`${reason}; ${blockCure(kind, host)}`) };
}

/** Advice on invalid input; `problem` is the text of the host. */
export function formAdvice(problem: string): Advice {
  switch (problem) {
    case 'Api url is a required field':
      return { code: 'address_missing', message: 'Enter the URL of the tracker, such as https://tracker.example.com.' };
    case 'Token is a required field':
      return {
        code: 'token_missing',
        message: 'Enter the auth token. A stored token is only sent to the tracker it was saved for.',
      };
    case 'Token is invalid':
      return {
        code: 'token_invalid',
        message: 'The token contains spaces or characters that are not valid in a token. Copy it again.',
      };
    case 'Api url is blocked: Only allowed schemes are http, https':
      return { code: 'address_invalid', message: 'The URL must start with https:// or http://.' };
    case 'Api url is blocked: User info is not allowed':
      return { code: 'address_invalid', message: 'Remove the user name and password from the URL.' };
    case `Api url ${TOO_LONG}`:
      return { code: 'address_invalid', message: sentence(`the URL ${TOO_LONG}: enter a shorter one`) };
    default:
      if (problem.includes('URI must be ascii only')) {
        return { code: 'address_invalid', message: 'Write the URL with ASCII characters only.' };
      }
      return { code: 'address_invalid', message: 'Correct the URL. It must look like https://tracker.example.com.' };
  }
}

/** Reports that another address than the entered one is used. */
export function correctedAdvice(base: string): Advice {
  const message = `The address of the tracker is ${base}: enter this instead of what was pasted.`;
  return { code: 'address_corrected', message, value: base };
}

const FIELDS: Readonly<Partial<Record<Advice['code'], 'api_host' | 'token'>>> = {
  address_missing: 'api_host',
  address_invalid: 'api_host',
  address_corrected: 'api_host',
  address_blocked: 'api_host',
  login_page: 'api_host',
  moved: 'api_host',
  not_a_tracker: 'api_host',
  unreachable: 'api_host',
  token_missing: 'token',
  token_invalid: 'token',
  token_refused: 'token',
  organization_token: 'token',
  scope_missing: 'token',
};

/** Adds the form field of the advice. */
export function placed(advice: Advice): Advice {
  const field = FIELDS[advice.code];
  return field === undefined ? advice : { ...advice, field };
}

/** Advice on an HTTP error. `needed`: scopes for the request. */
export function statusAdvice({ status, detail, location, isLogin }: TrackerReply, needed: string): Advice {
  if (isLogin === true) {
    const where = location === undefined ? '' : ` (${location})`;
    const message = `A login page${where} answered instead of the tracker. Exempt paths below /api/0/ from the login, or correct the address.`;
    return { code: 'login_page', message };
  }
  const said = detail === null ? '' : ` (it says: ${detail})`;
  if (status === 401) {
    const message = `The tracker does not accept the token${said}: copy it again, and check that it was made on this very server and is neither expired nor revoked.`;
    return { code: 'token_refused', message };
  }
  if (status === 403) {
    const message = `The token may not list projects${said}: give it ${needed}, besides event:read and event:write.`;
    return { code: 'scope_missing', message };
  }
  if (status >= 300 && status < 400) {
    const where = location ?? 'another one';
    const message = `The address redirects to ${where}. Enter the final address, for example with https instead of http.`;
    return { code: 'moved', message };
  }
  if (status === 404 || status === 405 || status === 410) {
    const message = `There is no project list at this address${said}. Check the address: the tracker must support Sentry's API for reading projects and errors. Bugsink, for example, does not.`;
    return { code: 'not_a_tracker', message };
  }
  return { code: 'unreachable', message: `The tracker answered with status ${status}${said}: try again later.` };
}

function reasonOf({ details }: AppError): string | undefined {
  return details?.reason;
}

/** Advice on a request without a response. */
export function failureAdvice(error: AppError): Advice {
  switch (error.code) {
    case 'tracker_blocked':
      return { code: 'address_blocked', message: sentence(error.message) };
    case 'tracker_limited':
      return { code: 'limited', message: sentence(error.message) };
    case 'tracker_refused':
      return { code: 'token_refused', message: sentence(error.message) };
    case 'tracker_invalid_answer': {
      const code = reasonOf(error) === 'html' ? 'login_page' : 'not_a_tracker';
      return { code, message: sentence(error.message) };
    }
    default:
      return { code: 'unreachable', message: sentence(error.message) };
  }
}
