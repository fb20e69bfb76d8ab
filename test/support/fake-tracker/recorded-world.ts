import type { Recorded } from './recorded.ts';
import type { FakeEvent, FakeProject, FakeStatus, World } from './world.ts';

/** Recorded issue, from a list or a single answer. */
interface RecordedIssue {
  readonly id: string;
  readonly count: string;
  readonly title: string;
  readonly culprit: string;
  readonly level: string;
  readonly status: FakeStatus;
  readonly userCount?: number;
  readonly firstSeen: string;
  readonly lastSeen: string;
  readonly metadata: { readonly type?: string; readonly value?: string };
  readonly project: { readonly slug: string };
}

type EventPatch = { -readonly [Name in keyof FakeEvent]?: FakeEvent[Name] };

export const rowsOf = ({ body }: Recorded): readonly unknown[] => (Array.isArray(body) ? (body as unknown[]) : [body]);

export function isIssue(row: unknown): row is RecordedIssue {
  return row !== null && typeof row === 'object' && 'id' in row && 'count' in row && 'project' in row;
}

/** Routes that ignore the parameter `environment`: they return rows for an unknown environment. */
function routesWithoutEnvironment(recordings: readonly Recorded[]): Set<string> {
  const urls = recordings
    .filter((recorded) => rowsOf(recorded).some(isIssue))
    .map(({ request }) => new URL(request.path, 'http://recorded'));
  return new Set(
    urls.filter(({ searchParams }) => searchParams.get('environment') === 'nope').map(({ pathname }) => pathname),
  );
}

/** Filters of a recorded list as event facts: `environment`, `release` or a tag with its value. */
function filtersOf(path: string, withoutEnvironment: ReadonlySet<string>): [name: string, value: string][] {
  const { pathname, searchParams } = new URL(path, 'http://recorded');
  const terms = (searchParams.get('query') ?? '').matchAll(/"?([\w ]+):([\w@.-]+)"?/g);
  return [
    ...(withoutEnvironment.has(pathname) ? [] : searchParams.getAll('environment')).map((value): [string, string] => [
      'environment',
      value,
    ]),
    ...[...terms].map(([, name = '', value = '']): [string, string] => [name.trim(), value]),
  ].filter(([name]) => !['is', 'level', 'title'].includes(name));
}

function patchOf(name: string, value: string): EventPatch {
  if (name === 'environment' || name === 'release') return { [name]: value };
  return { tags: [[name, value]] };
}

/** Facts that an event of each issue must have, because recorded lists with filters include the issue. */
function factsOf(recordings: readonly Recorded[]): Map<string, Map<string, EventPatch>> {
  const facts = new Map<string, Map<string, EventPatch>>();
  const withoutEnvironment = routesWithoutEnvironment(recordings);
  for (const recorded of recordings) {
    for (const [name, value] of recorded.status === 200 ? filtersOf(recorded.request.path, withoutEnvironment) : []) {
      for (const row of rowsOf(recorded).filter(isIssue)) {
        const own = facts.get(row.id) ?? new Map<string, EventPatch>();
        facts.set(row.id, own.set(`${name}:${value}`, patchOf(name, value)));
      }
    }
  }
  return facts;
}

/** Ids of recorded events by issue. */
function eventIdsOf(recordings: readonly Recorded[]): Map<string, Set<string>> {
  const ids = new Map<string, Set<string>>();
  for (const recorded of recordings.filter(({ status }) => status === 200)) {
    for (const row of rowsOf(recorded) as (Record<string, unknown> | null)[]) {
      const [event, issue] = [row?.eventID ?? row?.event_id, row?.groupID ?? row?.group_id];
      if (typeof event !== 'string' || typeof issue !== 'string') continue;
      ids.set(issue, (ids.get(issue) ?? new Set()).add(event));
    }
  }
  return ids;
}

/** Adds all recorded issues to the projects of a fake, in their last recorded state. */
export function fillFromRecordings(world: World, recordings: readonly Recorded[]): void {
  const bySlug = new Map(world.projects.map((project): [string, FakeProject] => [project.slug, project]));
  const issues = new Map<string, RecordedIssue>();
  for (const row of recordings.flatMap(rowsOf).filter(isIssue)) {
    const known = issues.get(row.id);
    if (known === undefined || Number(row.count) >= Number(known.count)) issues.set(row.id, { ...known, ...row });
  }
  const [facts, eventIds] = [factsOf(recordings), eventIdsOf(recordings)];
  // Adds older issues first, because ids of trackers grow with time.
  const inOrder = [...issues.values()].sort((a, b) => a.firstSeen.localeCompare(b.firstSeen));
  for (const row of inOrder) {
    const project = bySlug.get(row.project.slug);
    if (project === undefined) continue;
    const arrivals = [Date.parse(row.firstSeen), Date.parse(row.lastSeen)];
    const count = Number(row.count);
    const ids = [...(eventIds.get(row.id) ?? [])];
    const patches = [...(facts.get(row.id)?.values() ?? [])];
    const users = Math.max(1, Math.min(row.userCount ?? 1, count));
    world.addIssue(project, {
      id: row.id,
      title: row.title,
      type: row.metadata.type ?? null,
      message: row.metadata.value ?? row.title,
      culprit: row.culprit,
      level: row.level,
      status: row.status,
      events: Array.from({ length: Math.max(1, count) }, (_, index) => {
        const at = index === 0 ? arrivals[0]! : arrivals[1]!;
        const id = ids[count - 1 - index];
        const own = patches.filter((__, which) => which % Math.max(1, count) === index);
        return {
          at,
          // If the last event is older than the first, both arrived in this order nevertheless.
          receivedAt: arrivals[0]! <= arrivals[1]! ? at : world.now - count + index,
          environment: 'production',
          release: 'shop@2.0.0',
          user: String((index % users) + 1),
          ...Object.assign({}, ...own, { tags: [['browser', 'Firefox 128'], ...own.flatMap(({ tags = [] }) => tags)] }),
          ...(id === undefined ? {} : { id }),
        };
      }),
    });
  }
}
