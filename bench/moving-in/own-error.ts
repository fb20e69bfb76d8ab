import { readPages } from '../../test/support/read-pages.ts';
import type { ServiceProcess } from '../../test/support/service-process.ts';
import type { OldFacts, OldIssue } from './old-tracker.ts';

/** Error of errgate, as the REST API lists it. */
export interface OwnError {
  readonly id: string;
  readonly title: string;
  readonly message: string | null;
  readonly count: number;
  readonly external_ids: readonly { readonly kind: string; readonly value: string }[];
  readonly status: string;
  readonly level: string | null;
  readonly platform: string | null;
  readonly culprit: string | null;
  readonly user_count: number | null;
  readonly first_release: string | null;
  readonly frequency: readonly (readonly [start: number, count: number])[] | null;
}

interface OwnDetails {
  readonly imported: { readonly notes: readonly { readonly text: string }[] } | null;
}

/** Facts that are compared, with what the comparison found. */
export interface FactResult {
  /** Issues of which the tracker tells the fact. */
  told: number;
  equal: number;
}

export interface Comparison {
  readonly facts: Readonly<Record<string, FactResult>>;
  /** `issue 4711 status: resolved there, unresolved here`. */
  readonly unequal: readonly string[];
}

export const issueIds = (error: OwnError): string[] =>
  error.external_ids.filter(({ kind }) => kind === 'issue').map(({ value }) => value);

const projectPath = (path: string): string => `/api/v4/projects/${encodeURIComponent(path)}/error_tracking`;

export const listErrors = (service: ServiceProcess, path: string): Promise<OwnError[]> =>
  readPages<OwnError>(service, `${projectPath(path)}/errors?status=all&per_page=100`);

/** Compares every imported error with what the tracker tells of its issue. */
export async function compareFacts(
  service: ServiceProcess,
  path: string,
  issues: readonly OldIssue[],
  facts: ReadonlyMap<string, OldFacts>,
): Promise<Comparison> {
  const errors = await listErrors(service, path).catch(() => []);
  const byIssue = new Map(errors.flatMap((error) => issueIds(error).map((id) => [id, error] as const)));
  const found: Record<string, FactResult> = {};
  const unequal: string[] = [];
  for (const issue of issues) {
    const error = byIssue.get(issue.id);
    const told = facts.get(issue.id);
    if (told === undefined) continue;
    const here = error === undefined ? null : await ownFacts(service, path, error);
    for (const [name, there] of Object.entries({ count: issue.count, ...told, hours: ofDay(told.hours) })) {
      if (there === null) continue;
      const result = (found[name] ??= { told: 0, equal: 0 });
      result.told += 1;
      const [wanted, own] = [plain(there), here === null ? 'not imported' : plain(here[name as keyof typeof here])];
      if (own === wanted) result.equal += 1;
      else unequal.push(`issue ${issue.id} ${name}: ${wanted} there, ${own} here`);
    }
  }
  return { facts: found, unequal };
}

async function ownFacts(
  service: ServiceProcess,
  path: string,
  error: OwnError,
): Promise<OldFacts & { readonly count: number }> {
  const place = `${projectPath(path)}/errors/${error.id}`;
  const { imported } = (await service.get(place)) as OwnDetails;
  const events = (await service.get(`${place}/events?per_page=20`)) as unknown[];
  return {
    count: error.count,
    status: error.status,
    level: error.level,
    platform: error.platform,
    culprit: error.culprit,
    users: error.user_count,
    hours: ofDay(new Map(error.frequency)),
    firstRelease: error.first_release,
    comments: (imported?.notes ?? []).map(({ text }) => text).sort(),
    events: events.length,
  };
}

/** Hours with events that either chart of 24 hours has, whenever it begins. */
function ofDay(hours: ReadonlyMap<number, number> | null): ReadonlyMap<number, number> | null {
  const since = Math.floor(Date.now() / 3_600_000 - 22) * 3600;
  return hours === null ? null : new Map([...hours].filter(([start, count]) => count > 0 && start >= since));
}

function plain(value: unknown): string {
  if (value instanceof Map) return JSON.stringify([...(value as Map<number, number>)].sort(([a], [b]) => a - b));
  return typeof value === 'string' ? value : JSON.stringify(value);
}
