import { ERROR_SORTS, type ErrorSort } from '../domain/tracked-error.ts';
import type { TrackerKind } from '../domain/tracker-kind.ts';
import type { ErrorFilter } from './search-query.ts';
import {
  TRACKER_TRAITS,
  type EnvironmentPlace,
  type IssuePart,
  type IssueRoute,
  type SortFamily,
  type TrackerTraits,
} from './tracker-traits.ts';

const SORT_FAMILIES: readonly SortFamily[] = [
  { first_seen: 'new', frequency: 'freq', users: 'user' },
  { first_seen: '-first_seen', frequency: '-count' },
  { first_seen: '-created', frequency: '-count' },
];

/**
 * Names of sorts whose pages are cut without a second key. Rows of equal counts change places between two pages, as
 * recorded of GlitchTip 5.2: of 45 errors on three pages 6 came twice and 6 never.
 */
const WITHOUT_SECOND_KEY: ReadonlySet<string> = new Set(['-count']);

/** As long as one question to a tracker may take that nobody has to wait for. */
const TURN_LIMIT_MS = 30_000;

/** Milliseconds for which what was learnt is believed: trackers are upgraded. */
const BELIEF_MS = 3_600_000;

export interface DialectOptions {
  readonly kind?: TrackerKind;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  readonly turnLimitMs?: number;
  /** Called for answers that a tracker of this kind does not give. */
  readonly doubted?: () => void;
}

interface Lesson {
  /** `none`: the tracker has no such part. */
  readonly route: IssueRoute | 'none';
  readonly until: number;
}

/**
 * What is known about one tracker: by its kind, and where that leaves something open by what it did when it was asked.
 * Kept per setting. What was learnt is forgotten after an hour.
 */
export class Dialect {
  readonly kind: TrackerKind;
  readonly traits: TrackerTraits;
  listRoute: 'project' | 'organization' = 'project';
  /** What the size of a page of issues is called. */
  pageSizeName: 'limit' | 'per_page';
  sortFamily: SortFamily | null;
  /** In the order in which they are tried while none is known. */
  sortFamilies: readonly SortFamily[] = SORT_FAMILIES;
  readonly unsupportedSorts = new Set<ErrorSort>();
  sortsProbed = false;
  environmentIn: EnvironmentPlace | null;
  readonly unsupportedFilters = new Set<ErrorFilter>();
  filtersProbed = false;
  /** False until the tracker has shown that it counts users: some always say 0. */
  countsUsers = false;
  /** The tracker's id of the project, found out where the settings do not know it. */
  projectId: string | null = null;
  /** Under way, and may teach something; rejects with an outage. Null: there is none. See `inTurn`. */
  question: Promise<void> | null = null;
  /** Milliseconds for waiting and asking together. */
  readonly turnLimitMs: number;
  /** Called for answers that a tracker of this kind does not give. */
  readonly doubted: () => void;
  readonly #now: () => number;
  readonly #lessons = new Map<IssuePart, Lesson>();
  #listsUntil: number;

  constructor(options: DialectOptions = {}) {
    const { kind = 'unknown', now = Date.now, turnLimitMs = TURN_LIMIT_MS, doubted = () => undefined } = options;
    this.kind = kind;
    this.traits = TRACKER_TRAITS[kind];
    this.turnLimitMs = turnLimitMs;
    this.doubted = doubted;
    this.#now = now;
    this.#listsUntil = now() + BELIEF_MS;
    this.pageSizeName = this.traits.pageSize;
    this.sortFamily = this.traits.sorts;
    this.environmentIn = this.traits.environmentIn;
    this.#assume();
  }

  /** Forgets what was learnt about lists too long ago; called before each question. */
  refresh(): void {
    const now = this.#now();
    if (now < this.#listsUntil) return;
    this.#listsUntil = now + BELIEF_MS;
    this.listRoute = 'project';
    this.sortFamilies = SORT_FAMILIES;
    this.#assume();
  }

  #assume(): void {
    const { pageSize, sorts, environmentIn } = this.traits;
    this.pageSizeName = pageSize;
    this.sortFamily = sorts;
    this.sortsProbed = sorts !== null;
    this.unsupportedSorts.clear();
    if (sorts !== null) {
      for (const sort of ERROR_SORTS) if (sort !== 'last_seen' && !(sort in sorts)) this.unsupportedSorts.add(sort);
    }
    this.environmentIn = environmentIn;
    this.filtersProbed = environmentIn !== null;
    this.unsupportedFilters.clear();
  }

  /** Where to ask for a part, in this order; empty when the tracker does not have it. */
  routesOf(part: IssuePart): readonly IssueRoute[] {
    const learnt = this.#lessonOf(part);
    if (learnt === 'none') return [];
    const routes = this.traits.routes[part];
    if (learnt !== null) return [learnt];
    // A tracker without issues below organizations has no parts of them there either; not the other way round.
    return part !== 'issue' && routes.length > 1 && this.#lessonOf('issue') === 'legacy' ? ['legacy'] : routes;
  }

  /** True when it is settled where a part is. */
  knows(part: IssuePart): boolean {
    return this.#lessonOf(part) !== null || this.traits.routes[part].length < 2;
  }

  learn(part: IssuePart, route: IssueRoute | 'none'): void {
    this.#lessons.set(part, { route, until: this.#now() + BELIEF_MS });
  }

  /** Whether further pages of this sort may miss errors or hold them again. */
  isUnstable(sort: ErrorSort): boolean {
    return WITHOUT_SECOND_KEY.has(this.sortFamily?.[sort] ?? '');
  }

  /** A name of this family was refused: the others come first from now on. */
  suspect(family: SortFamily): void {
    // What is only known by the kind may be another version's.
    if (family === this.traits.sorts) this.sortFamily = null;
    if (this.sortFamily !== null) return;
    this.sortFamilies = [...this.sortFamilies.filter((one) => one !== family), family];
  }

  #lessonOf(part: IssuePart): IssueRoute | 'none' | null {
    const lesson = this.#lessons.get(part);
    return lesson === undefined || this.#now() >= lesson.until ? null : lesson.route;
  }
}
