import { projectAddress } from '../lib/project-path.ts';
import { ApiFailure } from './api-failure.ts';
import { answered, api } from './client.ts';
import type { components } from './schema.d.ts';

type Schemas = components['schemas'];
export type TrackingSettings = Schemas['Settings'];
export type TrackerProject = Schemas['TrackerProject'];
export type Advice = Schemas['Advice'];

/** Content of the form. Without `link` the stored link to an external tracker does not change. */
export interface SettingsForm {
  readonly active: boolean;
  readonly integrated: boolean;
  readonly link: TrackerLink | null;
}

export interface TrackerLink {
  readonly apiHost: string;
  /** Token of the tracker; asterisks alone keep the stored token. */
  readonly token: string;
  readonly project: Pick<TrackerProject, 'id' | 'name' | 'slug' | 'organization_name' | 'organization_slug'> | null;
}

export interface Connected {
  /** Projects that the token can see; null when the request to the tracker failed. */
  readonly projects: readonly TrackerProject[] | null;
  /** Name of the token's account; empty when the tracker does not send it. */
  readonly account: string;
  /** Reason of the refusal; empty when not given. */
  readonly reason: string;
  readonly status: number;
  readonly advice: readonly Advice[];
}

/** Reads the settings; null before they were saved for the first time. */
export async function getSettings(project: string): Promise<TrackingSettings | null> {
  try {
    const { data } = await answered(
      api.GET('/api/v4/projects/{id}/error_tracking/settings', { params: { path: { id: project } } }),
    );
    return data;
  } catch (error) {
    if (error instanceof ApiFailure && error.message === '404 Error Tracking Setting Not Found') return null;
    throw error;
  }
}

/** Saves the form. Throws an `ApiFailure` with the reason. */
export async function saveSettings(project: string, { active, integrated, link }: SettingsForm): Promise<void> {
  const chosen = link?.project ?? null;
  const attributes = {
    enabled: active,
    integrated,
    ...(link === null ? {} : { api_host: link.apiHost, token: link.token }),
    ...(chosen === null
      ? {}
      : {
          project: {
            slug: chosen.slug,
            name: chosen.name,
            organization_slug: chosen.organization_slug,
            organization_name: chosen.organization_name,
            thirdparty_project_id: chosen.id ?? '',
          },
        }),
  };
  await answered(
    api.PATCH('/{project_path}/-/settings/operations.json', {
      params: { path: { project_path: project } },
      pathSerializer: () => `${projectAddress(project)}/-/settings/operations.json`,
      body: { project: { error_tracking_setting_attributes: attributes } },
    }),
  );
}

/** Links another project of the same tracker with the stored token. */
export async function linkProject(project: string, { id, name, slug, ...rest }: TrackerProject): Promise<void> {
  await answered(
    api.PUT('/api/v4/projects/{id}/error_tracking/settings/thirdparty', {
      params: { path: { id: project } },
      body: {
        organization_slug: rest.organization_slug,
        organization_name: rest.organization_name,
        project_slug: slug,
        project_name: name,
        thirdparty_project_id: id ?? '',
      },
    }),
  );
}

function adviceOf(body: unknown): readonly Advice[] {
  const advice = typeof body === 'object' && body !== null && 'advice' in body ? body.advice : null;
  return Array.isArray(advice) ? (advice as readonly Advice[]) : [];
}

/**
 * Lists the projects that a token can see; null: the stored one, which the service does not send. The form of the
 * request is that of the host.
 */
export async function connectTracker(project: string, apiHost: string, token: string | null): Promise<Connected> {
  let refusal: unknown = null;
  const request = api.GET('/{project_path}/-/error_tracking/projects.json', {
    params: {
      path: { project_path: project },
      query: { api_host: apiHost, ...(token === null ? {} : { token }) },
    },
    pathSerializer: () => `${projectAddress(project)}/-/error_tracking/projects.json`,
    cache: 'no-store',
  });
  try {
    const { data } = await answered(
      request.then((result) => {
        refusal = result.error ?? null;
        return result;
      }),
    );
    return { projects: data.projects, account: data.account ?? '', reason: '', status: 200, advice: data.advice };
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    return { projects: null, account: '', reason: error.message, status: error.status, advice: adviceOf(refusal) };
  }
}
