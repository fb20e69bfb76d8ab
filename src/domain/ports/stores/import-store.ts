import type { Continuation } from '../../ingest/continuation.ts';
import type { ActivityEntry } from '../../errors/error-state.ts';
import type {
  AliasResult,
  BaseResult,
  ErrorNote,
  ExternalId,
  ImportedCounts,
  ImportedError,
  ImportedEvent,
  ImportedOrigin,
  ImportedRelease,
  ImportSource,
  NewAlias,
  NewImportSource,
} from '../../imports/import.ts';

/** Error with a former id, in its project. */
export interface FoundError {
  readonly projectId: number;
  readonly errorId: string;
}

/**
 * History of other trackers. An imported error has a group hash of its own, made of its source and issue, so that a
 * further pass finds it; live events reach it by aliases. Its count is base plus own events, changed in one update of
 * one row. Every method may be repeated: the result is the same. docs/adr/0014 has the rules.
 */
export interface ImportStore {
  /** Returns the source, created when it is new; a source is known by project, kind, url, organization and slug. */
  addImportSource(source: NewImportSource, now: number): Promise<ImportSource>;
  /** By id. Null: of all projects. */
  listImportSources(projectId: number | null): Promise<ImportSource[]>;
  /**
   * Sets the time up to which the tracker gets every event too. All own events received until then are known there,
   * those received before the call as well. What was known stays known when the time is moved back or removed.
   */
  setBothReceiveUntil(sourceId: number, until: number | null): Promise<void>;
  /**
   * State of an import as JSON of at most 1 MB, under the key of its run; null when never saved. States under keys that
   * begin with `<project id>/` are removed with the project; saving one later throws `project_not_found`.
   */
  importState(key: string): Promise<string | null>;
  saveImportState(key: string, state: string): Promise<void>;
  /** States whose key begins with the text, by key. */
  listImportStates(prefix: string): Promise<(readonly [key: string, state: string])[]>;

  /**
   * Creates the error of an issue, or brings it up to date: texts and times only while it has no newer own event, the
   * status unless it was changed here after `changedAt`. Never changes counts. Reopens nothing, marks nothing as new.
   * Null: the error was deleted here with its further events dropped, so nothing was written.
   */
  putImportedError(
    projectId: number,
    error: ImportedError,
    now: number,
  ): Promise<{ errorId: string; created: boolean } | null>;
  /**
   * Gives numbers up to this one to no further error of projects with a source, so that they can mean the issues of a
   * former tracker. Errors of batches that have begun before may have one, as older errors may.
   */
  reserveErrorNumbers(upTo: number): Promise<void>;
  /** Ids of issues of the source that `putImportedError` was last called for before the time; at most 1,000. */
  missingIssues(sourceId: number, seenBefore: number): Promise<string[]>;
  /**
   * Number of the error's own live events that the tracker has counted as well: forwarded and taken, found there by id,
   * or all until `bothReceiveUntil`. Includes own errors merged with it; in a merged error with several imported ones
   * these count for the first of them. Only grows while the members stay; pruning does not change it.
   */
  knownThere(projectId: number, errorId: string, now: number): Promise<number>;
  /**
   * Number of own live events in imported errors of the project, and in own errors merged with them, that are not known
   * to be in the tracker.
   */
  unknownThere(projectId: number): Promise<number>;
  /** Records events that the tracker has, in any order with their digest. Ids of unknown events wait for them. */
  markKnownThere(projectId: number, eventIds: readonly string[], now: number): Promise<void>;
  /** Sets base = max(0, count - knownThere) and the total in one update, only if `knownThere` is as read. */
  setBase(projectId: number, errorId: string, counts: ImportedCounts): Promise<BaseResult>;

  /** Adds aliases of an imported error; one result per alias, in order. */
  addAliases(projectId: number, errorId: string, aliases: readonly NewAlias[], now: number): Promise<AliasResult[]>;
  /** Keeps which mapped events alone go on with others; of group hashes that have a row, the first one stays. */
  addContinuations(projectId: number, rows: readonly Omit<Continuation, 'projectId'>[]): Promise<void>;
  /** Ends an alias for good: later events of the group hash begin an error of their own. False when there is none. */
  endAlias(projectId: number, groupHash: string): Promise<boolean>;
  /**
   * Imported errors whose aliased group hash has an error of its own that is not merged with them yet; at most 1,000.
   */
  unmergedAliases(projectId: number): Promise<{ errorId: string; ownErrorId: string }[]>;
  /**
   * Errors of the project that are neither imported nor merged with an imported one, by their numbers, each with up to
   * three ids of its newest stored events: to be looked up in the tracker. `after`: errors with greater numbers than
   * this one; null: from the first.
   */
  errorsToLookUp(
    projectId: number,
    after: string | null,
    limit: number,
  ): Promise<{ errorId: string; eventIds: string[] }[]>;

  /** Keeps bodies of an issue's events. Known ids are left as they are. */
  addImportedEvents(projectId: number, errorId: string, events: readonly ImportedEvent[], now: number): Promise<void>;
  putNotes(projectId: number, errorId: string, notes: readonly ErrorNote[]): Promise<void>;
  /**
   * Adds entries of an export, with `importedId` and oldest first, to the log of an imported error, sorted by time. Known
   * ones are left as they are. Beyond MAX_ACTIVITY the oldest ones of the export are dropped.
   */
  putActivity(projectId: number, errorId: string, entries: readonly ActivityEntry[]): Promise<void>;
  /** Adds missing releases and widens their times; counts stay. */
  putReleases(projectId: number, releases: readonly ImportedRelease[]): Promise<void>;

  /** Errors with a former id, a merged one by its root; null: in all projects. At most 20. */
  findByExternalId(projectId: number | null, id: ExternalId['value']): Promise<FoundError[]>;
  /**
   * Null when the error was not imported. Of a merged error: of its first imported member, with the counts, ids and
   * notes of all of them.
   */
  importedOrigin(projectId: number, errorId: string): Promise<ImportedOrigin | null>;
}
