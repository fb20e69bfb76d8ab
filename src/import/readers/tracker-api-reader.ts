import type { ImportedRelease } from '../../domain/imports/import.ts';
import type { FrequencyPoint } from '../../domain/errors/tracked-error.ts';
import { isRecord } from '../../lib/own-property.ts';
import type { TrackerReply } from '../../thirdparty/http/answer.ts';
import { eventIdOf, filledText, listOf } from '../../thirdparty/map/values.ts';
import { apiPath } from '../../thirdparty/session.ts';
import type {
  EventsWanted,
  IssuePage,
  PoorPart,
  RemoteComment,
  RemoteEvent,
  RemoteIssue,
  RemoteKey,
  RemoteMember,
  RemoteProject,
  RemoteReport,
  TrackerReader,
} from '../tracker-reader.ts';
import { TRACKER_TRAITS } from '../../thirdparty/dialect/tracker-traits.ts';
import { alertText, ruleText, workflowText } from './remote/alert-rules.ts';
import { IssueCharts } from './issue-charts.ts';
import { issueEvents } from './issue-events.ts';
import { issuePages } from './issue-pages.ts';
import { remoteComment, remoteReport } from './remote/people-work.ts';
import { readDays } from './read-days.ts';
import { remoteKey } from './remote/project-keys.ts';
import { ProjectNames, projectIdIn, projectRows } from './project-names.ts';
import { remoteIssue } from './remote/remote-issue.ts';
import { remoteMember } from './remote/remote-member.ts';
import { remoteProject } from './remote/remote-project.ts';
import { remoteRelease } from './remote/remote-release.ts';
import { smallList, type SmallListOptions } from './small-list.ts';
import { projectList } from './project-list.ts';
import { MAX_REPORTS, ProjectReports } from './project-reports.ts';
import { doWithout, refusal, timeOfReply, type SourceAccess } from './access/source-access.ts';
import { SOURCE_DIALECTS, type SourceDialect } from './source-dialect.ts';

/** Rows of one list that are read. */
const MAX_KEYS = 1000;
const MAX_COMMENTS = 1000;
const MAX_RELEASES = 100_000;
const MAX_RULES = 1000;
const MAX_MEMBERS = 1000;
const ISSUE_ID = /^[\w-]{1,64}$/;

interface OptionalList {
  readonly maxRows: number;
  readonly what: string;
  readonly scope: string;
}

export interface TrackerApiReaderOptions {
  readonly kind: keyof typeof SOURCE_DIALECTS;
  readonly version: string | null;
  /** Ids of projects by slug, as known from an earlier run: finds those that were renamed since. */
  readonly projectIds: ReadonlyMap<string, string>;
  readonly close: () => void;
}

/** Reads trackers that speak Sentry's API: Sentry, GlitchTip and Urgentry. */
export class TrackerApiReader implements TrackerReader {
  readonly kind: keyof typeof SOURCE_DIALECTS;
  readonly version: string | null;
  readonly #access: SourceAccess;
  readonly #dialect: SourceDialect;
  readonly #names: ProjectNames;
  readonly #close: () => void;
  /** Null: issues have their charts. */
  readonly #charts: IssueCharts | null;
  readonly #projectReports: ProjectReports;

  constructor(access: SourceAccess, { kind, version, projectIds, close }: TrackerApiReaderOptions) {
    this.kind = kind;
    this.version = version;
    this.#access = access;
    this.#dialect = SOURCE_DIALECTS[kind];
    this.#names = new ProjectNames(access, this.#dialect, projectIds);
    this.#close = close;
    this.#charts = TRACKER_TRAITS[kind].chartsApart ? new IssueCharts(access) : null;
    this.#projectReports = new ProjectReports(this.#parts(), (project, eventId, signal) =>
      this.issueOfEvent(project, eventId, signal),
    );
    for (const sentence of this.#dialect.cannot) access.cannot.add(sentence);
  }

  get cannot(): readonly string[] {
    return this.#access.cannot.list;
  }

  lacks(part: PoorPart): readonly string[] {
    return this.#access.lacks[part].list;
  }

