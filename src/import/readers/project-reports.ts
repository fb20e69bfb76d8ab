import { isRecord } from '../../lib/own-property.ts';
import type { TrackerReply } from '../../thirdparty/http/answer.ts';
import { filledText } from '../../thirdparty/map/values.ts';
import { apiPath } from '../../thirdparty/session.ts';
import type { RemoteReport } from '../tracker-reader.ts';
import { remoteReport } from './remote/people-work.ts';
import { projectList } from './project-list.ts';
import type { ProjectNames } from './project-names.ts';
import { doWithout, timeOfReply, type SourceAccess } from './access/source-access.ts';
import type { SourceDialect } from './source-dialect.ts';

/** User reports of one list that are read. */
export const MAX_REPORTS = 10_000;

type IssueOfEvent = (project: string, eventId: string, signal: AbortSignal) => Promise<string | null>;

interface ListedReport {
  readonly report: RemoteReport;
  /** Null: the list does not tell. */
  readonly issueId: string | null;
}

/** User reports of whole projects. */
export class ProjectReports {
  readonly #parts: { readonly access: SourceAccess; readonly dialect: SourceDialect; readonly names: ProjectNames };
  readonly #issueOfEvent: IssueOfEvent;
  readonly #reportsOf = new Map<string, Promise<Map<string, RemoteReport[]>>>();

  constructor(
    parts: { readonly access: SourceAccess; readonly dialect: SourceDialect; readonly names: ProjectNames },
    issueOfEvent: IssueOfEvent,
  ) {
    this.#parts = parts;
    this.#issueOfEvent = issueOfEvent;
  }

  /** Reads all reports of a project once, and asks for the issue of each event. */
  byIssue(project: string, signal: AbortSignal): Promise<Map<string, RemoteReport[]>> {
    const known = this.#reportsOf.get(project);
    if (known !== undefined) return known;
    const reading = this.#byIssue(project, signal);
    this.#reportsOf.set(project, reading);
    reading.catch(() => this.#reportsOf.delete(project));
    return reading;
  }

  /** See `TrackerReader.reportsSince`. Null also where the token may not list them. */
  async newestSince(project: string, since: number, signal: AbortSignal): Promise<Map<string, number> | null> {
    const list = this.#parts.dialect.projectReports;
    if (list === null) return null;
    const newest = new Map<string, number>();
    const refusals: TrackerReply[] = [];
    const refused = (reply: TrackerReply): number => refusals.push(reply);
    for await (const { report, issueId } of this.#rows(project, refused, signal)) {
      if (report.at < since) {
        if (list.isSorted) break;
        continue;
      }
      const id = issueId ?? (await this.#lookUp(project, report, signal));
      if (id !== null) newest.set(id, Math.max(newest.get(id) ?? 0, report.at));
    }
    return refusals.length > 0 ? null : newest;
  }

  async #byIssue(project: string, signal: AbortSignal): Promise<Map<string, RemoteReport[]>> {
    const byIssue = new Map<string, RemoteReport[]>();
    const refused = (reply: TrackerReply): void => doWithout(this.#parts.access, reply, 'user reports', 'project:read');
    for await (const { report } of this.#rows(project, refused, signal)) {
      const issueId = await this.#lookUp(project, report, signal);
      if (issueId !== null) byIssue.set(issueId, [...(byIssue.get(issueId) ?? []), report]);
    }
    return byIssue;
  }

  async #lookUp(project: string, { eventId }: RemoteReport, signal: AbortSignal): Promise<string | null> {
    return eventId === null ? null : await this.#issueOfEvent(project, eventId, signal);
  }

  async *#rows(
    project: string,
    refused: (reply: TrackerReply) => void,
    signal: AbortSignal,
  ): AsyncGenerator<ListedReport> {
    const { access, dialect } = this.#parts;
    const path = (slug: string): string => apiPath('projects', access.organization, slug, 'user-feedback');
    const options = { maxRows: MAX_REPORTS, what: 'user reports', refused, signal };
    for await (const { row, reply } of projectList(
      this.#parts,
      project,
      path,
      options,
      dialect.projectReports?.query,
    )) {
      const report = remoteReport(row, timeOfReply(access, reply));
      if (report === null) continue;
      yield { report, issueId: isRecord(row) && isRecord(row.issue) ? filledText(row.issue.id) : null };
    }
  }
}
