import type { AppError } from '../domain/app-error.ts';
import type { Clock } from '../domain/ports/clock.ts';
import { SharedRequests } from './http/shared-request.ts';
import { readProjectState, projectStateProblem, type ProjectState } from './project-state.ts';
import type { TrackerSession } from './session.ts';

/** Milliseconds until the project is checked again. */
const HELD_MS = 300_000;
/** Milliseconds until it is checked again after an inconclusive check. */
const HELD_UNKNOWN_MS = 60_000;

/**
 * Checks whether an empty list belongs to the project: some trackers return one for renamed, deleted or misspelt
 * projects. One object per setting, with one request at a time and cached results.
 */
export class ProjectCheck {
  readonly #session: TrackerSession;
  readonly #clock: Clock;
  readonly #requests = new SharedRequests<ProjectState>();
  #held: { readonly state: ProjectState; readonly until: number } | null = null;

  constructor(session: TrackerSession, clock: Clock) {
    this.#session = session;
    this.#clock = clock;
  }

  /**
   * Returns the problem of the project; null for an existing project or an unknown state. Rejects only when the signal
   * aborts.
   */
  async problem(signal?: AbortSignal): Promise<AppError | null> {
    const session = this.#session;
    const projectId = session.projectId ?? session.dialect.projectId;
    const held = this.#held;
    const state = held !== null && this.#clock.now() < held.until ? held.state : await this.#ask(projectId, signal);
    return projectStateProblem(session, state);
  }

  #ask(projectId: string | null, reader: AbortSignal | undefined): Promise<ProjectState> {
    const request = this.#requests.join('project', async (signal) => {
      const state = await readProjectState({ ...this.#session, projectId, signal });
      const holdMs = state.kind === 'unknown' ? HELD_UNKNOWN_MS : HELD_MS;
      if (!signal.aborted) this.#held = { state, until: this.#clock.now() + holdMs };
      return state;
    });
    return request.wait(reader);
  }
}
