import { isDeepStrictEqual } from 'node:util';
import type { OwnProtection, ProjectProtection } from '../domain/own-protection.ts';
import type { PerProject } from './per-project.ts';

/** What a project asks for itself; undefined: nothing. Asked for every request and event, so it is a look into a map. */
export type OwnOf = (projectId: number) => OwnProtection | undefined;

/** What projects ask for themselves, as this thread was last told. */
export class OwnProtections {
  #byProject: ReadonlyMap<number, OwnProtection> = new Map();
  #told = false;

  readonly of: OwnOf = (projectId) => this.#byProject.get(projectId);

  /** From now on these, and no others. What is as before stays the same object, and with it what was made of it. */
  replace(rows: readonly ProjectProtection[]): void {
    this.#told = true;
    this.#take(rows);
  }

  /** What the store said when it was opened; nothing where something newer was told while it was asked. */
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
 * `ordinary` for projects that ask for nothing; for others what `make` makes of what is configured for them and what
 * they ask for, once until either changes.
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
