import type { ArtifactMap } from '../../domain/artifacts/artifact.ts';

/** Map as look-ups need it. */
export type FoundMap = Pick<ArtifactMap, 'bundleId' | 'kind' | 'file' | 'problem'>;

/** Parts of the store that look-ups use. */
export interface MapSource {
  projectsWithBundles(): Promise<readonly number[]>;
  mapsByDebugId(projectId: number, debugId: string): Promise<readonly FoundMap[]>;
  mapsByUrl(projectId: number, release: string, dist: string | null, url: string): Promise<readonly FoundMap[]>;
  bundlesOfRelease(projectId: number, release: string): Promise<readonly unknown[]>;
  readFile(name: string): Promise<Uint8Array | null>;
  markBundleUsed(projectId: number, bundleId: string, at: number): Promise<void>;
}
