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

const ROOT = 'api/canonical/0/';
const MAX_EVENTS = 20;
/** Issues that are read at once. */
const AT_ONCE = 4;

/** Routes of the states that an issue can be given. */
const ACTIONS: Readonly<Record<Exclude<OldState, 'commented'>, readonly string[]>> = {
  resolved: ['resolve'],
  resolved_next: ['resolve-next'],
  ignored: ['mute'],
  reopened: ['resolve', 'reopen'],
};

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** Bugsink from 2.6 on, over its canonical API. */
export class OldBugsink implements OldTracker {
  readonly access: OldAccess;
  /** Rows of the newest list, by id. */
  #rows = new Map<string, Row>();

  constructor(access: OldAccess) {
    this.access = access;
  }

  async projectSlug(): Promise<string> {
    const id = projectIdIn(this.access);
    const slug = (await this.#all('projects/')).find((one) => String(one['id']) === id)?.['slug'];
    if (typeof slug !== 'string') throw new Error(`Bugsink has no project with the id ${id}`);
    return slug;
  }

  async listIssues(): Promise<OldIssue[]> {
    const rows = await this.#all(`issues/?project=${projectIdIn(this.access)}`);
    this.#rows = new Map(rows.map((row) => [String(row['id']), row]));
    return rows.map((row) => ({
      id: String(row['id']),
      count: Number(row['digested_event_count']),
      text: JSON.stringify([row['calculated_type'], row['calculated_value']]),
    }));
  }

  async factsOf(issues: readonly OldIssue[]): Promise<Map<string, OldFacts>> {
    const facts = new Map<string, OldFacts>();
    await sideBySide(issues, AT_ONCE, async ({ id }) => {
      const row = this.#rows.get(id) ?? {};
      const events = await this.#all(`events/?issue=${id}&order=desc`);
      const [newest, oldest] = [await this.#payload(events[0]), await this.#payload(events.at(-1))];
      const history = await this.#all(`issue-history/?issue=${id}`);
      facts.set(id, {
        status: statusOf(row),
        level: textOf(newest['level']),
        platform: textOf(newest['platform']),
        culprit: textOf(row['transaction']),
        users: null,
        hours: await this.#hours(id),
        firstRelease: events.length >= Number(row['digested_event_count']) ? textOf(oldest['release']) : null,
        comments: history.flatMap(({ comment }) => textOf(comment) ?? []).sort(),
        events: Math.min(events.length, MAX_EVENTS),
      });
    });
    return facts;
  }

  async setState(issueId: string, state: OldState): Promise<void> {
    const post = (path: string, body?: object) =>
      askTracker(this.access, ROOT + path, { method: 'POST', ...(body === undefined ? {} : { body }) });
    if (state === 'commented') {
      await post('issue-comments/', { issue: issueId, comment: `seen with **issue ${issueId}**` });
      return;
    }
    for (const action of ACTIONS[state]) await post(`issues/${issueId}/${action}/`);
  }

  async #payload(event: Row | undefined): Promise<Row> {
    if (event === undefined) return {};
    const { data } = (await (await askTracker(this.access, `${ROOT}events/${String(event['id'])}/`)).json()) as Row;
    return isRecord(data) ? data : {};
  }

  async #hours(id: string): Promise<Map<number, number>> {
    const { buckets } = (await (await askTracker(this.access, `${ROOT}issues/${id}/event-counts/`)).json()) as {
      buckets: { timestamp: string; count: number }[];
    };
    return new Map(
      buckets.filter(({ count }) => count > 0).map(({ timestamp, count }) => [Date.parse(timestamp) / 1000, count]),
    );
  }

  async #all(path: string): Promise<Row[]> {
    const all: Row[] = [];
    let next: string | null = ROOT + path;
    while (next !== null) {
      const page = (await (await askTracker(this.access, next)).json()) as { results: Row[]; next: string | null };
      all.push(...page.results);
      ({ next } = page);
    }
    return all;
  }
}

function statusOf(row: Row): string {
  if (row['is_resolved'] === true || row['is_resolved_by_next_release'] === true) return 'resolved';
  return row['is_muted'] === true ? 'ignored' : 'unresolved';
}
