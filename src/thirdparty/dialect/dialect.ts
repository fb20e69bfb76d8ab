import { ERROR_SORTS, type ErrorSort } from '../../domain/search/error-query.ts';
import type { TrackerKind } from '../../domain/projects/tracker-kind.ts';
import { withoutTrackerMarks, type ConditionTraits } from './condition-words.ts';
import type { TrackerFilter } from './search-query.ts';
import type { BoundsPlace } from './seen-bounds.ts';
import {
  TRACKER_TRAITS,
  type EnvironmentPlace,
  type IssuePart,
  type IssueRoute,
  type SortFamily,
  type TrackerTraits,
} from './tracker-traits.ts';
import { isVersionBefore } from './tracker-version.ts';

const SORT_FAMILIES: readonly SortFamily[] = [
  { first_seen: 'new', frequency: 'freq', users: 'user' },
  { first_seen: '-first_seen', frequency: '-count' },
  { first_seen: '-created', frequency: '-count' },
];

/**
 * Sorts without a secondary key: rows with equal counts change places between two pages. Recorded of GlitchTip 5.2: of
 * 45 errors on three pages, 6 appeared twice and 6 never.
 */
const WITHOUT_SECOND_KEY: ReadonlySet<string> = new Set(['-count']);

/** Milliseconds for one background request to a tracker. */
const TURN_LIMIT_MS = 30_000;

/** Milliseconds until learnt behaviour expires, because trackers are upgraded. */
const BELIEF_MS = 3_600_000;

export interface DialectOptions {
  readonly kind?: TrackerKind;
  /** Null: unknown, which counts as the newest. Default: null. */
  readonly version?: string | null;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  readonly turnLimitMs?: number;
  /** Called for responses that contradict the kind of the tracker. */
  readonly doubted?: () => void;
}

interface Lesson {
  /** `none`: the tracker has no such part. */
  readonly route: IssueRoute | 'none';
  readonly until: number;
}

/**
 * Behaviour of one tracker, from its kind and from earlier responses. Kept per setting; learnt behaviour expires after
 * an hour.
 */
export class Dialect {
  readonly kind: TrackerKind;
  readonly traits: TrackerTraits;
  /** Conditions of searches that the tracker knows. */
  readonly conditions: ConditionTraits;
  listRoute: 'project' | 'organization' = 'project';
  /** Name of the page size parameter for issues. */
  pageSizeName: 'limit' | 'per_page';
  sortFamily: SortFamily | null;
  /** Families in the order of trial while none is known. */
  sortFamilies: readonly SortFamily[] = SORT_FAMILIES;
  readonly unsupportedSorts = new Set<ErrorSort>();
  sortsProbed = false;
  environmentIn: EnvironmentPlace | null;
  boundsIn: BoundsPlace | null;
  readonly unsupportedFilters = new Set<TrackerFilter>();
  filtersProbed = false;
  /** True: charts have a route of their own, as far as is known. */
  chartsApart = false;
  /** True after the tracker has reported users: some always return 0. */
  countsUsers = false;
  /** True when the version has marks, or an issue has shown them. */
  showsMarks: boolean;
  /** Project id in the tracker; looked up when the settings do not have it. */
  projectId: string | null = null;
  /** Pending request that may reveal behaviour; rejects with an outage. Null: none. See `serialiseUntilKnown`. */
  question: Promise<void> | null = null;
  /** Total milliseconds for waiting and the request. */
  readonly turnLimitMs: number;
  /** Called for responses that contradict the kind of the tracker. */
  readonly doubted: () => void;
  readonly #now: () => number;
  readonly #lessons = new Map<IssuePart, Lesson>();
  #listsUntil: number;

  constructor(options: DialectOptions = {}) {
    const { kind = 'unknown', version = null, now = Date.now, turnLimitMs = TURN_LIMIT_MS } = options;
    const { doubted = () => undefined } = options;
    this.kind = kind;
    this.traits = TRACKER_TRAITS[kind];
    const { marksSince, conditions } = this.traits;
    this.showsMarks = marksSince !== null && !isVersionBefore(version, marksSince);
    this.conditions = this.showsMarks ? conditions : withoutTrackerMarks(conditions);
    this.turnLimitMs = turnLimitMs;
    this.doubted = doubted;
    this.#now = now;
    this.#listsUntil = now() + BELIEF_MS;
    this.pageSizeName = this.traits.pageSize;
    this.sortFamily = this.traits.sorts;
    this.environmentIn = this.traits.environmentIn;
    this.boundsIn = this.traits.boundsIn;
    this.#assume();
  }

  /** Drops expired knowledge about lists; called before each request. */
  refresh(): void {
    const now = this.#now();
    if (now < this.#listsUntil) return;
    this.#listsUntil = now + BELIEF_MS;
    this.listRoute = 'project';
    this.sortFamilies = SORT_FAMILIES;
    this.#assume();
  }

  #assume(): void {
    const { pageSize, sorts, environmentIn, boundsIn, chartsApart } = this.traits;
    this.pageSizeName = pageSize;
    this.sortFamily = sorts;
    this.sortsProbed = sorts !== null;
    this.unsupportedSorts.clear();
    // The order of errgate's own marks.
    this.unsupportedSorts.add('matters');
    if (sorts !== null) {
      for (const sort of ERROR_SORTS) if (sort !== 'last_seen' && !(sort in sorts)) this.unsupportedSorts.add(sort);
    }
    this.environmentIn = environmentIn;
    this.boundsIn = boundsIn;
    this.filtersProbed = environmentIn !== null;
    this.unsupportedFilters.clear();
    this.chartsApart = chartsApart;
  }

  /** Routes of a part in order of trial; empty when the tracker does not have it. */
  routesOf(part: IssuePart): readonly IssueRoute[] {
    const learnt = this.#lessonOf(part);
    if (learnt === 'none') return [];
    const routes = this.traits.routes[part];
    if (learnt !== null) return [learnt];
    // Without a route for issues below organizations there is none for their parts; the reverse is not true.
    return part !== 'issue' && routes.length > 1 && this.#lessonOf('issue') === 'legacy' ? ['legacy'] : routes;
  }

  /** True when the route of a part is known. */
  knows(part: IssuePart): boolean {
    return this.#lessonOf(part) !== null || this.traits.routes[part].length < 2;
  }

  learn(part: IssuePart, route: IssueRoute | 'none'): void {
    this.#lessons.set(part, { route, until: this.#now() + BELIEF_MS });
  }

  /** True when later pages of this sort may skip or repeat errors. */
  isUnstable(sort: ErrorSort): boolean {
    return WITHOUT_SECOND_KEY.has(this.sortFamily?.[sort] ?? '');
  }

  /** Called when a sort of this family was refused: the others are tried first. */
  suspect(family: SortFamily): void {
    // The default of the kind may be wrong for this version.
    if (family === this.traits.sorts) this.sortFamily = null;
    if (this.sortFamily !== null) return;
    this.sortFamilies = [...this.sortFamilies.filter((one) => one !== family), family];
  }

  #lessonOf(part: IssuePart): IssueRoute | 'none' | null {
    const lesson = this.#lessons.get(part);
    return lesson === undefined || this.#now() >= lesson.until ? null : lesson.route;
  }
}
