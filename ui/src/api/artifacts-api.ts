import { answered, api } from './client.ts';
import type { components } from './schema.d.ts';

type Schemas = components['schemas'];
export type Artifact = Schemas['Artifact'];
export type BuildTools = Schemas['BuildTools'];

const PER_PAGE = 20;

export interface ArtifactListQuery {
  /** Exact release; blank: all. */
  readonly release: string;
  /** Part of a release or dist, or the beginning of an id; blank: all. */
  readonly search: string;
  /** From 1. */
  readonly page: number;
}

export interface ArtifactPage {
  readonly artifacts: readonly Artifact[];
  /** Uploads that match. */
  readonly total: number;
  /** Number of the neighbouring page; null when there is none. */
  readonly previous: string | null;
  readonly next: string | null;
}

/** Lists uploads, newest first. */
export async function listArtifacts(
  project: string,
  { release, search, page }: ArtifactListQuery,
  signal: AbortSignal,
): Promise<ArtifactPage> {
  const query = {
    ...{ page, per_page: PER_PAGE },
    ...(release === '' ? {} : { release }),
    ...(search === '' ? {} : { search }),
  };
  const { data, headers } = await answered(
    api.GET('/api/v4/projects/{id}/error_tracking/artifacts', { params: { path: { id: project }, query }, signal }),
  );
  const pageIn = (name: string) => {
    const number = headers.get(name) ?? '';
    return number === '' ? null : number;
  };
  return {
    artifacts: data,
    total: Number(headers.get('X-Total') ?? data.length),
    previous: pageIn('X-Prev-Page'),
    next: pageIn('X-Next-Page'),
  };
}

/** Removes an upload with its maps. */
export async function removeArtifact(project: string, id: string): Promise<void> {
  const path = { id: project, bundle_id: id };
  await answered(api.DELETE('/api/v4/projects/{id}/error_tracking/artifacts/{bundle_id}', { params: { path } }));
}

/** Reads what build tools need to know, and how full the uploads of the project are. */
export async function getBuildTools(project: string, signal: AbortSignal): Promise<BuildTools> {
  const params = { path: { id: project } };
  return (await answered(api.GET('/api/v4/projects/{id}/error_tracking/build_tools', { params, signal }))).data;
}
