import { sideBySide } from '../../src/import/side-by-side.ts';
import { isRecord } from '../../src/lib/own-property.ts';
import {
  askTracker,
  type OldAccess,
  type OldFacts,
  type OldIssue,
  type OldState,
  type OldTracker,
  projectIdIn,
} from './old-tracker.ts';

type Row = Record<string, unknown>;

/** Issues of one request for their charts. */
const CHARTS_AT_ONCE = 50;
const MAX_EVENTS = 20;
/** Issues that are read at once. */
const AT_ONCE = 4;

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** Tracker that speaks Sentry's API: GlitchTip, Urgentry. */
export class OldSentry implements OldTracker {
  readonly access: OldAccess;

  constructor(access: OldAccess) {
    this.access = access;
  }

  async projectSlug(): Promise<string> {
    const { org } = this.access;
    const id = projectIdIn(this.access);
    const projects = await this.#all(`api/0/organizations/${org}/projects/`);
    const slug = projects.find((one) => String(one['id']) === id)?.['slug'];
    if (typeof slug !== 'string') throw new Error(`${org} has no project with the id ${id}`);
    return slug;
  }

  async listIssues(slug: string): Promise<OldIssue[]> {
    const rows = await this.#all(`api/0/projects/${this.access.org}/${slug}/issues/?query=&limit=100`);
    this.#rows = new Map(rows.map((row) => [String(row['id']), row]));
    return rows.map((row) => ({
      id: String(row['id']),
      count: Number(row['count']),
      text: JSON.stringify([row['title'], row['metadata']]),
    }));
  }

  /** Rows of the newest list, by id. */
  #rows = new Map<string, Row>();

  async factsOf(issues: readonly OldIssue[]): Promise<Map<string, OldFacts>> {
    const charts = await this.#charts(issues.map(({ id }) => id));
    const facts = new Map<string, OldFacts>();
    await sideBySide(issues, AT_ONCE, async ({ id }) => {
      const row = this.#rows.get(id) ?? {};
      const events = await this.#all(`api/0/issues/${id}/events/`, MAX_EVENTS);
      const notes = Number(row['numComments']) > 0 ? await this.#all(`api/0/issues/${id}/comments/`) : [];
      const [newest, oldest] = [events[0] ?? {}, events.at(-1) ?? {}];
      facts.set(id, {
        status: String(row['status']),
        level: textOf(row['level']),
        platform: textOf(newest['platform']),
        culprit: textOf(row['culprit']) ?? textOf(newest['culprit']),
        // GlitchTip shows the number of events in the place of users.
        users: null,
        hours: charts.get(id) ?? null,
        firstRelease: events.length >= Number(row['count']) ? releaseOf(oldest) : null,
        comments: notes.map((note) => String(isRecord(note['data']) ? note['data']['text'] : '')).sort(),
        events: events.length,
      });
    });
    return facts;
  }

  async setState(issueId: string, state: OldState): Promise<void> {
    const put = (status: string) =>
      askTracker(this.access, `api/0/issues/${issueId}/`, { method: 'PUT', body: { status } });
    if (state === 'commented') {
      const body = { data: { text: `seen with **issue ${issueId}**` } };
      await askTracker(this.access, `api/0/issues/${issueId}/comments/`, { method: 'POST', body });
      return;
    }
    await put(state === 'ignored' ? 'ignored' : 'resolved');
    if (state === 'reopened') await put('unresolved');
  }

  /** Charts of 24 hours, as GlitchTip shows them; trackers without the route have none. */
  async #charts(ids: readonly string[]): Promise<Map<string, Map<number, number>>> {
    const charts = new Map<string, Map<number, number>>();
    for (let from = 0; from < ids.length; from += CHARTS_AT_ONCE) {
      const groups = ids.slice(from, from + CHARTS_AT_ONCE).map((id) => `groups=${id}`);
      const path = `api/0/organizations/${this.access.org}/issues-stats/?${groups.join('&')}`;
      const answer = await askTracker(this.access, path).catch(() => null);
      if (answer === null) return charts;
      for (const row of (await answer.json()) as Row[]) {
        const day = isRecord(row['stats']) ? row['stats']['24h'] : null;
        const points = (Array.isArray(day) ? day : []) as [number, number][];
        charts.set(String(row['id']), new Map(points.filter(([, count]) => count > 0)));
      }
    }
    return charts;
  }

  /** All rows of a list, at most `limit`. */
  async #all(path: string, limit = Infinity): Promise<Row[]> {
    const all: Row[] = [];
    let next: string | null = path;
    while (next !== null && all.length < limit) {
      const answer: Response = await askTracker(this.access, next);
      const rows: unknown = await answer.json();
      if (!Array.isArray(rows)) throw new Error(`${next} answered no list`);
      all.push(...rows.filter(isRecord));
      const link = answer.headers.get('link') ?? '';
      next = /<([^<>]+)>;\s*rel="next";\s*results="true"/.exec(link)?.[1] ?? null;
    }
    return all.slice(0, limit);
  }
}

function releaseOf(event: Row): string | null {
  const tags = Array.isArray(event['tags']) ? event['tags'].filter(isRecord) : [];
  const { release } = event;
  return textOf(
    tags.find(({ key }) => key === 'release')?.['value'] ?? (isRecord(release) ? release['version'] : null),
  );
}
