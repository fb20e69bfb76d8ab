import type { AppError } from '../domain/app-error.ts';
import type { Clock } from '../domain/ports/clock.ts';
import { Flight } from './flight.ts';
import { fateOfProject, fateProblem, type ProjectFate } from './project-fate.ts';
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
  #flight: Flight<ProjectFate> | null = null;
  #held: { readonly fate: ProjectFate; readonly until: number } | null = null;

  constructor(session: TrackerSession, clock: Clock) {
    this.#session = session;
    this.#clock = clock;
  }

  /** Null for an existing project or an unknown state. Rejects only when the signal aborts. */
  async problem(signal?: AbortSignal): Promise<AppError | null> {
    const session = this.#session;
    const projectId = session.projectId ?? session.dialect.projectId;
    const held = this.#held;
    const fate =
      held !== null && this.#clock.now() < held.until ? held.fate : await this.#asked(projectId).wait(signal);
    return fateProblem(session, fate);
  }

  #asked(projectId: string | null): Flight<ProjectFate> {
    if (this.#flight !== null && !this.#flight.abandoned) return this.#flight;
    const flight = new Flight(async (signal) => {
      const fate = await fateOfProject({ ...this.#session, projectId, signal });
      const holdMs = fate.kind === 'unknown' ? HELD_UNKNOWN_MS : HELD_MS;
      if (!signal.aborted) this.#held = { fate, until: this.#clock.now() + holdMs };
      return fate;
    });
    this.#flight = flight;
    const landed = (): void => {
      if (this.#flight === flight) this.#flight = null;
    };
    flight.answer.then(landed, landed);
    return flight;
  }
}
