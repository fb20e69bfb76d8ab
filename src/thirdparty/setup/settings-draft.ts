import type { SettingsDraft, TrackerForm, TrackerFormProject } from '../../domain/ports/tracker-setup.ts';
import { hasControl } from '../../domain/names.ts';
import type { TrackingSettings } from '../../domain/projects/tracking-settings.ts';
import { buildApiUrl, parseApiUrl, sameTracker } from '../http/api-url.ts';
import type { TokenCipher } from '../secrets/encrypted-token.ts';
import type { UrlGuard } from '../guard/url-guard.ts';

/** Maximum characters of names stored beside the address. */
const MAX_NAME_CHARACTERS = 255;

/** Detects the mask that pages show for a stored token, of any length. */
export function isMask(token: string): boolean {
  return /^\*+$/.test(token);
}

/** Checks for characters that are valid in a header. */
export function isToken(token: string): boolean {
  return /^[\x21-\x7e]{1,2048}$/.test(token);
}

export interface DraftParts {
  readonly guard: Pick<UrlGuard, 'savedProblem'>;
  readonly cipher: TokenCipher;
}

function textOrNull(text: string | undefined): string | null {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? null : trimmed;
}

function nameProblem(name: string, text: string | null): string | null {
  if (text === null) return null;
  if (text.length > MAX_NAME_CHARACTERS) return `${name} is too long (maximum is ${MAX_NAME_CHARACTERS} characters)`;
  return hasControl(text) ? `${name} is invalid: leave out line breaks and other control characters` : null;
}

/** Refuses slugs that would change the path: separators, dots, and URL delimiters or escapes. */
function slugProblem(name: string, slug: string | undefined): string | null {
  const text = slug?.trim() ?? '';
  const isPath = /[/\\?#%\s\p{Cc}]/u.test(text) || /^\.{1,2}$/.test(text);
  return isPath ? `${name} slug is invalid: give the last part of its address in the tracker, such as web-shop` : null;
}

function linkedProject(before: TrackingSettings | null): Required<TrackerFormProject> {
  const parts = parseApiUrl(before?.apiUrl ?? null);
  return {
    organizationSlug: parts?.organization ?? '',
    slug: parts?.project ?? '',
    organizationName: before?.organizationName ?? '',
    name: before?.projectName ?? '',
    thirdpartyProjectId: before?.thirdpartyProjectId ?? '',
  };
}

/** Merges the given members into the linked project; for another project only the organization is kept. */
function patched(linked: Required<TrackerFormProject>, given: TrackerFormProject): TrackerFormProject {
  const { organizationSlug = linked.organizationSlug, slug = linked.slug } = given;
  const sameOrganization = organizationSlug === linked.organizationSlug;
  if (sameOrganization && slug === linked.slug) return { ...linked, ...given };
  const { organizationName } = linked;
  return { ...(sameOrganization ? { organizationName } : {}), ...given, organizationSlug, slug };
}

/** Keeps the linked project when the form has no address, or that of the same tracker with `keepsProject`. */
function chosenProject(before: TrackingSettings | null, form: TrackerForm): TrackerFormProject {
  const { apiHost, project, keepsProject = false } = form;
  const goesOn =
    apiHost === undefined || (keepsProject && sameTracker(before?.apiUrl ?? null, buildApiUrl(apiHost, 'org', 'proj')));
  if (!goesOn) return project ?? {};
  if (project === undefined) return linkedProject(before);
  return keepsProject ? patched(linkedProject(before), project) : project;
}

/** Compares with the stored token; false when it has an older key. */
function isStored(encrypted: string, token: string, projectId: number, cipher: TokenCipher): boolean {
  try {
    return cipher.isCurrent(encrypted) && cipher.decrypt(encrypted, projectId) === token;
  } catch {
    // An unreadable token is replaced.
    return false;
  }
}

/** Token for the address: a new one, or the stored one for the same tracker. */
function encryptedTokenFor(
  projectId: number,
  before: TrackingSettings | null,
  form: TrackerForm,
  apiUrl: string | null,
  cipher: TokenCipher,
): { readonly encrypted: string | null; readonly problem: string | null } {
  const token = form.token?.trim();
  const kept = sameTracker(before?.apiUrl ?? null, apiUrl) ? (before?.sealedToken ?? null) : null;
  if (token === undefined || isMask(token)) return { encrypted: kept, problem: null };
  if (token === '') return { encrypted: null, problem: null };
  if (!isToken(token)) return { encrypted: null, problem: 'Token is invalid' };
  // Keeping the same encryption keeps the settings identical, and with them the learnt behaviour.
  if (kept !== null && isStored(kept, token, projectId, cipher)) return { encrypted: kept, problem: null };
  return { encrypted: cipher.encrypt(token, projectId), problem: null };
}

/**
 * Returns the settings that saving the form stores. A form with only the two switches keeps the link to the tracker. So
 * does one that selects the integrated backend with a blank address. Every other form replaces address, token and
 * project together: a token must not be combined with an address of another save.
 */
export function draftSettings(
  projectId: number,
  before: TrackingSettings | null,
  form: TrackerForm,
  { guard, cipher }: DraftParts,
): SettingsDraft {
  const { apiHost, token, project } = form;
  const blankHost = (apiHost ?? '').trim() === '';
  const integrated = form.integrated ?? before?.integrated ?? blankHost;
  const switches = { integrated, ...(form.active === undefined ? {} : { active: form.active }) };
  const untouched = apiHost === undefined && token === undefined && project === undefined;
  if (untouched || (integrated && blankHost)) return { patch: switches, problems: [] };

  const chosen = chosenProject(before, form);
  const apiUrl = buildApiUrl(apiHost ?? before?.apiUrl ?? '', chosen.organizationSlug ?? '', chosen.slug ?? '');
  const { encrypted, problem } = encryptedTokenFor(projectId, before, form, apiUrl, cipher);
  const addressProblem = apiUrl === null ? null : guard.savedProblem(apiUrl);
  const names = {
    projectName: textOrNull(chosen.name),
    organizationName: textOrNull(chosen.organizationName),
    thirdpartyProjectId: textOrNull(chosen.thirdpartyProjectId),
  };
  const problems = [
    addressProblem === null ? null : `Api url ${addressProblem}`,
    problem,
    slugProblem('Organization', project?.organizationSlug),
    slugProblem('Project', project?.slug),
    nameProblem('Project name', names.projectName),
    nameProblem('Organization name', names.organizationName),
    nameProblem('Thirdparty project', names.thirdpartyProjectId),
  ].filter((entry) => entry !== null);
  return { patch: { ...switches, ...names, apiUrl, sealedToken: encrypted }, problems };
}
