import type { Project } from '../projects/project.ts';
import type { TrackingSettings } from '../projects/tracking-settings.ts';

export const MOVE_IN_STATES = ['running', 'done', 'failed', 'cancelled'] as const;
export type MoveInState = (typeof MOVE_IN_STATES)[number];

export interface MoveInStage {
  /** Name of the stage: `errors`, `events`, `counts`, … */
  readonly name: string;
  readonly done: number;
  /** Null while it is unknown. */
  readonly total: number | null;
}

/** Import of a project's history over the connection that it has. */
export interface MoveInProgress {
  readonly state: MoveInState;
  readonly stages: readonly MoveInStage[];
  /** One sentence for users: what happens, what is left, or why it failed and what to do. */
  readonly message: string;
  /** True: the project becomes integrated at the end. */
  readonly switches: boolean;
  readonly startedAt: number;
  /** Null while it runs. */
  readonly endedAt: number | null;
  /** What did not come along, and things to set up again; at most 200 sentences. */
  readonly notes: readonly string[];
}

/** Runs imports that were started over REST. Their state is in the store, so every gateway tells the same. */
export interface MoveIn {
  /**
   * Starts, or continues, the import of a project from its linked tracker. Throws `conflict` while one runs,
   * `bad_request` for a project without a usable link, `tracker_…` when the tracker refuses.
   */
  start(project: Project, settings: TrackingSettings | null, switches: boolean): Promise<MoveInProgress>;
  /** Null when none was ever started. */
  progress(projectId: number): Promise<MoveInProgress | null>;
  /** Asks a running import to stop; what was imported stays. Null when none was ever started. */
  cancel(projectId: number): Promise<MoveInProgress | null>;
}
