import type { ImportedRelease } from '../../../domain/imports/import.ts';
import type { FrequencyPoint } from '../../../domain/errors/tracked-error.ts';
import { LRUCache } from 'lru-cache';
import { isRecord } from '../../../lib/own-property.ts';
import { DAY_SECONDS, HOUR_SECONDS } from '../../../thirdparty/map/frequency.ts';
import { eventIdOf, filledText } from '../../../thirdparty/map/values.ts';
import { eventFromSdk } from '../../sdk-body/raw-event.ts';
import type {
  EventsWanted,
  IssuePage,
  RemoteComment,
  RemoteEvent,
  RemoteIssue,
  RemoteKey,
  RemoteProject,
  RemoteReport,
  TrackerReader,
} from '../../tracker-reader.ts';
import { BUGSINK_ROOT } from './bugsink-routes.ts';
import { type BugsinkHistory, historyOf, hourlyCounts } from './bugsink-history.ts';
import { bugsinkPages } from './bugsink-pages.ts';
import { BugsinkParts } from './bugsink-parts.ts';
import { BugsinkProjects } from './bugsink-projects.ts';
import { bugsinkIssue } from './bugsink-issue.ts';
import { isTooBig } from '../access/paged-list.ts';
import { byDay } from '../remote/project-days.ts';
import { keyInDsn } from '../remote/project-keys.ts';
import { chartOf } from '../remote/remote-issue.ts';
import { remoteProject } from '../remote/remote-project.ts';
import { remoteRelease } from '../remote/remote-release.ts';
import { refusal, timeOfReply, type SourceAccess } from '../access/source-access.ts';
import { DAY_MS } from '../../../domain/durations.ts';

const MAX_RELEASES = 100_000;
const MAX_NEWEST = 100;

/** Grouping keys of one issue whose events are looked for. */
const MAX_GROUPINGS = 200;
/** Pages of 250 events in which they are looked for. */
const MAX_GROUPING_PAGES = 20;
const MAX_HISTORY = 10_000;
/** Issues whose comments wait to be asked for. */
const MAX_COMMENTS_KEPT = 1000;
/** Days of charts and comparisons, today included. */
const CHART_DAYS = 30;

const CANNOT = [
  'user reports, assignees and numbers of affected users',
  'events that Bugsink has deleted: it keeps a number of events, not a time',
  'members: Bugsink has no list of them in its API',
  'keys other than the one in the DSN of each project',
] as const;

/** Reads Bugsink over its canonical API. Projects are named by their number in requests, so a new slug changes nothing. */
export class BugsinkReader implements TrackerReader {
  readonly kind = 'bugsink';
  #version: string | null;
  readonly #parts: BugsinkParts;
  /** Comments of issues whose history was read. */
  readonly #comments = new LRUCache<string, readonly RemoteComment[]>({ max: MAX_COMMENTS_KEPT });
  readonly #access: SourceAccess;
  readonly #close: () => void;
  readonly #projects: BugsinkProjects;

  constructor(
    access: SourceAccess,
    { version, close }: { readonly version: string | null; readonly close: () => void },
  ) {
    this.#version = version;
    this.#access = access;
    this.#parts = new BugsinkParts(access);
    this.#projects = new BugsinkProjects(access);
    this.#close = close;
    for (const sentence of CANNOT) access.cannot.add(sentence);
  }

  get version(): string | null {
    return this.#version;
  }

  get cannot(): readonly string[] {
    return this.#access.cannot.list;
  }

  lacks(): readonly string[] {
    return [];
  }

