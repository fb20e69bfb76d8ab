import type { AliasOrigin } from '../../domain/imports/import.ts';
import { type ImportOptions, type StageName, STAGES } from '../import-run.ts';
import { dropRetried, type LeftOuts } from './left-outs.ts';

/** Progress of one stage in the current pass. */
export interface StageState {
  done: number;
  total: number | null;
  finished: boolean;
}

/** Place in the list of issues. */
export interface Walk {
  /** Continues a full pass; null: from the first page. */
  cursor: string | null;
  /** Time of the first page of the pass by the tracker's clock: what happened later is read by the next one. */
  since: number | null;
  /** Time of the first page of the last complete pass; null: none was complete. */
  completeSince: number | null;
}

/** Error of which the tracker knew no event when it was looked up: it may digest late, or get the events later. */
export interface UnfoundError {
  readonly errorId: string;
  /** Further passes that look it up. */
  readonly left: number;
  /** Beginning of the pass that looked it up last. */
  readonly pass: number;
  /** True: the tracker failed to answer, so it is looked up until it does. Absent: it does not know the events. */
  readonly failed?: true;
}

/** State of one project's import, saved after every page. */
export interface ProjectState {
  readonly version: 1;
  readonly slug: string;
  readonly projectId: number;
  path: string;
  readonly sourceId: number;
  /** Time of the pass by this clock; errors that were not seen since are missing in the tracker. */
  startedAt: number;
  /** Null: the pass is not complete. */
  finishedAt: number | null;
  stages: Partial<Record<StageName, StageState>>;
  readonly errors: Walk;
  readonly events: Walk;
  /** Ids of issues whose counts wait for the next pass, at most MAX_WAITING. */
  waiting: string[];
  /** Number of those that are not listed: the next full pass reads them. */
  waitingMore: number;
  /** Numbers of this pass. */
  created: number;
  updated: number;
  /** Sums over all passes. */
  readonly joined: Record<AliasOrigin, number>;
  /** Imported errors to which no live event leads yet, at most MAX_UNJOINED. */
  unjoined: string[];
  /** Number of those that are not listed: only a full pass counts them again. */
  unjoinedMore: number;
  conflicts: number;
  bodies: number;
  notes: number;
  releases: number;
  keys: number;
  /** Sum of the tracker's counts in this pass. */
  counted: number;
  /** Greatest number of an error that was looked up by event id; null: none. */
  lookedUpTo: string | null;
  /** Errors of which the tracker knew no event; absent: none. See `MAX_UNFOUND`. */
  unfound?: UnfoundError[];
  /** Greatest number of an error up to which none can be joined by likeness any more; absent: none was compared. */
  notAlikeTo?: string;
  /** Errors that were joined by event id or likeness; what a person separates stays separate. */
  bound: string[];
  leftOut: LeftOuts;
  /** Issues of this pass whose errors were deleted here with their further events dropped; absent: none. */
  dropped?: Dropped;
  /** Parts that the token may not read. */
  refused: string[];
  /** Parts of the project that the tracker failed to give. */
  failed: string[];
  /**
   * Issues that could not be read whole, by id, with what was missing and why; at most MAX_OWED. The stage of events
   * reads them again until nothing is missing. Absent: none.
   */
  owed?: Record<string, string>;
  /**
   * Ids of issues of which the tracker listed no event although it should have some, and of those that changed without
   * an event; read again, as far as listed.
   */
  empty?: string[];
  /** True: a pass over an export has made its merges; what a person separates stays separate. Absent: none has. */
  merged?: true;
  /** Events of an export up to the place of its pass that were left out. Absent: none, or no pass over events runs. */
  leftEvents?: LeftOuts;
  /** Options under which events were read last. Absent: by an earlier version, or none were. */
  readWith?: ReadOptions;
  /** True: some event was found here and there that was not forwarded. Absent: none was. */
  inBoth?: true;
  toSetUp: string[];
  /** Inactive key that is being created; null: none. */
  inactiveKey: string | null;
}

/** Options that decide what is read and made of an issue. */
export type ReadOptions = Pick<ImportOptions, 'eventsPerError' | 'onConflict'>;

/** Errors that were deleted here with their further events dropped, so that they are not imported again. */
export interface Dropped {
  /** Ids of issues, at most MAX_DROPPED. */
  readonly ids: string[];
  /** Number of those that are not listed. */
  more: number;
}

export const MAX_WAITING = 1000;
/** Issues in `owed`. With more, the walk over the events of all issues stops, and the next run goes on there. */
const MAX_OWED = 1000;
/** Characters of a reason in `owed`. */
const MAX_OWED_TEXT = 200;
/** Issues in `empty`. */
const MAX_EMPTY = 1000;
const MAX_DROPPED = 10_000;
/** Errors in `bound`; the oldest are forgotten. */
const MAX_BOUND = 10_000;
/** Errors in `unfound`, each up to three requests in a pass; the oldest are forgotten. */
const MAX_UNFOUND = 200;
/** Passes after the first look-up in which it is repeated. */
const LOOKED_UP_AGAIN = 3;
const MAX_TO_SET_UP = 100;
const MAX_UNJOINED = 10_000;

const newWalk = (): Walk => ({ cursor: null, since: null, completeSince: null });

export function newProjectState(
  place: Pick<ProjectState, 'slug' | 'projectId' | 'path' | 'sourceId'>,
  now: number,
): ProjectState {
  return {
    version: 1,
    ...place,
    startedAt: now,
    finishedAt: null,
    stages: {},
    errors: newWalk(),
    events: newWalk(),
    waiting: [],
    waitingMore: 0,
    created: 0,
    updated: 0,
    joined: { event_id: 0, group_key: 0, likeness: 0 },
    unjoined: [],
    unjoinedMore: 0,
    conflicts: 0,
    bodies: 0,
    notes: 0,
    releases: 0,
    keys: 0,
    counted: 0,
    lookedUpTo: null,
    bound: [],
    leftOut: { items: [], more: 0 },
    refused: [],
    failed: [],
    toSetUp: [],
    inactiveKey: null,
  };
}

