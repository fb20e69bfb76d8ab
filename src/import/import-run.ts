import type { SourceKind } from '../domain/imports/import.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { ImportStore } from '../domain/ports/stores/import-store.ts';
import type { Store } from '../domain/ports/stores/store.ts';
import type { DigestRecord } from '../integrated/digest/digested-record.ts';
import type { Sleep } from '../lib/back-off.ts';
import type { DroppedErrors } from './dropped-text.ts';
import type { Invitation } from './invitations.ts';
import type { LeftOut } from './state/left-outs.ts';
import type { ProjectsReader, TrackerReader } from './tracker-reader.ts';

/** Stages of an import in their order. All but `projects` run for each project. */
export const STAGES = [
  'projects',
  'errors',
  'releases',
  'events',
  'comments',
  'reports',
  'truth',
  'likeness',
  'reconcile',
  'counts',
] as const;
export type StageName = (typeof STAGES)[number];

/** Parts that `--only` names. Comments and reports belong to `events`, counts to `errors`. */
export const IMPORT_PARTS = ['keys', 'projects', 'errors', 'events', 'releases'] as const;
export type ImportPart = (typeof IMPORT_PARTS)[number];

export type RunningStore = ImportStore &
  Pick<
    Store,
    | 'acquireLease'
    | 'addAlias'
    | 'createKey'
    | 'createProject'
    | 'errorById'
    | 'filterValues'
    | 'releasesWithCommit'
    | 'forward'
    | 'groupByPath'
    | 'keyByPublicKey'
    | 'latestEvent'
    | 'listMembers'
    | 'listUsers'
    | 'setAssignee'
    | 'mergeErrors'
    | 'listForwardStates'
    | 'projectById'
    | 'projectByPath'
    | 'releaseLease'
    | 'resolveInRelease'
    | 'rollUpMerged'
    | 'saveProjectAlerts'
    | 'saveSettings'
    | 'setKeyActive'
    | 'settings'
    | 'updateProject'
  >;

export interface ImportDeps {
  readonly store: RunningStore;
  /** Digest of the service: the same scrubbing and grouping as for live events. */
  readonly digest: DigestRecord;
  readonly clock: Clock;
  /** Name of this run's process: holder of the lease. */
  readonly owner: string;
  /** True while events wait to be forwarded, and for 60 s afterwards; default: by the states of all spools. */
  readonly forwardPending?: (projectId: number) => Promise<boolean>;
  /** Throws failures of the store, so that the caller repeats the run; default: they end it as failed. */
  readonly throwsStoreFailures?: boolean;
  /** Waits for the lease; replaced in tests. */
  readonly sleep?: Sleep;
}

/** Organization of a tracker, or a store that was exported. */
export interface ImportFrom<R extends ProjectsReader = TrackerReader> {
  readonly reader: R;
  /** Scheme, host, port and sub-path; no trailing slash. Of an export: the id of its store. */
  readonly url: string;
  readonly organization: string;
}

/** Project to import. `path` and `projectId` null: `<organization>/<slug>`, or where an earlier run put it. */
export interface ChosenProject {
  readonly slug: string;
  readonly path: string | null;
  readonly projectId: number | null;
}

export interface ImportOptions {
  /** Tells this run from others of the same organization, which may run at the same time; absent: of all of it. */
  readonly name?: string;
  /** Null: all projects of the organization. */
  readonly projects: readonly ChosenProject[] | null;
  /** Null: everything. */
  readonly only: readonly ImportPart[] | null;
  /** Newest events per error whose bodies are kept. */
  readonly eventsPerError: number;
  /** Two issues with one group key: one of them owns it, or they are merged. */
  readonly onConflict: 'owner' | 'merge';
  /** False: joins nothing by likeness. */
  readonly resemblance: boolean;
  /** Time until which the tracker gets every event by another way; milliseconds. Undefined: as it was. */
  readonly bothReceiveUntil?: number | null;
}

export const DEFAULT_OPTIONS: ImportOptions = {
  projects: null,
  only: null,
  eventsPerError: 20,
  onConflict: 'owner',
  resemblance: true,
};

export const RUN_STATES = ['running', 'done', 'failed', 'cancelled'] as const;
export type RunStatus = (typeof RUN_STATES)[number];

export interface StageProgress {
  readonly name: StageName;
  readonly done: number;
  /** Null: not known yet. */
  readonly total: number | null;
}

export interface ImportProgress {
  readonly state: RunStatus;
  readonly stages: readonly StageProgress[];
  /** What is done now, or why it ended. */
  readonly message: string;
  /** Slug of the project that is imported now; null between projects. */
  readonly project: string | null;
  /** Stage of the project that runs now; null between stages. */
  readonly stage: StageName | null;
}

export type OnProgress = (progress: ImportProgress) => void;

/** Errors joined with live events, by the best proof. */
export interface JoinedCounts {
  readonly event_id: number;
  readonly group_key: number;
  readonly likeness: number;
}

export interface ProjectSummary {
  readonly project: string;
  readonly path: string;
  readonly project_id: number;
  /** Errors that this run created. */
  readonly imported: number;
  /** Errors that were there before. */
  readonly updated: number;
  /** Errors whose count waits for the next pass. */
  readonly waiting: number;
  /** Rows and parts that could not be imported. */
  readonly left_out: number;
  /** Errors that were not imported, because they were deleted here with their further events dropped. */
  readonly dropped: number;
  readonly joined: JoinedCounts;
  /** Imported errors to which no live event leads yet: the next one of them begins another error. */
  readonly unjoined: number;
  /** Issues that share a group key with another one, which owns it. */
  readonly conflicts: number;
  readonly events: number;
  readonly notes: number;
  readonly releases: number;
  readonly keys: number;
  /** Events of the imported errors that the tracker had counted. */
  readonly counted: number;
  /** Parts that the tracker did not give, for want of a scope or because it failed. */
  readonly missing: readonly string[];
  readonly finished: boolean;
}

export interface ImportSummary extends DroppedErrors {
  readonly state: RunStatus;
  readonly message: string;
  /** False: something is left, or the run was ended. */
  readonly complete: boolean;
  /** Issues, counts and parts that were not imported and could be, by a further run or after something is changed. */
  readonly left: number;
  readonly kind: SourceKind;
  readonly url: string;
  readonly organization: string;
  readonly version: string | null;
  readonly projects: readonly ProjectSummary[];
  /** Sum over the projects. */
  readonly imported: number;
  readonly updated: number;
  readonly waiting: number;
  readonly left_out: number;
  readonly joined: JoinedCounts;
  readonly unjoined: number;
  readonly cannot: readonly string[];
  readonly left_outs: readonly LeftOut[];
  /** Left-outs beyond those that are listed. */
  readonly more_left_outs: number;
  /** Alert rules and limits of the tracker, to be set up again. */
  readonly to_set_up: readonly string[];
  /** Members of the organization, for invitations; empty in a run over a project's own connection. */
  readonly members: readonly Invitation[];
}
