import type { StatusChange } from '../domain/errors/error-state.ts';
import type { EventOptions, EventPage } from '../domain/events/event-list.ts';
import type { ErrorBackend, StatusResult } from '../domain/ports/error-backend.ts';
import { TRACKER_MARKS } from '../domain/errors/error-marks.ts';
import type { TimeRange } from '../domain/search/time-range.ts';
import { systemClock, type Clock } from '../domain/ports/clock.ts';
import type { TrackingSettings } from '../domain/projects/tracking-settings.ts';
import { AppError } from '../domain/app-error.ts';
import type { TrackedError, TrackedErrorDetail } from '../domain/errors/tracked-error.ts';
import { asAsked, ERROR_SORTS, type Capabilities, type ErrorQuery } from '../domain/search/error-query.ts';
import type { TrackedEvent } from '../domain/events/tracked-event.ts';
import type { Page } from '../domain/page.ts';
import type { ThirdpartyIssue } from '../schemas/thirdparty/issue.ts';
import { parseApiUrl } from './http/api-url.ts';
import { checkedErrorId, checkedEventId } from './checked-ids.ts';
import type { TrackerClient, TrackerTarget } from './http/client.ts';
import { Dialect } from './dialect/dialect.ts';
import { getEvent } from './endpoints/event.ts';
import { listEvents } from './endpoints/list-events.ts';
import { listIssues, type IssueQuestion, type IssueRows } from './endpoints/list-issues.ts';
import { NOT_CHANGED, trackerDetails, updateStatus } from './endpoints/update-status.ts';
import { latestOf, ownEvent, ownIssue, tagsInTime, withParts } from './issue-parts.ts';
import { columnsOfRow, eventSummary } from './map/event.ts';
import { showsMarks, showsUserCounts, tagsIn, trackedError, trackedErrorDetail, type IssueView } from './map/issue.ts';
import { cutPage, readCursor, writeCursor, type CutPage } from './page-cursor.ts';
import { checkFilters, probeFilters, probeFiltersIfAble } from './probe-filters.ts';
import { ProjectCheck } from './project-check.ts';
import { probeSorts } from './probe-sorts.ts';
import { unsupported } from './http/refused.ts';
import { searchQuery, TRACKER_FILTERS } from './dialect/search-query.ts';
import { boundParameters, boundWords } from './dialect/seen-bounds.ts';
import type { TrackerSession } from './session.ts';
import { idText } from './http/shape.ts';
import { chartsInTime, withCharts } from './with-charts.ts';
import { moreFilters, trackerKeys, trackerSelection, wordsOf } from './dialect/tracker-selection.ts';
import type { PagePlace } from './dialect/tracker-traits.ts';

export interface ThirdpartyBackendDeps {
  readonly client: Pick<TrackerClient, 'request'>;
  readonly settings: Pick<TrackingSettings, 'projectId' | 'apiUrl' | 'thirdpartyProjectId'>;
  /** Decrypts the tracker's token; called for each request. */
  readonly token: () => string;
  /** Learnt behaviour of the tracker; reuse the object while the settings are unchanged. Default: empty. */
  readonly dialect?: Dialect;
  /** Default: system clock. */
  readonly clock?: Clock;
  /** See `TrackerAccess`. */
  readonly leftOut?: TrackerSession['leftOut'];
  /** Milliseconds until the tags of an error must arrive to be included. Default: four seconds. */
  readonly tagsLimitMs?: number;
}

/** Maximum of consecutive empty pages to skip; trackers filter after paging. */
const MAX_EMPTY_PAGES = 3;
/** Milliseconds. */
const TAGS_LIMIT_MS = 4000;

function sessionOf(deps: ThirdpartyBackendDeps): TrackerSession {
  const { settings, client, token } = deps;
  const parts = settings.apiUrl === null ? null : parseApiUrl(settings.apiUrl);
  if (parts === null || parts.organization === null || parts.project === null) {
    throw new AppError('tracking_disabled', 'the settings name no project of the third-party tracker');
  }
  const target: TrackerTarget = { baseUrl: parts.base, token };
  return {
    client,
    target,
    organization: parts.organization,
    project: parts.project,
    projectId: settings.thirdpartyProjectId,
    dialect: deps.dialect ?? new Dialect(),
    ...(deps.leftOut === undefined ? {} : { leftOut: deps.leftOut }),
  };
}

