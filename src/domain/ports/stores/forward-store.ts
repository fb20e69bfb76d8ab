import type { Forward, ForwardState } from '../../ingest/forward.ts';

/** Forwarding of projects to other trackers, and the state of the spools of all gateways. */
export interface ForwardStore {
  forward(projectId: number): Promise<Forward | null>;
  /** Replaces the forward of the project. Throws `project_not_found`. */
  saveForward(forward: Forward): Promise<void>;
  /** False when the project has none. */
  removeForward(projectId: number): Promise<boolean>;
  /** By project id. */
  listForwards(): Promise<Forward[]>;
  /** Replaces the encrypted DSN by another encryption of it; false when `before` is no longer stored. */
  replaceSealedDsn(projectId: number, before: string, after: string): Promise<boolean>;
  /** Replaces the state of a spool for a project. Ignores a project that is gone. */
  saveForwardState(state: ForwardState): Promise<void>;
  /** By project and spool. Null: of all projects. */
  listForwardStates(projectId: number | null): Promise<ForwardState[]>;
}
