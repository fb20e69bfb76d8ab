import { AppError } from '../../domain/app-error.ts';
import { isRecord } from '../../lib/own-property.ts';
import type { TrackerReply } from '../../thirdparty/http/answer.ts';
import { filledText, timeOf } from '../../thirdparty/map/values.ts';
import { anotherProject } from '../../thirdparty/http/refused.ts';
import { apiPath } from '../../thirdparty/session.ts';
import { trackerError } from '../../thirdparty/http/tracker-errors.ts';
import type { IssuePage, RemoteIssue, UnreadRow } from '../tracker-reader.ts';
import { readPosition, START, writePosition, type IssuePosition } from './issue-position.ts';
import { PagedList, type ListPage, type ListRequest } from './access/paged-list.ts';
import { projectIdIn, type ProjectNames } from './project-names.ts';
import { LeftOutIssue, remoteIssue } from './remote/remote-issue.ts';
import { lineText } from './remote/remote-values.ts';
import { refusal, timeOfReply, type SourceAccess } from './access/source-access.ts';
import type { SourceDialect } from './source-dialect.ts';
import { DAY_MS } from '../../domain/durations.ts';

/** Pages of one iteration, against trackers that never end. With 100 rows each, 2,000,000 issues. */
const MAX_PAGES = 20_000;
/** Passes through a list whose order changes meanwhile, at most. */
const MAX_PASSES = 5;
const MINUTE_MS = 60_000;
/** Window of the organization's list, whose default would be 90 days. */
const WINDOW_MS = 30 * DAY_MS;
/** Windows, at most: ten years. */
const MAX_WINDOWS = 122;
/** Windows without issues that end a pass when the tracker does not tell the time of the first event. */
const MAX_EMPTY_WINDOWS = 2;

export interface IssueListing {
  readonly access: SourceAccess;
  readonly dialect: SourceDialect;
  readonly names: ProjectNames;
  readonly project: string;
  readonly order: 'all' | 'recent';
  readonly signal: AbortSignal;
}

/** Time in the form that windows have: seconds, without zone. */
const windowTime = (ms: number): string => new Date(ms).toISOString().slice(0, 19);

/**
 * Reads all issues of a project page by page. In lists whose order changes, passes are repeated until one has no new
 * issue. Falls back to the list of the organization, in windows of time, where projects have none.
 */
export async function* issuePages(listing: IssueListing, from: string | null): AsyncGenerator<IssuePage> {
  const reader = new IssuePageReader(listing);
  let position = readPosition(from);
  for (let count = 0; count < MAX_PAGES; count += 1) {
    const { page, next } = await reader.read(position);
    const wasSeen = position.round > 0 && page.issues.length === 0 && page.leftOut.length === 0;
    // A repeated pass without news tells its reader nothing.
    if (!wasSeen || next === null) yield { ...page, next: next === null ? null : writePosition(next) };
    if (next === null) return;
    position = next;
  }
  listing.access.cannot.add(`errors beyond ${MAX_PAGES} pages of one list`);
}

class IssuePageReader {
  readonly #listing: IssueListing;
  readonly #pages: PagedList;
  readonly #seen = new Set<string>();
  readonly #cursors = new Set<string>();
  #newInRound = 0;
  #restarted = false;
  /** Time of the project's first event; null: the tracker does not tell, undefined: not asked. */
  #firstEvent: number | null | undefined;

  constructor(listing: IssueListing) {
    this.#listing = listing;
    this.#pages = new PagedList(listing.access.asker);
  }

  async read(asked: IssuePosition): Promise<{ page: Omit<IssuePage, 'next'>; next: IssuePosition | null }> {
    const { access } = this.#listing;
    const { position, page } = await this.#readPage(asked);
    if (page.kind === 'too_big') {
      const leftOut = [{ id: null, reason: page.reason }];
      return {
        page: { issues: [], leftOut, at: access.clock.now() },
        next: await this.#after(position, page.next, access.clock.now()),
      };
    }
    const at = timeOfReply(access, page.reply);
    const { issues, leftOut } = this.#rowsOf(page.rows, at);
    this.#newInRound += issues.length;
    return { page: { issues, leftOut, at }, next: await this.#after(position, page.next, at) };
  }

  /** Reads the page, again where the project was renamed, on another route, or from the start after a bad cursor. */
  async #readPage(
    asked: IssuePosition,
  ): Promise<{ position: IssuePosition; page: Exclude<ListPage, { kind: 'refused' }> }> {
    const { access, dialect, names, project, signal } = this.#listing;
    let position = asked;
    for (let renames = 0; ; renames += 1) {
      const page = await this.#pages.read(await this.#request(position), position.cursor, signal);
      if (page.kind === 'too_big') return { position, page };
      const mayRename = renames < 3;
      if (page.kind === 'page') {
        const id = projectIdIn(page.reply.body);
        const known = names.idOf(project);
        if (known === null && id !== null) names.learn(project, id);
        const strange = id !== null && known !== null && id !== known;
        const suspect = strange || (dialect.emptyForUnknown && page.rows.length === 0);
        if (suspect && mayRename && (await names.recheck(project, signal))) continue;
        if (strange) throw anotherProject(new URL(access.baseUrl).host);
        if (dialect.sendsLinks && page.rows.length === 0 && page.reply.link === null) throw this.#noLink();
        return { position, page };
      }
      const { reply } = page;
      if (position.route === 'project' && mayRename && (await names.wasRenamed(project, reply, signal))) continue;
      if (this.#mayRestart(position, reply)) {
        position = START;
      } else if (dialect.kind === 'sentry' && position.route === 'project' && [404, 410].includes(reply.status)) {
        position = { ...START, route: 'windows', began: timeOfReply(access, reply) };
      } else {
        throw refusal(access, reply, { doing: 'list the errors', scope: 'event:read' });
      }
    }
  }

