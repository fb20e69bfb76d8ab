import { answered, api } from './client.ts';
import type { components } from './schema.d.ts';

export type TagTrend = components['schemas']['TagTrend'];

/** Counts the values of a tag over time, among the newest stored events of an error. */
export async function getTagTrend(
  project: string,
  errorId: string,
  key: string,
  signal: AbortSignal,
): Promise<TagTrend> {
  const params = { path: { id: project, error_id: errorId }, query: { key } };
  return (
    await answered(api.GET('/api/v4/projects/{id}/error_tracking/errors/{error_id}/tag_trend', { params, signal }))
  ).data;
}
