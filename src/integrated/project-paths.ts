import type { Store } from '../domain/ports/store.ts';

/** Paths are only needed where something is configured by path; they may be this old, in milliseconds. */
const TTL_MS = 1000;

/**
 * Full paths by project id, kept up to date in the background; null for all where `additions` are none.
 * Throws when the store cannot say them, unless `late`: then they come when it is there.
 */
export async function projectPaths(
  additions: object,
  store: Pick<Store, 'listProjects'>,
  late: 'late' | 'now' = 'now',
): Promise<(projectId: number) => string | null> {
  let paths: ReadonlyMap<number, string> = new Map();
  const refresh = async (): Promise<void> => {
    paths = new Map((await store.listProjects()).map((project) => [project.id, project.path]));
  };
  if (Object.keys(additions).length > 0) {
    if (late === 'now') {
      await refresh();
    } else {
      void refresh().catch(() => undefined);
    }
    // A failed look-up keeps the old paths.
    setInterval(() => void refresh().catch(() => undefined), TTL_MS).unref();
  }
  return (projectId) => paths.get(projectId) ?? null;
}
