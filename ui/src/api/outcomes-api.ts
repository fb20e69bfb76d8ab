import { cursorsOf } from '../lib/link-header.ts';
import { answered, api, type Answered } from './client.ts';
import type { operations } from './schema.d.ts';

type Parameters = NonNullable<operations['listOutcomes']['parameters']['query']>;
type Answer = operations['listOutcomes']['responses'][200]['content']['application/json'];
export type OutcomeRow = Answer['outcomes'][number];

/** Parameters of a report. */
export type UsageQuery = Pick<Parameters, 'since' | 'category' | 'group_by'>;

/** Sums up what SDKs sent by the columns of `group_by`. */
export async function listUsage(project: string, query: UsageQuery, signal: AbortSignal): Promise<OutcomeRow[]> {
  const rows: OutcomeRow[] = [];
  let cursor: string | null = null;
  do {
    const { data, headers }: Answered<Answer> = await answered(
      api.GET('/api/v4/projects/{id}/error_tracking/outcomes', {
        params: { path: { id: project }, query: { ...query, ...(cursor === null ? {} : { cursor }) } },
        signal,
      }),
    );
    rows.push(...data.outcomes);
    cursor = cursorsOf(headers.get('Link')).next;
  } while (cursor !== null);
  return rows;
}

/** Sums up events since a time (RFC 3339) by category, outcome and reason. */
export async function listOutcomes(project: string, since: string, signal: AbortSignal): Promise<OutcomeRow[]> {
  return listUsage(project, { since, group_by: 'category,outcome,reason' }, signal);
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
