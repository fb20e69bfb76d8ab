import { AppError } from '../../../domain/app-error.ts';
import { groupOfPath } from '../../../domain/projects/group-paths.ts';
import { projectPathProblem } from '../../../domain/names.ts';
import { idOf } from '../../http/path-ids.ts';

/** Parameters of a new project in the host's API; a full path alone is enough here. */
export interface WantedProject {
  readonly name?: string;
  readonly path?: string;
  readonly namespace_path?: string;
}

function invalid(message: string): AppError {
  return new AppError('invalid_parameter', message);
}

/** Returns the group of a new project, whose parameters are not validated yet: its path, or its id. Null: none. */
export function groupOfNewProject(given: Readonly<Record<string, unknown>>): string | number | null {
  const { path, namespace_path: group, namespace_id: id } = given;
  if (id !== undefined) return typeof id === 'number' || typeof id === 'string' ? idOf(String(id)) : null;
  if (typeof group === 'string') return group;
  return typeof path === 'string' ? groupOfPath(path) : null;
}

/** Derives a path from a name, as the host does. */
function pathOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9_.]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '');
}

/** Throws `invalid_parameter` for an invalid full path of a project. */
export function assertGoodPath(path: string): void {
  const problem = projectPathProblem(path);
  if (problem !== null) throw invalid(`path is invalid: ${problem}`);
}

/** Returns the full path of a new project. Throws `invalid_parameter` with what to send instead. */
export function newProjectPath({ name, path, namespace_path: group }: WantedProject): string {
  if (name === undefined && path === undefined) {
    throw invalid('name, path are missing, at least one parameter must be provided');
  }
  const last = path ?? pathOf(name ?? '');
  if (last === '') throw invalid('path is missing: none can be made from the name');
  if (group === undefined) {
    if (!last.includes('/')) {
      throw invalid(
        `namespace_path is missing: send it (for example "group") or the full path, for example group/${last}`,
      );
    }
    assertGoodPath(last);
    return last;
  }
  if (last.includes('/')) throw invalid('path is invalid: with namespace_path it must not contain a slash');
  const full = `${group}/${last}`;
  assertGoodPath(full);
  return full;
}
