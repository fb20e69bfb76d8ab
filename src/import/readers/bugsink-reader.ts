import type { ImportedRelease } from '../../domain/import.ts';
import type { FrequencyPoint } from '../../domain/tracked-error.ts';
import { isRecord } from '../../lib/own-property.ts';
import { countOf, eventIdOf, filledText, listOf } from '../../thirdparty/map/values.ts';
import { eventFromSdk } from '../sdk-body/raw-event.ts';
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
} from '../tracker-reader.ts';
import { BUGSINK_ROOT } from './bugsink-routes.ts';
import { bugsinkPages } from './bugsink-pages.ts';
import { bugsinkIssue } from './bugsink-issue.ts';
import { isTooBig } from './paged-list.ts';
import { keyInDsn } from './project-keys.ts';
import { remoteProject } from './remote-project.ts';
import { remoteRelease } from './remote-release.ts';
import { refusal, timeOfReply, type SourceAccess } from './source-access.ts';

const MAX_PROJECTS = 10_000;
const MAX_RELEASES = 100_000;
const MAX_NEWEST = 100;

const CANNOT = [
  'comments: Bugsink lets nobody read them',
  'user reports, assignees, numbers of affected users, and counts by day or hour',
  'events that Bugsink has deleted: it keeps a number of events, not a time',
  'one event for each grouping key: Bugsink does not show its keys, so the newest and the oldest events are compared',
  'the issue of an event by its id: events of a dual run are joined by their group keys',
  'members: Bugsink has no list of them in its API',
  'keys other than the one in the DSN of each project',
] as const;

/** Reads Bugsink over its canonical API. Projects are named by their number in requests, so a new slug changes nothing. */
export class BugsinkReader implements TrackerReader {
  readonly kind = 'bugsink';
  readonly version: string | null;
  readonly #access: SourceAccess;
  readonly #close: () => void;
  /** Rows of projects by slug. */
  #projects: Promise<Map<string, Record<string, unknown>>> | null = null;

  constructor(
    access: SourceAccess,
    { version, close }: { readonly version: string | null; readonly close: () => void },
  ) {
    this.version = version;
    this.#access = access;
    this.#close = close;
    for (const sentence of CANNOT) access.cannot.add(sentence);
  }

  get cannot(): readonly string[] {
    return this.#access.cannot.list;
  }

  lacks(): readonly string[] {
    return [];
  }

  async *projects(signal: AbortSignal): AsyncGenerator<RemoteProject> {
    this.#projects = null;
    for (const row of (await this.#allProjects(signal)).values()) {
      const project = remoteProject(row);
      if (project !== null) yield project;
    }
  }

  async *keys(project: string, signal: AbortSignal): AsyncGenerator<RemoteKey> {
    const publicKey = keyInDsn((await this.#project(project, signal)).dsn);
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
      ['project', await this.#idOf(project, signal)],
      ['sort', sort],
      ['order', 'desc'],
    ];
    const seen = new Set<string>();
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
          issues.push(issue);
        }
      }
      yield { issues, leftOut, at, next: page.next };
    }
  }

  async issue(project: string, id: string, signal: AbortSignal): Promise<{ issue: RemoteIssue; at: number } | null> {
    const reply = await this.#access.asker.ask({ path: `${BUGSINK_ROOT}issues/${encodeURIComponent(id)}/`, signal });
    if (reply.status === 404) return null;
    if (!reply.ok) throw refusal(this.#access, reply, { doing: 'show an error', scope: 'issues:read' });
    const at = timeOfReply(this.#access, reply);
    const issue = bugsinkIssue(reply.body, this.#access.baseUrl, at);
    const own = isRecord(reply.body) ? filledText(reply.body.project) : null;
    return issue === null || own !== (await this.#idOf(project, signal)) ? null : { issue, at };
  }

  async *events(
    _project: string,
    issueId: string,
    { newest }: EventsWanted,
    signal: AbortSignal,
  ): AsyncGenerator<RemoteEvent> {
    const ids = new Set<string>();
    for (const [order, wanted] of [
      ['desc', Math.min(Math.max(newest, 1), MAX_NEWEST)],
      ['asc', 1],
    ] as const) {
      const query: [string, string][] = [
        ['issue', issueId],
        ['order', order],
      ];
      let left: number = wanted;
      for await (const page of bugsinkPages(this.#access, { thing: 'events', query, from: null }, signal)) {
        for (const row of page.rows.slice(0, left)) {
          left -= 1;
          const id = isRecord(row) ? filledText(row.id) : null;
          if (id !== null && /^[\w-]{1,64}$/.test(id)) ids.add(id);
        }
        if (left <= 0) break;
      }
    }
    for (const id of ids) {
      const event = await this.#event(id, signal);
      if (event !== null) yield event;
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

  comments(): Promise<RemoteComment[]> {
    return Promise.resolve([]);
  }

  reports(): Promise<RemoteReport[]> {
    return Promise.resolve([]);
  }

  async *releases(project: string, signal: AbortSignal): AsyncGenerator<ImportedRelease> {
    const query: [string, string][] = [['project', await this.#idOf(project, signal)]];
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

  issueOfEvent(): Promise<null> {
    return Promise.resolve(null);
  }

  days(): Promise<readonly FrequencyPoint[] | null> {
    return Promise.resolve(null);
  }

  async alertRules(project: string, signal: AbortSignal): Promise<string[]> {
    const row = await this.#project(project, signal);
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

  #allProjects(signal: AbortSignal): Promise<Map<string, Record<string, unknown>>> {
    this.#projects ??= this.#readProjects(signal);
    this.#projects.catch(() => (this.#projects = null));
    return this.#projects;
  }

  async #readProjects(signal: AbortSignal): Promise<Map<string, Record<string, unknown>>> {
    const projects = new Map<string, Record<string, unknown>>();
    for await (const page of bugsinkPages(this.#access, { thing: 'projects', query: [], from: null }, signal)) {
      for (const row of listOf(page.rows)) {
        const slug = remoteProject(row)?.slug;
        if (isRecord(row) && slug !== undefined && projects.size < MAX_PROJECTS) projects.set(slug, row);
      }
      if (projects.size >= MAX_PROJECTS) break;
    }
    return projects;
  }

  async #project(slug: string, signal: AbortSignal): Promise<Record<string, unknown>> {
    const row = (await this.#allProjects(signal)).get(slug);
    if (row !== undefined) return row;
    const reply = { status: 404, ok: false, body: null, link: null, detail: null };
    throw refusal(this.#access, reply, { doing: `show the project ${slug}`, scope: 'projects:read' });
  }

  async #idOf(slug: string, signal: AbortSignal): Promise<string> {
    return String(countOf((await this.#project(slug, signal)).id) ?? slug);
  }
}
