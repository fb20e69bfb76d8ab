import type { ListStore } from '../../src/domain/ports/stores/list-store.ts';

/** Brings all ranks up to date. */
export async function rankAll(store: Pick<ListStore, 'rankErrors'>, now: number): Promise<void> {
  while ((await store.rankErrors(now)) > 0);
}
