import type { SettingsDraft, TrackerForm, TrackerFormProject } from '../domain/ports/tracker-setup.ts';
import type { TrackingSettings } from '../domain/tracking-settings.ts';
import { buildApiUrl, parseApiUrl, sameTracker } from './api-url.ts';
import type { TokenSealer } from './sealed-token.ts';
import type { UrlGuard } from './url-guard.ts';

/** Texts that are stored beside the address; longer ones are no names. */
const MAX_NAME_CHARACTERS = 255;

/** What pages show instead of a stored token, in whatever number. */
export function isMask(token: string): boolean {
  return /^\*+$/.test(token);
}

/** What can stand in a header; anything else is a mistake in copying. */
export function isToken(token: string): boolean {
  return /^[\x21-\x7e]{1,2048}$/.test(token);
}

export interface DraftParts {
  readonly guard: Pick<UrlGuard, 'savedProblem'>;
  readonly sealer: TokenSealer;
}

function textOrNull(text: string | undefined): string | null {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? null : trimmed;
}

function tooLong(name: string, text: string | null): string | null {
  return (text?.length ?? 0) > MAX_NAME_CHARACTERS
    ? `${name} is too long (maximum is ${MAX_NAME_CHARACTERS} characters)`
    : null;
}

/** What would be another path than that of the project: separators, dots, and what a URL reads as its end or an escape. */
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

/** The linked project with what was given of it; of another project than the linked one only its organization is kept. */
function patched(linked: Required<TrackerFormProject>, given: TrackerFormProject): TrackerFormProject {
  const { organizationSlug = linked.organizationSlug, slug = linked.slug } = given;
  const sameOrganization = organizationSlug === linked.organizationSlug;
  if (sameOrganization && slug === linked.slug) return { ...linked, ...given };
  const { organizationName } = linked;
  return { ...(sameOrganization ? { organizationName } : {}), ...given, organizationSlug, slug };
}

/** A form without an address, or with that of the same tracker where it says so, goes on with the project that is linked. */
function chosenProject(before: TrackingSettings | null, form: TrackerForm): TrackerFormProject {
  const { apiHost, project, keepsProject = false } = form;
  const goesOn =
    apiHost === undefined || (keepsProject && sameTracker(before?.apiUrl ?? null, buildApiUrl(apiHost, 'org', 'proj')));
  if (!goesOn) return project ?? {};
  if (project === undefined) return linkedProject(before);
  return keepsProject ? patched(linkedProject(before), project) : project;
}

/** Whether this is the very token that is stored, under the key of today. */
function isStored(sealed: string, token: string, projectId: number, sealer: TokenSealer): boolean {
  try {
    return sealer.isCurrent(sealed) && sealer.open(sealed, projectId) === token;
  } catch {
    // One that cannot be read is replaced.
    return false;
  }
}

/** The token that belongs to the address: a new one, or the stored one while it goes to the same tracker. */
function sealedTokenFor(
  projectId: number,
  before: TrackingSettings | null,
  form: TrackerForm,
  apiUrl: string | null,
  sealer: TokenSealer,
): { readonly sealed: string | null; readonly problem: string | null } {
  const token = form.token?.trim();
  const kept = sameTracker(before?.apiUrl ?? null, apiUrl) ? (before?.sealedToken ?? null) : null;
  if (token === undefined || isMask(token)) return { sealed: kept, problem: null };
  if (token === '') return { sealed: null, problem: null };
  if (!isToken(token)) return { sealed: null, problem: 'Token is invalid' };
  // The same again stays the same settings, of which much has been learnt.
  if (kept !== null && isStored(kept, token, projectId, sealer)) return { sealed: kept, problem: null };
  return { sealed: sealer.seal(token, projectId), problem: null };
}

/**
 * What saving the form stores. A form with nothing but the two switches leaves the link to the tracker alone; so
 * does one that turns to the integrated backend and leaves the address blank. Every other form gives the whole
 * link anew: address, token and project are always stored together, so that a token never meets an address
 * that another save put there.
 */
export function draftSettings(
  projectId: number,
  before: TrackingSettings | null,
  form: TrackerForm,
  { guard, sealer }: DraftParts,
): SettingsDraft {
  const { apiHost, token, project } = form;
  const blankHost = (apiHost ?? '').trim() === '';
  const integrated = form.integrated ?? before?.integrated ?? blankHost;
  const switches = { integrated, ...(form.active === undefined ? {} : { active: form.active }) };
  const untouched = apiHost === undefined && token === undefined && project === undefined;
  if (untouched || (integrated && blankHost)) return { patch: switches, problems: [] };

  const chosen = chosenProject(before, form);
  const apiUrl = buildApiUrl(apiHost ?? before?.apiUrl ?? '', chosen.organizationSlug ?? '', chosen.slug ?? '');
  const { sealed, problem } = sealedTokenFor(projectId, before, form, apiUrl, sealer);
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
    tooLong('Project name', names.projectName),
    tooLong('Organization name', names.organizationName),
    tooLong('Thirdparty project', names.thirdpartyProjectId),
  ].filter((entry) => entry !== null);
  return { patch: { ...switches, ...names, apiUrl, sealedToken: sealed }, problems };
}
