import type { AppError } from '../domain/app-error.ts';
import type { Clock } from '../domain/ports/clock.ts';
import { Flight } from './flight.ts';
import { fateOfProject, fateProblem, type ProjectFate } from './project-fate.ts';
import type { TrackerSession } from './session.ts';

/** Milliseconds in which the tracker is not asked again what became of the project. */
const HELD_MS = 300_000;
/** The same where it did not answer the question. */
const HELD_UNKNOWN_MS = 60_000;

/**
 * Whether a list without errors is that of the project: some trackers answer an empty list for a project that was
 * renamed, deleted or misspelt. One per setting; one question at a time, and none for some minutes afterwards.
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

  /** Null while the project is there, or that is not known. Rejects only when the signal is aborted. */
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