  async *projects(signal: AbortSignal): AsyncGenerator<RemoteProject> {
    this.#projects.forget();
    this.#version = (await this.#parts.learn(signal)) ?? this.#version;
    for (const row of (await this.#projects.all(signal)).values()) {
      const project = remoteProject(row);
      if (project !== null) yield project;
    }
  }

  async *keys(project: string, signal: AbortSignal): AsyncGenerator<RemoteKey> {
    const publicKey = keyInDsn((await this.#projects.row(project, signal)).dsn);
    if (publicKey !== null) yield { publicKey, label: null, active: true, rateLimit: null };
  }

  async *issues(
    project: string,
    order: 'all' | 'recent',
    from: string | null,
    signal: AbortSignal,
  ): AsyncGenerator<IssuePage> {
    const sort = order === 'all' ? 'digest_order' : 'last_seen';
    const query: [string, string][] = [
      ['project', await this.#projects.idOf(project, signal)],
      ['sort', sort],
      ['order', 'desc'],
    ];
    const seen = new Set<string>();
    const isWhole =
      !(await this.#parts.mayHave('history', signal)) && !(await this.#parts.mayHave('issueCounts', signal));
    for await (const page of bugsinkPages(this.#access, { thing: 'issues', query, from }, signal)) {
      const at = timeOfReply(this.#access, page.reply);
      const issues: RemoteIssue[] = [];
      const leftOut: { id: string | null; reason: string }[] = [];
      for (const row of page.rows) {
        const issue = bugsinkIssue(row, this.#access.baseUrl, at);
        if (issue === null) {
          leftOut.push({ id: isRecord(row) ? filledText(row.id) : null, reason: 'it has no usable id' });
        } else if (!seen.has(issue.id)) {
          seen.add(issue.id);
          issues.push({ ...issue, isWhole });
        }
      }
      yield { issues, leftOut, at, next: page.next };
    }
  }

  async issue(
    project: string,
    id: string,
    signal: AbortSignal,
    { charts = true } = {},
  ): Promise<{ issue: RemoteIssue; at: number } | null> {
    const reply = await this.#access.asker.ask({ path: `${BUGSINK_ROOT}issues/${encodeURIComponent(id)}/`, signal });
    if (reply.status === 404) return null;
    if (!reply.ok) throw refusal(this.#access, reply, { doing: 'show an error', scope: 'issues:read' });
    const at = timeOfReply(this.#access, reply);
    const issue = bugsinkIssue(reply.body, this.#access.baseUrl, at);
    const own = isRecord(reply.body) ? filledText(reply.body.project) : null;
    if (issue === null || own !== (await this.#projects.idOf(project, signal))) return null;
    const history = await this.#history(id, signal);
    const hours = charts ? await this.#counts('issueCounts', `issues/${encodeURIComponent(id)}`, signal) : null;
    const { status } = issue;
    const changedAt = status === null ? null : (history?.changedAt.get(status.status) ?? null);
    return {
      issue: {
        ...issue,
        status: status === null ? null : { ...status, changedAt },
        commentCount: history?.comments.length ?? 0,
        hours: chartOf(hours, 24, HOUR_SECONDS, at),
        days: chartOf(hours === null ? null : byDay(hours), CHART_DAYS, DAY_SECONDS, at),
      },
      at,
    };
  }

  /** History of an issue; null: this version does not show it. */
  #history(id: string, signal: AbortSignal): Promise<BugsinkHistory | null> {
    return this.#parts.read('history', signal, async () => {
      const rows: unknown[] = [];
      let at = this.#access.clock.now();
      const list = { thing: 'issue-history', query: [['issue', id]], from: null, scope: 'issues:read' } as const;
      for await (const page of bugsinkPages(this.#access, list, signal)) {
        at = timeOfReply(this.#access, page.reply);
        rows.push(...page.rows);
        if (rows.length >= MAX_HISTORY) break;
      }
      const history = historyOf(rows, at);
      this.#comments.set(id, history.comments);
      return history;
    });
  }

  /** Counts per hour of the last 30 UTC days; null: this version does not show them. */
  #counts(part: 'issueCounts' | 'projectCounts', of: string, signal: AbortSignal): Promise<FrequencyPoint[] | null> {
    return this.#parts.read(part, signal, async () => {
      const start = Math.floor(this.#access.clock.now() / DAY_MS - CHART_DAYS + 1) * DAY_MS;
      const query = [['start', new Date(start).toISOString()]] as const;
      const reply = await this.#access.asker.ask({ path: `${BUGSINK_ROOT}${of}/event-counts/`, query, signal });
      if (!reply.ok)
        throw refusal(this.#access, reply, { doing: 'count the events', scope: `${of.split('/')[0] ?? ''}:read` });
      return hourlyCounts(reply.body);
    });
  }

  async *events(
    _project: string,
    issueId: string,
    { newest }: EventsWanted,
    signal: AbortSignal,
  ): AsyncGenerator<RemoteEvent> {
    const ids = await this.#newestIds(issueId, Math.min(Math.max(newest, 1), MAX_NEWEST), signal);
    for await (const { rows } of this.#eventPages(issueId, 'asc', signal)) {
      for (const { id } of rows.slice(0, 1)) ids.add(id);
      break;
    }
    for (const id of ids) {
      const event = await this.#event(id, signal);
      if (event !== null) yield event;
    }
  }

  /** Ids of the newest events, and of the newest one of each grouping key. */
  async #newestIds(issueId: string, wanted: number, signal: AbortSignal): Promise<Set<string>> {
    const ids = new Set<string>();
    const byGrouping = new Map<string, string>();
    let groupings: ReadonlySet<string> | null | undefined;
    let pages = 0;
    for await (const { rows, isLast } of this.#eventPages(issueId, 'desc', signal)) {
      for (const { id, grouping } of rows) {
        if (ids.size < wanted) ids.add(id);
        const isNew = grouping !== null && !byGrouping.has(grouping) && byGrouping.size < MAX_GROUPINGS;
        if (isNew) byGrouping.set(grouping, id);
      }
      pages += 1;
      if (isLast || pages >= MAX_GROUPING_PAGES) break;
      if (ids.size < wanted) continue;
      groupings = groupings === undefined ? await this.#groupings(issueId, signal) : groupings;
      if (groupings === null || [...groupings].every((one) => byGrouping.has(one))) break;
    }
    for (const id of byGrouping.values()) ids.add(id);
    return ids;
  }

  /** Ids of the grouping keys of an issue; null: this version does not show them. */
  #groupings(issueId: string, signal: AbortSignal): Promise<ReadonlySet<string> | null> {
    return this.#parts.read('grouping', signal, async () => {
      const thing = `issues/${encodeURIComponent(issueId)}/grouping` as const;
      const found = new Set<string>();
      const list = { thing, query: [], from: null, scope: 'events:read' } as const;
      for await (const page of bugsinkPages(this.#access, list, signal)) {
        for (const row of page.rows) {
          const id = isRecord(row) ? filledText(row.id) : null;
          if (id !== null && found.size < MAX_GROUPINGS) found.add(id);
        }
      }
      return found;
    });
  }

  async *#eventPages(issueId: string, order: 'asc' | 'desc', signal: AbortSignal) {
    const query: [string, string][] = [
      ['issue', issueId],
      ['order', order],
    ];
    for await (const page of bugsinkPages(this.#access, { thing: 'events', query, from: null }, signal)) {
      const rows = page.rows.flatMap((row) => {
        const id = isRecord(row) ? (filledText(row.id) ?? '') : '';
        return isRecord(row) && /^[\w-]{1,64}$/.test(id) ? [{ id, grouping: filledText(row.grouping) }] : [];
      });
      yield { rows, isLast: page.next === null };
    }
  }

  async #event(id: string, signal: AbortSignal): Promise<RemoteEvent | null> {
    try {
      const reply = await this.#access.asker.ask({ path: `${BUGSINK_ROOT}events/${encodeURIComponent(id)}/`, signal });
      if (reply.status === 404) return null;
      if (!reply.ok) throw refusal(this.#access, reply, { doing: 'show an event', scope: 'events:read' });
      const row = isRecord(reply.body) ? reply.body : {};
      const eventId = eventIdOf(row.event_id);
      return eventId === null ? null : eventFromSdk(row.data, eventId, row.timestamp, this.#access.clock.now());
    } catch (error) {
      if (!isTooBig(error)) throw error;
      this.#access.cannot.add(`event ${id}: ${error.message}`);
      return null;
    }
  }

  async comments(_project: string, issueId: string, signal: AbortSignal): Promise<RemoteComment[]> {
    const known = this.#comments.get(issueId) ?? (await this.#history(issueId, signal))?.comments ?? [];
    this.#comments.delete(issueId);
    return [...known];
  }

  reports(): Promise<RemoteReport[]> {
    return Promise.resolve([]);
  }

  /** Null: lists have no comments. */
  readonly reportsSince = (): Promise<null> => Promise.resolve(null);

  async *releases(project: string, signal: AbortSignal): AsyncGenerator<ImportedRelease> {
    const query: [string, string][] = [['project', await this.#projects.idOf(project, signal)]];
    let left = MAX_RELEASES;
    for await (const page of bugsinkPages(this.#access, { thing: 'releases', query, from: null }, signal)) {
      const at = timeOfReply(this.#access, page.reply);
      for (const row of page.rows) {
        const release = remoteRelease(row, at);
        left -= 1;
        if (release !== null) yield release;
      }
      if (left <= 0) return;
    }
  }

  async issueOfEvent(project: string, eventId: string, signal: AbortSignal): Promise<string | null> {
    // An unknown event and an unknown route are both answered 404.
    if (!(await this.#parts.has('lookup', signal))) return null;
    const query = [
      ['project', await this.#projects.idOf(project, signal)],
      ['event_id', eventId],
    ] as const;
    const reply = await this.#access.asker.ask({ path: `${BUGSINK_ROOT}events/lookup/`, query, signal });
    if (reply.status === 404) return null;
    if (!reply.ok) throw refusal(this.#access, reply, { doing: 'look an event up', scope: 'events:read' });
    const issueId = isRecord(reply.body) ? (filledText(reply.body.issue) ?? '') : '';
    return /^[\w-]{1,64}$/.test(issueId) ? issueId : null;
  }

  async days(project: string, signal: AbortSignal): Promise<readonly FrequencyPoint[] | null> {
    const hours = await this.#counts('projectCounts', `projects/${await this.#projects.idOf(project, signal)}`, signal);
    return hours === null ? null : byDay(hours);
  }

  async alertRules(project: string, signal: AbortSignal): Promise<string[]> {
    const row = await this.#projects.row(project, signal);
    const rules: readonly (readonly [string, string])[] = [
      ['alert_on_new_issue', 'alert on a new error'],
      ['alert_on_regression', 'alert on an error that came back'],
      ['alert_on_unmute', 'alert on an error that is no longer muted'],
    ];
    return rules.filter(([member]) => row[member] === true).map(([, text]) => text);
  }

  members(): Promise<[]> {
    return Promise.resolve([]);
  }

  close(): void {
    this.#close();
  }
}
