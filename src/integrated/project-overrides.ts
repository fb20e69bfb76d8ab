import { isDeepStrictEqual } from 'node:util';
import type { ProtectionOverrides, ProjectProtection } from '../domain/ingest/protection-overrides.ts';
import type { PerProject } from './per-project.ts';

/** Returns the overrides of a project; undefined: none. Called for every request and event: one map look-up. */
export type OverridesOf = (projectId: number) => ProtectionOverrides | undefined;

/** Protection overrides by project, as last received by this thread. */
export class ProjectOverrides {
  #byProject: ReadonlyMap<number, ProtectionOverrides> = new Map();
  #replaced = false;

  readonly of: OverridesOf = (projectId) => this.#byProject.get(projectId);

  /** Replaces all entries. Unchanged entries keep identity, so derived caches stay valid. */
  replace(rows: readonly ProjectProtection[]): void {
    this.#replaced = true;
    this.#take(rows);
  }

  /** Sets the entries read when the store was opened. Ignored after a `replace`, which is newer. */
  begin(rows: readonly ProjectProtection[]): void {
    if (!this.#replaced) this.#take(rows);
  }

  #take(rows: readonly ProjectProtection[]): void {
    const before = this.#byProject;
    this.#byProject = new Map(
      rows.map(([projectId, own]) => {
        const known = before.get(projectId);
        return [projectId, known !== undefined && isDeepStrictEqual(known, own) ? known : own];
      }),
    );
  }
}

/**
 * Returns `ordinary` for projects without overrides. For others calls `make` with configuration and overrides, and
 * caches the result until either changes.
 */
export function withOverrides<C extends object, T>(
  ordinary: PerProject<T>,
  configured: PerProject<C>,
  ownOf: OverridesOf,
  make: (configured: C, own: ProtectionOverrides) => T,
): PerProject<T> {
  const made = new WeakMap<ProtectionOverrides, { readonly from: C; readonly one: T }>();
  return (projectId, projectPath) => {
    const own = ownOf(projectId);
    if (own === undefined) return ordinary(projectId, projectPath);
    const from = configured(projectId, projectPath);
    const known = made.get(own);
    if (known?.from === from) return known.one;
    const one = make(from, own);
    made.set(own, { from, one });
    return one;
  };
}
