import type { AppError } from '../domain/app-error.ts';
import type { TrackingSettings } from '../domain/tracking-settings.ts';
import { parseApiUrl } from './api-url.ts';
import type { TrackerClient } from './client.ts';
import { fateOfProject, fateProblem, type ProjectFate } from './project-fate.ts';
import type { TokenSealer } from './sealed-token.ts';

export interface LinkedProjectParts {
  readonly client: Pick<TrackerClient, 'request'>;
  readonly sealer: Pick<TokenSealer, 'open'>;
}

export interface LinkedProject {
  readonly fate: ProjectFate;
  /** What to tell people; null while nothing is wrong, or nothing is known. */
  readonly problem: AppError | null;
}

/** What became of the project that settings name, asked live. Null for settings that name none, or have no token. */
export async function linkedProject(
  { client, sealer }: LinkedProjectParts,
  { projectId, apiUrl, sealedToken, thirdpartyProjectId }: TrackingSettings,
  signal?: AbortSignal,
): Promise<LinkedProject | null> {
  const { base, organization, project } = parseApiUrl(apiUrl) ?? { base: '', organization: null, project: null };
  if (organization === null || project === null || sealedToken === null) return null;
  const session = {
    client,
    target: { baseUrl: base, token: () => sealer.open(sealedToken, projectId) },
    organization,
    project,
    projectId: thirdpartyProjectId,
    ...(signal === undefined ? {} : { signal }),
  };
  const fate = await fateOfProject(session);
  return { fate, problem: fateProblem(session, fate) };
}