/** Begins a further pass after a complete one. */
export function beginPass(state: ProjectState, now: number): void {
  state.startedAt = now;
  state.finishedAt = null;
  state.stages = {};
  state.errors.cursor = null;
  state.errors.since = null;
  state.waitingMore = 0;
  state.created = 0;
  state.updated = 0;
  state.counted = 0;
  state.leftOut = { items: [], more: 0 };
  delete state.dropped;
  state.refused = [];
  state.failed = [];
  state.toSetUp = [];
}

/**
 * Goes on with a pass at the first stage that is not finished. Later ones run again, because it may find issues that they
 * have not seen.
 */
export function resumePass(state: ProjectState): void {
  let isFinished = true;
  for (const name of STAGES) {
    const stage = state.stages[name];
    if (stage === undefined || name === 'comments' || name === 'reports') continue;
    const owes = (name === 'events' && state.owed !== undefined) || (name === 'truth' && failedLookUps(state) > 0);
    isFinished &&= stage.finished && !owes;
    stage.finished = isFinished;
  }
  dropRetried(state.leftOut);
  state.refused = [];
  state.failed = [];
}

/** Notes what is missing of an issue, which is read again. False: there are too many. */
export function owe(state: ProjectState, issueId: string, missing: string): boolean {
  const owed = (state.owed ??= {});
  if (owed[issueId] === undefined && Object.keys(owed).length >= MAX_OWED) return false;
  owed[issueId] ??= missing.slice(0, MAX_OWED_TEXT);
  return true;
}

/** Takes an issue out of the owed ones, before it is read again. */
export function settleOwed(state: ProjectState, issueId: string): void {
  if (state.owed !== undefined) {
    const { [issueId]: _settled, ...others } = state.owed;
    if (Object.keys(others).length === 0) delete state.owed;
    else state.owed = others;
  }
  state.empty = state.empty?.filter((id) => id !== issueId) ?? [];
}

/** Notes an issue that the stage of events reads again. With more than MAX_EMPTY it is left for a later pass. */
export function noteEmpty(state: ProjectState, issueId: string): void {
  const empty = (state.empty ??= []);
  if (empty.length < MAX_EMPTY && !empty.includes(issueId)) empty.push(issueId);
}

export function stageOf(state: ProjectState, name: StageName): StageState {
  return (state.stages[name] ??= { done: 0, total: null, finished: false });
}

/** Keeps an issue for the end of this pass or for the next one. */
export function letWait(state: ProjectState, issueId: string): void {
  if (state.waiting.includes(issueId)) return;
  if (state.waiting.length < MAX_WAITING) state.waiting.push(issueId);
  else state.waitingMore += 1;
}

/** Notes an issue whose error is dropped here; one that is met again in the pass counts once. */
export function noteDropped(state: ProjectState, issueId: string): void {
  const dropped = (state.dropped ??= { ids: [], more: 0 });
  if (dropped.ids.includes(issueId)) return;
  if (dropped.ids.length < MAX_DROPPED) dropped.ids.push(issueId);
  else dropped.more += 1;
}

/** Notes whether live events lead to an imported error. */
export function setJoined(state: ProjectState, errorId: string, isJoined: boolean): void {
  const index = state.unjoined.indexOf(errorId);
  if (isJoined) {
    if (index !== -1) state.unjoined.splice(index, 1);
  } else if (index === -1) {
    if (state.unjoined.length < MAX_UNJOINED) state.unjoined.push(errorId);
    else state.unjoinedMore += 1;
  }
}

export function rememberBound(state: ProjectState, errorId: string): void {
  state.bound.push(errorId);
  if (state.bound.length > MAX_BOUND) state.bound.shift();
}

/** Result of the look-up of an error's events. `failed`: the tracker did not answer as it should. */
export type LookUp = 'found' | 'unknown' | 'failed';

/**
 * Notes a look-up of an error: `unknown` lets up to three later passes repeat it, `failed` all until there is an answer.
 * Returns false when too many have failed.
 */
export function noteLookUp(state: ProjectState, errorId: string, result: LookUp): boolean {
  const before = state.unfound?.find((one) => one.errorId === errorId);
  const others = (state.unfound ?? []).filter((one) => one.errorId !== errorId);
  const left = before?.left ?? LOOKED_UP_AGAIN + 1;
  if (result === 'failed') others.push({ errorId, left, pass: state.startedAt, failed: true });
  else if (result === 'unknown' && left > 1) others.push({ errorId, left: left - 1, pass: state.startedAt });
  const failed = others.filter((one) => one.failed === true);
  if (failed.length > MAX_UNFOUND) return false;
  const unknown = others.filter((one) => one.failed !== true);
  state.unfound = [...failed, ...unknown.slice(-MAX_UNFOUND)];
  return true;
}

/** True: something of the issue is to be read again. */
export function isOpen({ owed, empty }: ProjectState, issueId: string): boolean {
  return owed?.[issueId] !== undefined || (empty?.includes(issueId) ?? false);
}

/** Returns the number of errors whose look-up failed. */
export function failedLookUps({ unfound = [] }: ProjectState): number {
  return unfound.filter(({ failed }) => failed === true).length;
}

export function setUpAgain(state: ProjectState, texts: readonly string[]): void {
  for (const text of texts) {
    if (state.toSetUp.length < MAX_TO_SET_UP && !state.toSetUp.includes(text)) state.toSetUp.push(text);
  }
}
