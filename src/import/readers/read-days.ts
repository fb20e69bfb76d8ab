import type { FrequencyPoint } from '../../domain/errors/tracked-error.ts';
import { apiPath } from '../../thirdparty/session.ts';
import { daysOfProject, daysOfStats } from './remote/project-days.ts';
import type { ProjectNames } from './project-names.ts';
import type { SourceAccess } from './access/source-access.ts';
import type { SourceDialect } from './source-dialect.ts';
import { DAY_MS } from '../../domain/durations.ts';

/** Days of the statistics. */
const STATS_DAYS = 30;

interface Parts {
  readonly access: SourceAccess;
  readonly dialect: SourceDialect;
  readonly names: ProjectNames;
}

/** Reads the events that a project counted per UTC day; null when the tracker cannot tell. */
export async function readDays(of: Parts, project: string, signal: AbortSignal): Promise<FrequencyPoint[] | null> {
  const { kind } = of.dialect;
  const accepted = kind === 'urgentry' ? null : await fromOrganization(of, project, signal);
  return accepted ?? (kind === 'glitchtip' ? null : fromProject(of, project, signal));
}

/** Accepted events, from the statistics of the organization. */
async function fromOrganization(
  { access, dialect, names }: Parts,
  project: string,
  signal: AbortSignal,
): Promise<FrequencyPoint[] | null> {
  const { asker, organization, clock } = access;
  const now = clock.now();
  const query: [string, string][] = [
    ['project', await names.findId(project, signal)],
    ['field', 'sum(quantity)'],
    ['category', 'error'],
    ['interval', '1d'],
    ['start', new Date(now - STATS_DAYS * DAY_MS).toISOString().slice(0, 19)],
    ['end', new Date(now).toISOString().slice(0, 19)],
  ];
  if (dialect.kind === 'sentry') query.push(['outcome', 'accepted']);
  const path = apiPath('organizations', organization, 'stats_v2');
  const reply = await asker.ask({ path, query, signal, attempts: 3 });
  return reply.ok ? daysOfStats(reply.body, now) : null;
}

/** Received events, from the older statistics of the project. */
async function fromProject(
  { access, dialect, names }: Parts,
  project: string,
  signal: AbortSignal,
): Promise<FrequencyPoint[] | null> {
  const { asker, organization, clock } = access;
  const now = clock.now();
  const since = String(Math.floor((now - STATS_DAYS * DAY_MS) / 1000));
  const query: [string, string][] =
    dialect.kind === 'urgentry'
      ? []
      : [
          ['stat', 'received'],
          ['resolution', '1d'],
          ['since', since],
        ];
  const reply = await names.request(
    project,
    (slug) => asker.ask({ path: apiPath('projects', organization, slug, 'stats'), query, signal, attempts: 3 }),
    signal,
  );
  return reply.ok ? daysOfProject(reply.body, now) : null;
}
