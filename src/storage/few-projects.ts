import { AppError } from '../domain/app-error.ts';
import { MAX_PROJECTS_AT_ONCE } from '../domain/ports/stores/overview-store.ts';

/** Throws `bad_request` for more projects than one call reads. */
export function requireFewProjects(projectIds: readonly number[]): void {
  if (projectIds.length > MAX_PROJECTS_AT_ONCE) {
    throw new AppError('bad_request', `at most ${MAX_PROJECTS_AT_ONCE} projects can be read at once`);
  }
}