  /** Error for a list that lacks what ends it: a cache or a proxy may have answered in the place of the tracker. */
  #noLink(): Error {
    const { host } = new URL(this.#listing.access.baseUrl);
    const what = `${host} answered with an empty list of errors without a Link header, so it may not be the whole list: check proxies in front of the tracker`;
    return trackerError('tracker_invalid_answer', what, 'Third-party API response has no Link header', {
      reason: 'shape',
    });
  }

  /** A position of an earlier process may be refused; then the pass begins again, once. */
  #mayRestart({ cursor }: IssuePosition, { status }: TrackerReply): boolean {
    if (this.#restarted || cursor === null || (status !== 400 && status !== 422)) return false;
    this.#restarted = true;
    this.#cursors.clear();
    return true;
  }

  async #request(position: IssuePosition): Promise<ListRequest> {
    const { access, dialect, names, project, order, signal } = this.#listing;
    const { organization } = access;
    const sort = dialect.sorts?.[order];
    // Sent even when empty: otherwise trackers apply a default query.
    const query: (readonly [string, string])[] = [['query', '']];
    if (sort !== undefined) query.push(['sort', sort]);
    const form = { sizeName: dialect.issuePageSize, skipRow: dialect.skipRow };
    if (position.route === 'project') {
      return { ...form, path: apiPath('projects', organization, names.slugOf(project), 'issues'), query };
    }
    // Whole seconds: the first window reaches beyond the start of the pass.
    const end = position.began + MINUTE_MS - position.round * WINDOW_MS;
    query.push(['project', await names.findId(project, signal)]);
    query.push(['start', windowTime(end - WINDOW_MS)], ['end', windowTime(end)]);
    return { ...form, path: apiPath('organizations', organization, 'issues'), query };
  }

  #rowsOf(rows: readonly unknown[], at: number): Pick<IssuePage, 'issues' | 'leftOut'> {
    const { access, dialect, names, project } = this.#listing;
    const { baseUrl, organization } = access;
    const place = { kind: dialect.kind, baseUrl, organization, project: names.slugOf(project), at, isWhole: false };
    const own = names.idOf(project);
    const issues: RemoteIssue[] = [];
    const leftOut: UnreadRow[] = [];
    for (const row of rows) {
      const rowId = isRecord(row) ? lineText(row.id, 64) : null;
      try {
        const of = projectIdIn([row]);
        if (own !== null && of !== null && of !== own)
          throw new LeftOutIssue(rowId ?? '', 'it belongs to another project');
        const issue = remoteIssue(row, place);
        if (this.#seen.has(issue.id)) continue;
        this.#seen.add(issue.id);
        issues.push(issue);
      } catch (error) {
        const isUnusable = error instanceof AppError && error.code === 'tracker_invalid_answer';
        if (!(error instanceof LeftOutIssue) && !isUnusable) throw error;
        const key = `left out ${rowId ?? ''}`;
        if (rowId !== null && this.#seen.has(key)) continue;
        this.#seen.add(key);
        leftOut.push({ id: rowId, reason: error.message, isOther: error instanceof LeftOutIssue });
      }
    }
    return { issues, leftOut };
  }

  async #after(position: IssuePosition, cursor: string | null, at: number): Promise<IssuePosition | null> {
    const began = position.began === 0 ? at : position.began;
    if (cursor !== null && !this.#cursors.has(cursor)) {
      this.#cursors.add(cursor);
      return { ...position, began, cursor };
    }
    this.#cursors.clear();
    const hadNew = this.#newInRound > 0;
    this.#newInRound = 0;
    const next = { ...position, began, round: position.round + 1, cursor: null };
    if (position.route === 'project') {
      const isStable = this.#listing.dialect.sorts !== null || this.#listing.order === 'recent';
      return isStable || !hadNew || next.round >= MAX_PASSES ? null : next;
    }
    const empty = hadNew ? 0 : position.empty + 1;
    return (await this.#isLastWindow(next, empty)) ? null : { ...next, empty };
  }

  async #isLastWindow({ round, began }: IssuePosition, empty: number): Promise<boolean> {
    if (round >= MAX_WINDOWS) return true;
    const { access, names, project, signal } = this.#listing;
    if (this.#firstEvent === undefined) {
      const path = apiPath('projects', access.organization, names.slugOf(project));
      const reply = await access.asker.ask({ path, signal });
      this.#firstEvent = isRecord(reply.body) ? timeOf(filledText(reply.body.firstEvent)) : null;
    }
    if (this.#firstEvent === null) return empty >= MAX_EMPTY_WINDOWS;
    return began - round * WINDOW_MS < this.#firstEvent;
  }
}
