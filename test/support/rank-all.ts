import { AppError } from '../../src/domain/app-error.ts';
import type { ListStore } from '../../src/domain/ports/list-store.ts';

/** Brings all ranks up to date. */
export async function rankAll(store: Pick<ListStore, 'rankErrors'>, now: number): Promise<void> {
  try {
    while ((await store.rankErrors(now)) > 0);
  } catch (error) {
    // A store without ranks has another order of its own meanwhile.
    if (!(error instanceof AppError) || !error.message.endsWith('is not there yet')) throw error;
  }
}
