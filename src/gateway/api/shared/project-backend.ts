import { AppError } from '../../../domain/app-error.ts';
import type { ErrorBackend, IntegratedErrors } from '../../../domain/ports/error-backend.ts';
import { isErrorId } from '../../../domain/errors/tracked-error.ts';
import type { ProjectCall } from '../../http/route.ts';
import type { ErrorContext } from './error-place.ts';

export interface ProjectBackend {
  readonly backend: ErrorBackend;
  /** Operations on stored errors; null when an external tracker stores them. */
  readonly integratedErrors: IntegratedErrors | null;
  readonly context: ErrorContext;
}

/**
 * Returns the backend of the project's errors. Throws `tracking_disabled` when error tracking was never set up or is
 * off. Throws it too when the project uses the integrated backend and this is not offered.
 */
export async function projectBackend(call: ProjectCall<unknown>): Promise<ProjectBackend> {
  return tracked(call, false);
}

/**
 * Returns the backend for pages. Where so configured, it may ask them to poll instead of waiting for a slow tracker.
 */
export async function projectBackendForPage(call: ProjectCall<unknown>): Promise<ProjectBackend> {
  return tracked(call, true);
}

async function tracked({ deps, project }: ProjectCall<unknown>, mayPoll: boolean): Promise<ProjectBackend> {
  const settings = await deps.store.settings(project.id);
  if (settings?.active !== true || (settings.integrated && !deps.integratedOffered)) {
    throw new AppError('tracking_disabled', 'error tracking is not enabled for this project');
  }
  return {
    backend: deps.backendFor(project, settings, mayPoll),
    integratedErrors: settings.integrated ? deps.integratedErrors : null,
    context: { project, integrated: settings.integrated, externalUrl: deps.externalUrl() },
  };
}

/** Throws `unsupported_by_tracker` with this message where an external tracker stores the errors. */
export function integratedOnly({ integratedErrors }: ProjectBackend, message: string): IntegratedErrors {
  if (integratedErrors === null) throw new AppError('unsupported_by_tracker', message);
  return integratedErrors;
}

/** Returns the error's id in the path. Throws `not_found` for an invalid one, before it gets to a backend. */
export function errorIdOf({ path }: Pick<ProjectCall<unknown>, 'path'>): string {
  const id = path.error_id ?? '';
  if (!isErrorId(id)) {
    throw new AppError('not_found', 'an error id has 1 to 64 letters, digits, "-" and "_"');
  }
  return id;
}

/** Returns the event's id in the path; allows dashes and upper case. Throws `not_found` for an invalid one. */
export function eventIdOf({ path }: Pick<ProjectCall<unknown>, 'path'>): string {
  const id = (path.event_id ?? '').replaceAll('-', '').toLowerCase();
  if (!/^[0-9a-f]{32}$/.test(id)) throw new AppError('not_found', 'an event id has 32 hexadecimal digits');
  return id;
}
