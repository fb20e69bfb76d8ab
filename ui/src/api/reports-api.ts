import { cursorsOf, type Cursors } from '../lib/link-header.ts';
import { answered, api } from './client.ts';
import type { components } from './schema.d.ts';

export type ReportedEvent = components['schemas']['ReportedEvent'];

export interface ReportedEventPage extends Cursors {
  readonly events: readonly ReportedEvent[];
  /** Events that a search looked at for this page; null without a search. */
  readonly searched: number | null;
}

const PER_PAGE = 20;

/** Lists the events of a project that users wrote about, newest first. Empty texts: no search, the first page. */
export async function listProjectReports(
  project: string,
  { search, cursor }: { readonly search: string; readonly cursor: string },
  signal: AbortSignal,
): Promise<ReportedEventPage> {
  const query = {
    per_page: PER_PAGE,
    ...(search === '' ? {} : { search }),
    ...(cursor === '' ? {} : { cursor }),
  };
  const { data, headers } = await answered(
    api.GET('/api/v4/projects/{id}/error_tracking/user_reports', { params: { path: { id: project }, query }, signal }),
  );
  const searched = headers.get('X-Errgate-Searched');
  return { events: data, searched: searched === null ? null : Number(searched), ...cursorsOf(headers.get('Link')) };
}
