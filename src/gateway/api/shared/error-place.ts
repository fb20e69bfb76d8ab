import type { Project } from '../../../domain/projects/project.ts';

/** Context that the list adds to an error. */
export interface ErrorPlace {
  readonly project: Pick<Project, 'path'>;
  readonly integrated: boolean;
  readonly externalUrl: string;
}

/** Context of an answer about errors. */
export interface ErrorContext extends ErrorPlace {
  readonly project: Project;
}

/** Returns the address of the project's page of errors. */
export function projectUrl({ externalUrl, project }: Pick<ErrorPlace, 'externalUrl' | 'project'>): string {
  return `${externalUrl}/${project.path}`;
}

export function errorUrl(context: ErrorPlace, errorId: string): string {
  return `${projectUrl(context)}/-/error_tracking/${errorId}/details`;
}
