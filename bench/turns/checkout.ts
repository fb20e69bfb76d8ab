import { randomBytes } from 'node:crypto';
import type { Project } from '../../src/domain/projects/project.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';

/** A checkout that takes part in a comparison. */
export interface Checkout {
  readonly name: string;
  /** Opened by this checkout's code. */
  readonly store: Store;
  /** Loads a module of this checkout. */
  readonly load: <T>(path: string) => Promise<T>;
}

/** Values of each round, by figure and name of the checkout. */
export type Samples = Map<string, Map<string, number[]>>;

export function addSample(samples: Samples, figure: string, checkout: string, value: number): void {
  const byCheckout = samples.get(figure) ?? new Map<string, number[]>();
  samples.set(figure, byCheckout);
  byCheckout.set(checkout, [...(byCheckout.get(checkout) ?? []), value]);
}

/** The same checkouts, beginning with another one each round. */
export function rotated<T>(items: readonly T[], round: number): T[] {
  const first = round % items.length;
  return [...items.slice(first), ...items.slice(0, first)];
}

export function newProject(store: Store): Promise<Project> {
  return store.createProject({ path: `bench/${randomBytes(8).toString('hex')}`, name: 'bench', visibility: 'private' });
}
