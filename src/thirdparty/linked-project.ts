import type { AppError } from '../domain/app-error.ts';
import type { TrackingSettings } from '../domain/projects/tracking-settings.ts';
import { parseApiUrl } from './http/api-url.ts';
import type { TrackerClient } from './http/client.ts';
import { readProjectState, projectStateProblem, type ProjectState } from './project-state.ts';
import type { TokenCipher } from './secrets/encrypted-token.ts';

export interface LinkedProjectParts {
  readonly client: Pick<TrackerClient, 'request'>;
  readonly cipher: Pick<TokenCipher, 'decrypt'>;
}

export interface LinkedProject {
  readonly state: ProjectState;
  /** Problem for display; null for none or unknown. */
  readonly problem: AppError | null;
}

/** Checks the linked project with the tracker. Null for settings without a project or token. */
export async function linkedProject(
  { client, cipher }: LinkedProjectParts,
  { projectId, apiUrl, sealedToken, thirdpartyProjectId }: TrackingSettings,
  signal?: AbortSignal,
): Promise<LinkedProject | null> {
  const { base, organization, project } = parseApiUrl(apiUrl) ?? { base: '', organization: null, project: null };
  if (organization === null || project === null || sealedToken === null) return null;
  const session = {
    client,
    target: { baseUrl: base, token: () => cipher.decrypt(sealedToken, projectId) },
    organization,
    project,
    projectId: thirdpartyProjectId,
    ...(signal === undefined ? {} : { signal }),
  };
  const state = await readProjectState(session);
  return { state, problem: projectStateProblem(session, state) };
}
