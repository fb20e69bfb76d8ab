import { isDeepStrictEqual } from 'node:util';
import type { OwnProtection, ProjectProtection } from '../domain/own-protection.ts';
import type { PerProject } from './per-project.ts';

/** Returns the overrides of a project; undefined: none. Called for every request and event: one map look-up. */
export type OwnOf = (projectId: number) => OwnProtection | undefined;

/** Protection overrides by project, as last received by this thread. */
export class OwnProtections {
  #byProject: ReadonlyMap<number, OwnProtection> = new Map();
  #told = false;

  readonly of: OwnOf = (projectId) => this.#byProject.get(projectId);

  /** Replaces all entries. Unchanged entries keep identity, so derived caches stay valid. */
  replace(rows: readonly ProjectProtection[]): void {
    this.#told = true;
    this.#take(rows);
  }

  /** Sets the entries read when the store was opened. Ignored after a `replace`, which is newer. */
  begin(rows: readonly ProjectProtection[]): void {
    if (!this.#told) this.#take(rows);
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
export function withOwn<C extends object, T>(
  ordinary: PerProject<T>,
  configured: PerProject<C>,
  ownOf: OwnOf,
  make: (configured: C, own: OwnProtection) => T,
): PerProject<T> {
  const made = new WeakMap<OwnProtection, { readonly from: C; readonly one: T }>();
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