  async *projects(signal: AbortSignal): AsyncGenerator<RemoteProject> {
    const seen = new Set<string>();
    for await (const row of projectRows(this.#access, this.#dialect, signal)) {
      const project = remoteProject(row);
      if (project === null) {
        this.#access.cannot.add('a project without a usable slug');
        continue;
      }
      if (project.id !== null) this.#names.learn(project.slug, project.id);
      if (seen.has(project.slug)) continue;
      seen.add(project.slug);
      yield project;
    }
  }

  async *keys(project: string, signal: AbortSignal): AsyncGenerator<RemoteKey> {
    const seen = new Set<string>();
    const path = (slug: string): string => apiPath('projects', this.#access.organization, slug, 'keys');
    const rows = projectList(this.#parts(), project, path, {
      maxRows: MAX_KEYS,
      what: 'keys',
      refused: (reply) => {
        throw refusal(this.#access, reply, { doing: 'list the keys of a project', scope: 'project:read' });
      },
      signal,
    });
    for await (const { row } of rows) {
      const key = remoteKey(row);
      if (key === null || seen.has(key.publicKey)) continue;
      seen.add(key.publicKey);
      yield key;
    }
  }

  async *issues(
    project: string,
    order: 'all' | 'recent',
    from: string | null,
    signal: AbortSignal,
  ): AsyncGenerator<IssuePage> {
    for await (const page of issuePages({ ...this.#parts(), project, order, signal }, from))
      yield this.#charts === null ? page : { ...page, issues: await this.#charts.addTo(page.issues, signal) };
  }

  async issue(
    project: string,
    id: string,
    signal: AbortSignal,
    { charts = true } = {},
  ): Promise<{ issue: RemoteIssue; at: number } | null> {
    const { asker, baseUrl, organization } = this.#access;
    const reply = await asker.ask({ path: this.#dialect.issue(organization, id), signal });
    if (reply.status === 404) return null;
    if (!reply.ok) throw refusal(this.#access, reply, { doing: 'show an error', scope: 'event:read' });
    const at = timeOfReply(this.#access, reply);
    // Ids are unique in the tracker; one that was given to another project is not this issue any more.
    const [own, of] = [this.#names.idOf(project), projectIdIn([reply.body])];
    if (own !== null && of !== null && own !== of) return null;
    const place = { kind: this.kind, baseUrl, organization, project: this.#names.slugOf(project), at, isWhole: true };
    const known = remoteIssue(reply.body, place);
    const [issue = known] = charts && this.#charts !== null ? await this.#charts.addTo([known], signal) : [known];
    if (issue.id === id) return { issue, at };
    return { issue: { ...issue, externalIds: [...issue.externalIds, { kind: 'issue', value: id }] }, at };
  }

  events(project: string, issueId: string, wanted: EventsWanted, signal: AbortSignal): AsyncGenerator<RemoteEvent> {
    const of = { access: this.#access, dialect: this.#dialect, names: this.#names, project, issueId, signal };
    return issueEvents(of, wanted);
  }

  async comments(_project: string, issueId: string, signal: AbortSignal): Promise<RemoteComment[]> {
    const path = this.#dialect.comments(this.#access.organization, issueId);
    const comments: RemoteComment[] = [];
    for await (const { row, reply } of this.#ofIssue(path, 'comments', MAX_COMMENTS, signal)) {
      const comment = remoteComment(row, timeOfReply(this.#access, reply));
      if (comment !== null) comments.push(comment);
    }
    return comments;
  }

  async reports(project: string, issueId: string, signal: AbortSignal): Promise<RemoteReport[]> {
    const route = this.#dialect.reports;
    if (route === null) return (await this.#projectReports.byIssue(project, signal)).get(issueId) ?? [];
    const reports: RemoteReport[] = [];
    const list = this.#ofIssue(route(this.#access.organization, issueId), 'user reports', MAX_REPORTS, signal);
    for await (const { row, reply } of list) {
      const report = remoteReport(row, timeOfReply(this.#access, reply));
      if (report !== null) reports.push(report);
    }
    return reports;
  }

  reportsSince(project: string, since: number, signal: AbortSignal): Promise<ReadonlyMap<string, number> | null> {
    return this.#projectReports.newestSince(project, since, signal);
  }

  async *releases(project: string, signal: AbortSignal): AsyncGenerator<ImportedRelease> {
    const path = (slug: string): string => this.#dialect.releases(this.#access.organization, slug);
    const seen = new Set<string>();
    const options = this.#optional({ maxRows: MAX_RELEASES, what: 'releases', scope: 'project:releases' }, signal);
    for await (const { row, reply } of projectList(this.#parts(), project, path, options)) {
      const release = remoteRelease(row, timeOfReply(this.#access, reply));
      if (release === null || seen.has(release.release)) continue;
      seen.add(release.release);
      yield release;
    }
  }

  async issueOfEvent(project: string, eventId: string, signal: AbortSignal): Promise<string | null> {
    const { asker, organization } = this.#access;
    const id = eventIdOf(eventId);
    if (id === null) return null;
    // GlitchTip has the direct hit of the list of issues; elsewhere the event itself names its issue.
    const byList = this.kind === 'glitchtip';
    const reply = await this.#names.request(
      project,
      (slug) =>
        byList
          ? asker.ask({ path: apiPath('projects', organization, slug, 'issues'), query: [['query', id]], signal })
          : asker.ask({ path: apiPath('projects', organization, slug, 'events', id), signal }),
      signal,
    );
    if (reply.status === 404) return null;
    if (!reply.ok)
      throw refusal(this.#access, reply, { doing: 'look an event up', scope: byList ? 'event:read' : 'project:read' });
    const found = byList
      ? listOf(reply.body).find((row) => isRecord(row) && eventIdOf(row.matchingEventId) === id)
      : reply.body;
    if (!isRecord(found)) return null;
    const issueId = filledText(byList ? found.id : (found.groupID ?? found.groupId)) ?? '';
    return ISSUE_ID.test(issueId) ? issueId : null;
  }

  days(project: string, signal: AbortSignal): Promise<readonly FrequencyPoint[] | null> {
    return readDays(this.#parts(), project, signal);
  }

  async alertRules(project: string, signal: AbortSignal): Promise<string[]> {
    const path = (slug: string): string => this.#dialect.rules(this.#access.organization, slug);
    const rules = new Set<string>();
    const missing: TrackerReply[] = [];
    const optional = this.#optional({ maxRows: MAX_RULES, what: 'alert rules', scope: 'alerts:read' }, signal);
    const refused = (reply: TrackerReply): void => {
      const isMissing = reply.status === 404 || reply.status === 410;
      if (isMissing && this.kind === 'sentry') missing.push(reply);
      else optional.refused(reply);
    };
    for await (const { row } of projectList(this.#parts(), project, path, { ...optional, refused })) {
      const text = this.kind === 'glitchtip' ? alertText(row) : ruleText(row);
      if (text !== null) rules.add(text);
    }
    if (missing.length === 0) return [...rules];
    const workflows = {
      path: apiPath('organizations', this.#access.organization, 'workflows'),
      query: [['project', await this.#names.findId(project, signal)] as const],
      sizeName: this.#dialect.pageSize,
      skipRow: this.#dialect.skipRow,
    };
    for await (const { row } of smallList(this.#access, workflows, optional)) {
      const text = workflowText(row);
      if (text !== null) rules.add(text);
    }
    return [...rules];
  }

  async members(signal: AbortSignal): Promise<RemoteMember[]> {
    const path = apiPath('organizations', this.#access.organization, 'members');
    const form = { path, query: [], sizeName: this.#dialect.pageSize, skipRow: this.#dialect.skipRow };
    const members = new Map<string, RemoteMember>();
    const options = this.#optional({ maxRows: MAX_MEMBERS, what: 'members', scope: 'member:read' }, signal);
    for await (const { row } of smallList(this.#access, form, options)) {
      const member = remoteMember(row);
      if (member !== null && !members.has(member.email)) members.set(member.email, member);
    }
    return [...members.values()];
  }

  close(): void {
    this.#close();
  }

  #parts() {
    return { access: this.#access, dialect: this.#dialect, names: this.#names };
  }

  /** Options of a list without which an import goes on. */
  #optional({ maxRows, what, scope }: OptionalList, signal: AbortSignal): SmallListOptions {
    return { maxRows, what, refused: (reply) => doWithout(this.#access, reply, what, scope), signal };
  }

  #ofIssue(path: string, what: string, maxRows: number, signal: AbortSignal) {
    const form = { path, query: [], sizeName: this.#dialect.pageSize, skipRow: this.#dialect.skipRow };
    return smallList(this.#access, form, this.#optional({ maxRows, what, scope: 'event:read' }, signal));
  }
}
