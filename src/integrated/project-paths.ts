import type { Store } from '../domain/ports/store.ts';
import { Periodic } from '../lib/periodic.ts';

/** Paths are only needed where something is configured by path; they may be this old, in milliseconds. */
const TTL_MS = 1000;

export interface ProjectPaths {
  /** Full path of the project; null where it is not known, or no path is needed. */
  of(projectId: number): string | null;
  /** Ends the look-ups; one under way is not waited for. */
  stop(): void;
}

/**
 * Full paths by project id, kept up to date in the background; null for all where `additions` are none.
 * Throws when the store cannot say them, unless `late`: then they come when it is there.
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
