/** Finds the value for a project by its id or full path (null: unknown). */
export type PerProject<T> = (projectId: number, projectPath: string | null) => T;

/**
 * Resolves settings with additions per project. `additions` are by full project path, in any case, or numeric id; where
 * both are configured both apply, the id last. `make` runs once per combination, not per look-up.
 */
export function perProject<C, A, T>(
  general: C,
  additions: Readonly<Record<string, A | undefined>>,
  merge: (settings: C, addition: A) => C,
  make: (settings: C) => T,
): PerProject<T> {
  const ordinary = make(general);
  const known = new Map<string, A>();
  for (const [project, addition] of Object.entries(additions)) {
    if (addition !== undefined) {
      known.set(project.toLowerCase(), addition);
    }
  }
  const made = new Map<string, T>();
  return (projectId, projectPath) => {
    if (known.size === 0) {
      return ordinary;
    }
    const path = projectPath?.toLowerCase() ?? '';
    const byPath = path === '' ? undefined : known.get(path);
    const byId = known.get(String(projectId));
    if (byPath === undefined && byId === undefined) {
      return ordinary;
    }
    const key = `${byId === undefined ? '' : projectId}|${byPath === undefined ? '' : path}`;
    const existing = made.get(key);
    if (existing !== undefined) {
      return existing;
    }
    const withPath = byPath === undefined ? general : merge(general, byPath);
    const one = make(byId === undefined ? withPath : merge(withPath, byId));
    made.set(key, one);
    return one;
  };
}
