import { answered, api } from './client.ts';
import type { components } from './schema.d.ts';

type Schemas = components['schemas'];
/** Where the sources and issues of a project are. */
export type ProjectLinks = Schemas['ProjectLinks'];
export type SourceRepository = Schemas['SourceRepository'];
export type IssueTracker = Schemas['IssueTracker'];
export type NewIssueTracker = Schemas['NewIssueTracker'];
export type LinksForm = Schemas['PutProjectLinks'];
/** Issue on the host that belongs to an error. */
export type LinkedIssue = Schemas['LinkedIssue'];
export type NewLinkedIssue = Schemas['NewLinkedIssue'];

const BASE = '/api/v4/projects/{id}/error_tracking';
const ISSUES = `${BASE}/errors/{error_id}/issues` as const;

export async function getLinks(project: string, signal?: AbortSignal): Promise<ProjectLinks> {
  const params = { path: { id: project } };
  return (await answered(api.GET(`${BASE}/links`, { params, ...(signal === undefined ? {} : { signal }) }))).data;
}

/** Replaces all links of a project. Throws an `ApiFailure` that names what is wrong. */
export async function saveLinks(project: string, body: LinksForm): Promise<ProjectLinks> {
  return (await answered(api.PUT(`${BASE}/links`, { params: { path: { id: project } }, body }))).data;
}

/** Checks an issue tracker and its token, else the stored one. Throws an `ApiFailure` with the reason. */
export async function testIssueTracker(project: string, body: NewIssueTracker): Promise<string> {
  const { data } = await answered(api.POST(`${BASE}/links/test`, { params: { path: { id: project } }, body }));
  return data.message;
}

export async function listLinkedIssues(project: string, errorId: string, signal?: AbortSignal): Promise<LinkedIssue[]> {
  const params = { path: { id: project, error_id: errorId } };
  return (await answered(api.GET(ISSUES, { params, ...(signal === undefined ? {} : { signal }) }))).data;
}

/** Links an issue by its address, or makes one on the host. Throws an `ApiFailure` with the reason. */
export async function addLinkedIssue(project: string, errorId: string, body: NewLinkedIssue): Promise<LinkedIssue> {
  return (await answered(api.POST(ISSUES, { params: { path: { id: project, error_id: errorId } }, body }))).data;
}

export async function removeLinkedIssue(project: string, errorId: string, id: number): Promise<void> {
  const params = { path: { id: project, error_id: errorId, issue_id: id } };
  await answered(api.DELETE(`${ISSUES}/{issue_id}`, { params }));
}
