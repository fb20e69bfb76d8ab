import { hasControl } from '../names.ts';
import { MAX_ISSUE_URL, MAX_PATH_PREFIXES, type IssueTracker, type SourceRepository } from './project-links.ts';

/** Maximum characters of a template of an address, and of a prefix. */
export const MAX_TEMPLATE = 500;
/** Maximum characters of a ref, and of its template. */
export const MAX_REF = 200;

/** Characters that an address written by a person must not have: control characters, spaces and quotes. */
const NOT_IN_ADDRESS = /[\u0000-\u0020\u007f-\u009f"<>\\^`|\p{Bidi_Control}]/u;
const NOT_IN_REF = /[\u0000-\u0020\u007f-\u009f\p{Bidi_Control}]/u;

/** True for an absolute address of the schemes http and https without a user name or password. */
export function isWebAddress(text: string): boolean {
  if (NOT_IN_ADDRESS.test(text) || !URL.canParse(text)) return false;
  const { protocol, username, password, host } = new URL(text);
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '' && host !== '';
}

/** Problem of the address of a linked issue, worded to follow its name; null: none. */
export function issueUrlProblem(url: string): string | null {
  if (url.length > MAX_ISSUE_URL) return `is too long (maximum is ${MAX_ISSUE_URL} characters)`;
  return isWebAddress(url) ? null : 'is invalid: use a whole address with http:// or https://';
}

/** Returns the names in braces, such as `{path}`. */
function placeholders(template: string): string[] {
  return [...template.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name);
}

function filled(template: string, value: string): string {
  return template.replaceAll(/\{[^{}]*\}/g, value);
}

/** Problem of an address with placeholders, which must not decide about its host; null: none. */
function templateProblem(template: string, known: readonly string[], required: readonly string[]): string | null {
  if (template.length > MAX_TEMPLATE) return `is too long (maximum is ${MAX_TEMPLATE} characters)`;
  const given = placeholders(template);
  const unknown = given.find((name) => !known.includes(name));
  if (unknown !== undefined) return `has the unknown placeholder {${unknown}}: use {${known.join('}, {')}}`;
  const missing = required.find((name) => !given.includes(name));
  if (missing !== undefined) return `lacks the placeholder {${missing}}`;
  const [one, other] = [filled(template, 'a'), filled(template, 'b')];
  if (!isWebAddress(one)) return 'is invalid: use a whole address with http:// or https://';
  return new URL(one).origin === new URL(other).origin ? null : 'has a placeholder in its host: write the host in full';
}

function refProblem(ref: string): string | null {
  if (ref.length > MAX_REF) return `is too long (maximum is ${MAX_REF} characters)`;
  return NOT_IN_REF.test(ref) || !ref.isWellFormed() ? 'is invalid: a ref has no spaces or control characters' : null;
}

/** Returns what is wrong with a repository, by the names of the REST interface; null: nothing. */
export function repositoryProblem(repository: SourceRepository): string | null {
  const { urlTemplate, defaultRef, refTemplate, prefixes } = repository;
  const found = [
    ['url_template', templateProblem(urlTemplate, ['path', 'line', 'ref'], ['path'])],
    ['default_ref', defaultRef === '' ? 'is empty' : refProblem(defaultRef)],
    ['ref_template', refTemplateProblem(refTemplate)],
    ['prefixes', prefixesProblem(prefixes)],
  ].find(([, problem]) => problem !== null);
  return found === undefined ? null : `repository.${found[0]} ${found[1]}`;
}

function refTemplateProblem(template: string): string | null {
  if (template === '') return null;
  const names = placeholders(template);
  if (names.length === 0 || names.some((name) => name !== 'release' && name !== 'version')) {
    return 'has no or another placeholder: use {release} or {version}, or leave it empty';
  }
  return refProblem(template);
}

function prefixesProblem(prefixes: SourceRepository['prefixes']): string | null {
  if (prefixes.length > MAX_PATH_PREFIXES) return `are too many (maximum is ${MAX_PATH_PREFIXES})`;
  for (const { from, to } of prefixes) {
    if (from.length > MAX_TEMPLATE || to.length > MAX_TEMPLATE) {
      return `are too long (maximum is ${MAX_TEMPLATE} characters)`;
    }
    if (hasControl(from + to) || !from.isWellFormed() || !to.isWellFormed()) return 'have invalid characters';
    if (to.split(/[/\\]/).includes('..')) return 'must not lead out of the repository with ".."';
  }
  return null;
}

/** Form of a project on the host, by its kind. */
const PROJECTS: Readonly<Record<'gitlab' | 'github', RegExp>> = {
  gitlab: /^[\p{L}\p{N}_][\p{L}\p{N}_.-]*(\/[\p{L}\p{N}_][\p{L}\p{N}_.-]*)*$/u,
  github: /^[\w.-]+\/[\w.-]+$/,
};

/** Returns what is wrong with an issue tracker, by the names of the REST interface; null: nothing. */
export function issueTrackerProblem({ kind, newIssueUrl, apiUrl, project }: IssueTracker): string | null {
  if (newIssueUrl === '' && kind === 'link') return 'issue_tracker.new_issue_url is empty';
  const template = newIssueUrl === '' ? null : templateProblem(newIssueUrl, ['title', 'description'], []);
  if (template !== null) return `issue_tracker.new_issue_url ${template}`;
  if (kind === 'link') {
    return apiUrl === null && project === null ? null : 'issue_tracker.api_url and project are not for the kind link';
  }
  if (apiUrl === null || apiUrl.length > MAX_TEMPLATE || !isWebAddress(apiUrl)) {
    return 'issue_tracker.api_url is invalid: use the address of the host, with http:// or https://';
  }
  if (new URL(apiUrl).search !== '' || new URL(apiUrl).hash !== '') {
    return 'issue_tracker.api_url is invalid: leave out what follows ? and #';
  }
  if (project === null || project.length > MAX_TEMPLATE || !PROJECTS[kind].test(project)) {
    const form = kind === 'gitlab' ? 'group/project' : 'owner/repository';
    return `issue_tracker.project is invalid: use ${form}`;
  }
  return null;
}
