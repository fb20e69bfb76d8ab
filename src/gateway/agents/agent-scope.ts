import { entityOfProject, targetOf } from '../../audit/shown-values.ts';
import { decide, type Action } from '../../auth/policy.ts';
import { AppError } from '../../domain/app-error.ts';
import { isErrorId } from '../../domain/errors/tracked-error.ts';
import { projectBackend, type ProjectBackend } from '../api/shared/project-backend.ts';
import { authorOf } from '../http/audit/audited-call.ts';
import { projectByReference } from '../http/project-lookup.ts';
import type { ProjectCall } from '../http/route.ts';
import type { AgentCall } from './agent-tool.ts';

/** How an agent names things: in two arguments, or in one that has both. */
export interface Reference {
  readonly project?: string | number | undefined;
  readonly id?: string | number | undefined;
}

interface Named {
  /** Path or id; null: not named. */
  readonly project: string | null;
  readonly errorId: string | null;
  /** Event that an address names. */
  readonly eventId: string | null;
}

const NOTHING: Named = { project: null, errorId: null, eventId: null };

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Reads the address of one of our pages or API routes. Throws `invalid_parameter` for other addresses. */
function namedByUrl(text: string, externalUrl: string): Named {
  const refused = new AppError('invalid_parameter', `Only addresses that begin with ${externalUrl}/ are known here.`);
  if (!URL.canParse(text) || !text.startsWith(`${externalUrl}/`)) throw refused;
  const { pathname, searchParams } = new URL(text);
  const path = pathname.slice(new URL(externalUrl).pathname.replace(/\/$/, '').length);
  const ofApi = /^\/api\/v4\/projects\/([^/]+)(?:\/error_tracking\/errors\/([\w-]+)(?:\.md)?)?/.exec(path);
  if (ofApi !== null) return { ...NOTHING, project: decoded(ofApi[1] ?? ''), errorId: ofApi[2] ?? null };
  const ofPage = /^\/(.+?)\/-\/(?:error_tracking\/([\w-]+)(?:\/|\.json|$))?/.exec(path);
  const [, project, id = ''] = ofPage ?? [];
  if (project === undefined) throw refused;
  // Other pages below a project have words in place of an id.
  const isId = /\d/.test(id);
  return { project: decoded(project), errorId: isId ? id : null, eventId: isId ? searchParams.get('event') : null };
}

function namedBy(value: string | number | undefined, externalUrl: string, isError: boolean): Named {
  if (value === undefined) return NOTHING;
  const text = String(value).trim();
  if (/^https?:\/\//i.test(text)) return namedByUrl(text, externalUrl);
  const [, project, id] = /^([^#]+\/[^#]+|\d+)#([\w-]{1,64})$/.exec(text) ?? [];
  if (project !== undefined && id !== undefined) return { ...NOTHING, project, errorId: id };
  return isError ? { ...NOTHING, errorId: text.replace(/^#/, '') } : { ...NOTHING, project: text };
}

/** True for names that cannot be those of one project: two paths, or two ids. */
function differ(one: string | null, other: string | null): boolean {
  if (one === null || other === null || /^\d+$/.test(one) !== /^\d+$/.test(other)) return false;
  return one.toLowerCase() !== other.toLowerCase();
}

/** Reads the names of a project and an error. Throws `invalid_parameter` where the two name different projects. */
export function readReference({ project, id }: Reference, externalUrl: string): Named {
  const [ofProject, ofError] = [namedBy(project, externalUrl, false), namedBy(id, externalUrl, true)];
  if (differ(ofProject.project, ofError.project)) {
    throw new AppError('invalid_parameter', 'project and id name different projects: leave project out.');
  }
  return {
    project: ofError.project ?? ofProject.project,
    errorId: ofError.errorId ?? ofProject.errorId,
    eventId: ofError.eventId ?? ofProject.eventId,
  };
}

/** Project that a call is about, with its backend. */
export interface AgentProject extends ProjectBackend {
  readonly call: ProjectCall<unknown>;
  /** Argument that names it in hints: `project="demo/shop"`. */
  readonly argument: string;
}

/** Writes to the audit log that an agent tried a change without the right to it. */
async function refusalRecorded(call: AgentCall, project: ProjectCall<unknown>['project'], code: AppError['code']) {
  const { auditTrail } = call.deps;
  const [entity, target] = [entityOfProject(project), targetOf('Route', null, 'mcp')];
  await auditTrail.refused({ event: 'access_refused', author: authorOf(call), entity, target }, code);
}

const MESSAGES = {
  project_not_found: 'There is no such project, or this token does not see it. list_projects names those that it sees.',
  insufficient_scope: 'This token only reads. A change needs an access token with the scope api.',
  forbidden: 'The role of this user in the project is not enough.',
  not_found: 'The Monitor feature of this project is off.',
  group_not_found: 'There is no such group.',
} as const;

/** Finds a project and checks the permission of the token's user. Throws the decision of the policy. */
export async function projectCallFor(
  call: AgentCall,
  named: string | null,
  action: Action,
): Promise<ProjectCall<unknown>> {
  const { deps, principal } = call;
  if (named === null) throw new AppError('invalid_parameter', 'Name the project: its path, its id or its address.');
  const found = await projectByReference(deps.store, named);
  const project = found?.project ?? null;
  const level = project === null ? null : await deps.store.accessLevel(project.id, principal.user.id);
  const decision = decide(principal, action, project, level);
  if (project !== null && decision === 'ok') return { ...call, project, params: {} };
  const code = decision === 'ok' ? 'project_not_found' : decision;
  if (project !== null && action === 'update_errors') await refusalRecorded(call, project, code);
  throw new AppError(code, MESSAGES[code]);
}

/** Finds a project whose errors may be read, or changed. Throws as `projectCallFor` and `projectBackend`. */
export async function agentProject(
  call: AgentCall,
  named: string | null,
  action: 'read_errors' | 'update_errors' = 'read_errors',
): Promise<AgentProject> {
  const ofProject = await projectCallFor(call, named, action);
  const backend = await projectBackend(ofProject);
  return { ...backend, call: ofProject, argument: `project="${ofProject.project.path}"` };
}

export interface AgentError extends AgentProject {
  readonly errorId: string;
  readonly eventId: string | null;
  /** Arguments that name it in hints: `project="demo/shop" id="17"`. */
  readonly argument: string;
}

/** Finds the project of an error. The error itself need not exist. Throws as `agentProject`. */
export async function agentError(
  call: AgentCall,
  reference: Reference,
  action: 'read_errors' | 'update_errors' = 'read_errors',
): Promise<AgentError> {
  const { project, errorId, eventId } = readReference(reference, call.deps.externalUrl());
  if (errorId === null || !isErrorId(errorId)) {
    throw new AppError('invalid_parameter', 'Name the error: its id, group/project#17, or the address of its page.');
  }
  const found = await agentProject(call, project, action);
  return { ...found, errorId, eventId, argument: `${found.argument} id="${errorId}"` };
}

/** Returns the id of an event in its one form. Throws `invalid_parameter`. */
export function readEventId(text: string): string {
  const id = text.replaceAll('-', '').toLowerCase();
  if (!/^[0-9a-f]{32}$/.test(id)) throw new AppError('invalid_parameter', 'An event id has 32 hexadecimal digits.');
  return id;
}
