import type { ErrorSort } from '../domain/tracked-error.ts';
import { Slots } from './slots.ts';

/** Whether something is found below the issue itself or below its organization. */
export type IssueRoute = 'organization' | 'legacy';

/** Names of sorts; last seen first is every tracker's default and has none. */
export type SortFamily = Readonly<Partial<Record<ErrorSort, string>>>;

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

/**
 * What was learnt about one tracker by asking it: kept per setting, so that each question that may be refused
 * is asked once.
 */
export class Dialect {
  /** Null: not known yet. */
  issueRoute: IssueRoute | null = null;
  /** Of events and tags; some trackers have the issue on both routes and these on one. */
  partsRoute: IssueRoute | null = null;
  listRoute: 'project' | 'organization' = 'project';
  /** What the size of a page of issues is called. */
  pageSizeName: 'limit' | 'per_page' = 'limit';
  sortFamily: SortFamily | null = null;
  /** In the order in which they are tried while none is known. */
  sortFamilies: readonly SortFamily[] = SORT_FAMILIES;
  readonly unsupportedSorts = new Set<ErrorSort>();
  sortsProbed = false;
  /** False until the tracker has shown that it counts users: some always say 0. */
  countsUsers = false;
  /** The tracker's id of the project, found out where the settings do not know it. */
  projectId: string | null = null;
  /** Of questions that may teach something, one at a time: see `inTurn`. */
  readonly turns = new Slots(1);
  /** Milliseconds for waiting and asking together. */
  readonly turnLimitMs: number;

  constructor({ turnLimitMs = TURN_LIMIT_MS }: { readonly turnLimitMs?: number } = {}) {
    this.turnLimitMs = turnLimitMs;
  }

  /** Whether further pages of this sort may miss errors or hold them again. */
  isUnstable(sort: ErrorSort): boolean {
    return WITHOUT_SECOND_KEY.has(this.sortFamily?.[sort] ?? '');
  }

  /** A name of this family was refused: the others come first from now on. */
  suspect(family: SortFamily): void {
    if (this.sortFamily !== null) return;
    this.sortFamilies = [...this.sortFamilies.filter((one) => one !== family), family];
  }
}
