import { answered, api } from './client.ts';
import type { components } from './schema.d.ts';

export type DiscardedError = components['schemas']['DiscardedError'];

const PATH = '/api/v4/projects/{id}/error_tracking/discarded';

/** Lists the errors whose events are dropped, newest first. */
export async function listDiscarded(project: string, signal: AbortSignal): Promise<readonly DiscardedError[]> {
  return (await answered(api.GET(PATH, { params: { path: { id: project } }, signal }))).data;
}

/** Takes events of an error again. */
export async function restoreDiscarded(project: string, id: number): Promise<void> {
  await answered(api.DELETE(`${PATH}/{discarded_id}`, { params: { path: { id: project, discarded_id: id } } }));
}
