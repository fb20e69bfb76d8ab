import { answered, api } from './client.ts';
import type { components } from './schema.d.ts';

export type IssueHook = components['schemas']['IssueHook'];
/** With the secret, which is shown once. */
export type NewIssueHook = components['schemas']['NewIssueHook'];

const PATH = '/api/v4/projects/{id}/error_tracking/hooks/gitlab';
const on = (project: string) => ({ params: { path: { id: project } } });

export async function getIssueHook(project: string): Promise<IssueHook> {
  return (await answered(api.GET(PATH, on(project)))).data;
}

/** Turns the webhook on, or replaces its secret. */
export async function makeHookSecret(project: string): Promise<NewIssueHook> {
  return (await answered(api.PUT(PATH, { ...on(project), body: {} }))).data;
}

export async function removeIssueHook(project: string): Promise<void> {
  await answered(api.DELETE(PATH, on(project)));
}
