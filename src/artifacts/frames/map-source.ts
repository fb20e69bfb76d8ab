/** Map as the store finds it. */
export interface FoundMap {
  readonly bundleId: string;
  readonly kind: 'source_map' | 'proguard';
  /** Name of the compact form in the file area; null: there is none, see `problem`. */
  readonly file: string | null;
  readonly problem: string | null;
}

/** Parts of the store that look-ups use. */
export interface MapSource {
  projectsWithBundles(): Promise<readonly number[]>;
  mapsByDebugId(projectId: number, debugId: string): Promise<readonly FoundMap[]>;
  mapsByUrl(projectId: number, release: string, dist: string | null, url: string): Promise<readonly FoundMap[]>;
  bundlesOfRelease(projectId: number, release: string): Promise<readonly unknown[]>;
  readFile(name: string): Promise<Uint8Array | null>;
  markBundleUsed(projectId: number, bundleId: string, at: number): Promise<void>;
}
