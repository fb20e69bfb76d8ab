import { LRUCache } from 'lru-cache';
import type { AlertStore, ErrorState } from '../../domain/ports/stores/alert-store.ts';
import type { ErrorStore } from '../../domain/ports/stores/error-store.ts';
import type { Project } from '../../domain/projects/project.ts';
import type { TrackedErrorDetail } from '../../domain/errors/tracked-error.ts';
import type { ProjectAudience } from './audience.ts';
import type { ErrorFacets } from './rule-match.ts';
import type { RoutedErrors } from './routing.ts';
import { grownTo } from '../../lib/grown-to.ts';

export interface ErrorLookupOptions {
  readonly store: Pick<AlertStore, 'errorStates'> & Pick<ErrorStore, 'errorById'>;
  /** Reads an error of an external tracker; null: it does not answer, or the error is unknown. */
  readonly tracked: (project: Project, errorId: string) => Promise<TrackedErrorDetail | null>;
  readonly now: () => number;
}

/** Maximum states and details that one turn of work keeps. */
const MAX_STATES = 5000;
const MAX_DETAILS = 200;

const keyOf = ({ project }: ProjectAudience, errorId: string): string => `${project.id}:${errorId}`;

/** Reads errors for one turn of work, each once as far as there is room. */
export class ErrorLookup implements RoutedErrors {
  readonly #options: ErrorLookupOptions;
  /** False: unknown, so deleted. */
  readonly #states = new LRUCache<string, ErrorState | false>(grownTo(MAX_STATES));
  readonly #details = new LRUCache<string, Promise<TrackedErrorDetail | null>>({ max: MAX_DETAILS });

  constructor(options: ErrorLookupOptions) {
    this.#options = options;
  }

  /**
   * Returns the states of errors by id; unknown ones are missing. States of external trackers are not read: their
   * errors are looked at one by one, when a message names them.
   */
  async states(audience: ProjectAudience, errorIds: readonly string[]): Promise<Map<string, ErrorState>> {
    const found = new Map<string, ErrorState>();
    const missing = new Set<string>();
    for (const errorId of errorIds) {
      const state = this.#states.get(keyOf(audience, errorId));
      if (state === undefined) missing.add(errorId);
      else if (state !== false) found.set(errorId, state);
    }
    if (missing.size === 0 || !audience.integrated) return found;
    const read = await this.#options.store.errorStates(audience.project.id, [...missing]);
    for (const errorId of missing) this.#states.set(keyOf(audience, errorId), false);
    for (const state of read) {
      this.#states.set(keyOf(audience, state.errorId), state);
      found.set(state.errorId, state);
    }
    return found;
  }

  detail(audience: ProjectAudience, errorId: string): Promise<TrackedErrorDetail | null> {
    const key = keyOf(audience, errorId);
    let detail = this.#details.get(key);
    if (detail === undefined) {
      const { store, tracked, now } = this.#options;
      const { project, integrated } = audience;
      detail = integrated ? store.errorById(project.id, errorId, now()) : tracked(project, errorId);
      this.#details.set(key, detail);
    }
    return detail;
  }

  facets(audience: ProjectAudience, errorId: string): Promise<ErrorFacets | null> {
    return this.detail(audience, errorId);
  }

  async assignee(audience: ProjectAudience, errorId: string): Promise<number | null> {
    const states = await this.states(audience, [errorId]);
    return states.get(errorId)?.assigneeId ?? null;
  }
}
