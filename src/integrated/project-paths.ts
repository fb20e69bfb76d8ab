import type { Store } from '../domain/ports/stores/store.ts';
import { Periodic } from '../lib/periodic.ts';

/** Maximum age of a path in milliseconds. Paths are only needed for configuration by path. */
const TTL_MS = 1000;

export interface ProjectPaths {
  /** Returns the full path of the project; null where it is unknown or not needed. */
  of(projectId: number): string | null;
  /** Stops the look-ups. Does not wait for a running one. */
  stop(): void;
}

/**
 * Reads full paths by project id and updates them in the background; null for all without `additions`. Throws when the
 * store cannot read them, unless `late`: then they are read when the store is available.
 */
export async function projectPaths(
  additions: object,
  store: Pick<Store, 'listProjects'>,
  late: 'late' | 'now' = 'now',
): Promise<ProjectPaths> {
  let paths: ReadonlyMap<number, string> = new Map();
  const refresh = async (): Promise<void> => {
    paths = new Map((await store.listProjects()).map((project) => [project.id, project.path]));
  };
  // A failed look-up keeps the old paths.
  const job = new Periodic({ intervalMs: TTL_MS, run: refresh });
  if (Object.keys(additions).length > 0) {
    if (late === 'now') await refresh();
    else void job.run();
    job.start();
  }
  return { of: (projectId) => paths.get(projectId) ?? null, stop: () => void job.stop() };
}