/** Returns true when the refusal may mean that the project was deleted or renamed. */
function mayBeGone(error: unknown): boolean {
  if (!(error instanceof AppError) || error.code !== 'tracker_refused') return false;
  const { status, reason } = error.details ?? {};
  return status === 404 || status === 410 || reason === 'renamed';
}

/** Returns true for ranges within the 24 hours of a tracker's charts. */
const hasDayCharts = (range: TimeRange | undefined): boolean =>
  range === undefined || range === '1h' || range === '24h';

function inRange(error: TrackedError, range: TimeRange | undefined): TrackedError {
  return hasDayCharts(range) ? error : { ...error, frequency: null };
}

/** Reads errors of one project in an external Sentry-compatible tracker and changes their status. */
class ThirdpartyBackend implements ErrorBackend {
  readonly #session: TrackerSession;
  readonly #projectId: number;
  readonly #pageUrl: string;
  readonly #tagsLimitMs: number;
  readonly #check: ProjectCheck;
  readonly #clock: Clock;

  constructor(deps: ThirdpartyBackendDeps) {
    this.#session = sessionOf(deps);
    this.#projectId = deps.settings.projectId;
    this.#tagsLimitMs = deps.tagsLimitMs ?? TAGS_LIMIT_MS;
    this.#clock = deps.clock ?? systemClock;
    this.#check = new ProjectCheck(this.#session, this.#clock);
    const { target, organization, project } = this.#session;
    this.#pageUrl = `${target.baseUrl}/${encodeURIComponent(organization)}/${encodeURIComponent(project)}/`;
  }

  async capabilities(_project: unknown, signal?: AbortSignal): Promise<Capabilities> {
    const session = this.#sessionUntil(signal);
    const { dialect } = session;
    if (!dialect.sortsProbed) await probeSorts(session);
    if (!dialect.filtersProbed) await probeFiltersIfAble(session);
    return {
      sorts: ERROR_SORTS.filter((sort) => !dialect.unsupportedSorts.has(sort)),
      filters: [
        'status',
        ...TRACKER_FILTERS.filter((filter) => !dialect.unsupportedFilters.has(filter)),
        ...moreFilters(dialect),
      ],
      conditions: trackerKeys(dialect),
      marks: dialect.showsMarks ? TRACKER_MARKS : [],
      merge: false,
      releases: false,
      statusDetails: dialect.traits.statusDetails,
      unstableSorts: ERROR_SORTS.filter((sort) => dialect.isUnstable(sort)),
      ...(dialect.sortsProbed && dialect.filtersProbed ? {} : { incomplete: true }),
    };
  }

