import { answered, api } from './client.ts';
import type { operations } from './schema.d.ts';

type Parameters = NonNullable<operations['listOutcomes']['parameters']['query']>;
type Answer = operations['listOutcomes']['responses'][200]['content']['application/json'];
export type OutcomeRow = Answer['outcomes'][number];

/** Sums up events since a time (RFC 3339) by category, outcome and reason. */
export async function listOutcomes(project: string, since: string, signal: AbortSignal): Promise<OutcomeRow[]> {
  const query = { since, group_by: 'category,outcome,reason' } as Parameters;
  const { data } = await answered(
    api.GET('/api/v4/projects/{id}/error_tracking/outcomes', { params: { path: { id: project }, query }, signal }),
  );
  return data.outcomes;
}

export type Misaddressed = operations['listRefused']['responses'][200]['content']['application/json'];

/**
 * Counts requests for the project with a key of another project or an unknown key. Outcomes omit these. Only for
 * maintainers.
 */
export async function listMisaddressed(project: string, signal: AbortSignal): Promise<Misaddressed> {
  const params = { path: { id: project } };
  return (await answered(api.GET('/api/v4/projects/{id}/error_tracking/refused', { params, signal }))).data;
}