  /** Throws `tracker_refused` when the tracker does not have the project, even if it returns an empty list. */
  async list(_project: unknown, query: ErrorQuery, signal?: AbortSignal): Promise<Page<TrackedError>> {
    let page: Page<TrackedError>;
    try {
      page = await this.#list(query, signal);
    } catch (error) {
      if (!mayBeGone(error)) throw error;
      throw (await this.#check.problem(signal)) ?? error;
    }
    const problem = query.cursor === null && page.items.length === 0 ? await this.#check.problem(signal) : null;
    if (problem !== null) throw problem;
    return page;
  }

  async #list(asked: ErrorQuery, signal: AbortSignal | undefined): Promise<Page<TrackedError>> {
    const session = this.#sessionUntil(signal);
    const { dialect } = session;
    const { cursor, limit, ...rest } = asAsked(asked);
    const scope = [this.#pageUrl, 'errors', limit, rest];
    const hasBounds = asked.range !== undefined || (asked.conditions ?? []).length > 0;
    if (hasBounds && !dialect.filtersProbed) await probeFilters(session);
    const query = trackerSelection(asked, dialect, this.#clock.now());
    const words = wordsOf(query, dialect);
    await checkFilters(session, query);
    const inQuery = dialect.environmentIn === 'query';
    const { environment, ...terms } = query;
    const bounds = dialect.boundsIn === 'query' ? boundWords(query) : [];
    let at = readCursor(scope, cursor);
    for (let emptyPages = 0; ; emptyPages += 1) {
      const page = await this.#ask(session, words, {
        query: searchQuery({ ...(inQuery ? query : terms), bounds, words }),
        sort: query.sort,
        environment: inQuery ? null : environment,
        ...(dialect.boundsIn === 'parameters' ? { bounds: boundParameters(query) } : {}),
        limit,
        cursor: at.cursor,
      });
      const cut = cutPage(page.rows, at, limit, page);
      if (cut.items.length > 0 || cut.next === null || emptyPages >= MAX_EMPTY_PAGES) {
        const view = this.#viewOf(page.rows);
        const ids = hasDayCharts(asked.range) ? cut.items.map(({ id }) => idText(id, 'id')) : [];
        const charted = withCharts(cut.items, await chartsInTime(session, ids, this.#clock));
        const items = charted.map((issue) => inRange(trackedError(issue, view), asked.range));
        return this.#page(scope, { ...cut, items });
      }
      at = cut.next;
    }
  }

  /** Throws `unsupported_by_tracker` for words that this version of the tracker refuses. */
  async #ask(session: TrackerSession, words: readonly string[], question: IssueQuestion): Promise<IssueRows> {
    try {
      return await listIssues(session, question);
    } catch (error) {
      const status = error instanceof AppError && error.code === 'tracker_refused' ? error.details?.status : null;
      if (words.length > 0 && (status === 400 || status === 422)) throw unsupported(`search by ${words.join(' ')}`);
      throw error;
    }
  }

  async get(_project: unknown, id: string, signal?: AbortSignal, range?: TimeRange): Promise<TrackedErrorDetail> {
    if (range !== undefined) throw unsupported('count the events of a time range');
    const session = this.#sessionUntil(signal);
    const errorId = checkedErrorId(id);
    const ask = () =>
      Promise.all([tagsInTime(session, errorId, this.#tagsLimitMs), chartsInTime(session, [errorId], this.#clock)]);
    const [found, [{ tags, outcome }, charts]] = await withParts(session, errorId, ask);
    const [issue = found] = withCharts([found], charts);
    const spread = outcome === 'none' ? { tags: tagsIn(issue), isWhole: false } : { tags, isWhole: true };
    const detail = trackedErrorDetail(issue, spread, this.#viewOf([issue]), errorId);
    return outcome === 'failed' ? { ...detail, incomplete: true } : detail;
  }

  async listEvents(
    _project: unknown,
    id: string,
    limit: number,
    cursor: string | null,
    options: EventOptions = {},
    signal?: AbortSignal,
  ): Promise<EventPage> {
    if (options.filter !== undefined) throw unsupported('filter the events of an error');
    const session = this.#sessionUntil(signal);
    const errorId = checkedErrorId(id);
    const scope = [this.#pageUrl, 'events', errorId, limit];
    const at = readCursor(scope, cursor);
    const [issue, page] = await withParts(session, errorId, () => listEvents(session, errorId, limit, at.cursor));
    const cut = cutPage(page.rows, at, limit, page);
    const ownId = idText(issue.id, 'id');
    const columns = options.columns === true ? columnsOfRow : null;
    const items = cut.items.map((event) => ({
      ...eventSummary(event, ownId),
      ...(columns === null ? {} : { columns: columns(event) }),
    }));
    return this.#page(scope, { ...cut, items });
  }

  async event(_project: unknown, id: string, eventId: string, signal?: AbortSignal): Promise<TrackedEvent> {
    const session = this.#sessionUntil(signal);
    const [errorId, checkedId] = [checkedErrorId(id), checkedEventId(eventId)];
    return ownEvent(session, errorId, () => getEvent(session, errorId, checkedId));
  }

  async latestEvent(_project: unknown, id: string, signal?: AbortSignal): Promise<TrackedEvent> {
    const session = this.#sessionUntil(signal);
    const errorId = checkedErrorId(id);
    return ownEvent(session, errorId, () => latestOf(session, errorId));
  }

  async oldestEvent(): Promise<TrackedEvent> {
    throw unsupported('show the oldest event of an error');
  }

  async setStatus(
    _project: unknown,
    errorId: string,
    status: TrackedError['status'],
    change: StatusChange = {},
  ): Promise<boolean> {
    const details = this.#detailsOf(change);
    return this.#update(await ownIssue(this.#session, checkedErrorId(errorId)), status, details);
  }

  /** Changes one after the other, with two requests each. A tracker that fails is not asked for the rest. */
  async setStatuses(
    _project: unknown,
    errorIds: readonly string[],
    status: TrackedError['status'],
    change: Parameters<ErrorBackend['setStatuses']>[3] = {},
  ): Promise<StatusResult[]> {
    const details = this.#detailsOf(change);
    const results: StatusResult[] = [];
    for (const [at, errorId] of errorIds.entries()) {
      try {
        const issue = await ownIssue(this.#session, checkedErrorId(errorId));
        const { status: former, statusDetails } = trackedError(issue, this.#viewOf([issue]));
        const skipped = (change.from?.status ?? former) !== former;
        const before = { status: former, details: statusDetails, forReview: false, counted: null, skipped };
        const done = skipped || (former === status && details === null) || (await this.#update(issue, status, details));
        results.push(done ? { errorId, before, failure: null } : { errorId, before: null, failure: NOT_CHANGED });
      } catch (error) {
        if (!(error instanceof AppError) || error.code === 'unsupported_by_tracker') throw error;
        if (error.code === 'not_found') continue;
        const left = error.code === 'tracker_refused' ? [errorId] : errorIds.slice(at);
        results.push(...left.map((id) => ({ errorId: id, before: null, failure: error.message })));
        if (left.length > 1) break;
      }
    }
    return results;
  }

  /** Details of a change; null: none. Throws `unsupported_by_tracker` where the tracker has none. */
  #detailsOf({ details }: StatusChange): object | null {
    if (details === undefined || Object.keys(details).length === 0) return null;
    if (!this.#session.dialect.traits.statusDetails) {
      throw unsupported('resolve an error in a release or commit, or ignore it until a condition');
    }
    return { statusDetails: trackerDetails(details, this.#clock.now()) };
  }

  #update(issue: ThirdpartyIssue, status: TrackedError['status'], details: object | null): Promise<boolean> {
    return updateStatus(this.#session, idText(issue.id, 'id'), status, details ?? {});
  }

  async externalUrl(): Promise<string> {
    const { dialect } = this.#session;
    return dialect.traits.projectPage(this.#place());
  }

  #place(): PagePlace {
    const { target, organization, project, projectId, dialect } = this.#session;
    return { base: target.baseUrl, organization, project, projectId: projectId ?? dialect.projectId };
  }

  /** Session of one request, which ends with the signal. */
  #sessionUntil(signal: AbortSignal | undefined): TrackerSession {
    this.#session.dialect.refresh();
    return signal === undefined ? this.#session : { ...this.#session, signal };
  }

  /** Updates whether the tracker counts users and names marks before the counts of these issues are used. */
  #viewOf(issues: readonly ThirdpartyIssue[]): IssueView {
    const { dialect } = this.#session;
    dialect.countsUsers ||= issues.some(showsUserCounts);
    dialect.showsMarks ||= issues.some(showsMarks);
    const { issuePage } = dialect.traits;
    const place = this.#place();
    return {
      projectId: this.#projectId,
      projectUrl: this.#pageUrl,
      countsUsers: dialect.countsUsers,
      showsMarks: dialect.showsMarks,
      ...(issuePage === null ? {} : { issuePage: (id: string) => issuePage(place, id) }),
    };
  }

  #page<T>(scope: readonly unknown[], { items, previous, next }: CutPage<T>): Page<T> {
    return { items, previous: writeCursor(scope, previous), next: writeCursor(scope, next) };
  }
}

/** Creates the backend of a project with an external tracker. Throws `tracking_disabled` without a project. */
export function createThirdpartyBackend(deps: ThirdpartyBackendDeps): ErrorBackend {
  return new ThirdpartyBackend(deps);
}
