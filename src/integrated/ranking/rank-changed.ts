import { MAX_RANKED, type ListStore } from '../../domain/ports/stores/list-store.ts';

/** Maximum calls of one run, so that a run ends also while more errors change than are ranked. */
const MAX_CALLS = 100;

/** Brings the order `matters` and the totals of ranges up to date, for errors that changed and those whose time came. */
export async function rankChanged(store: Pick<ListStore, 'rankErrors'>, now: () => number): Promise<void> {
  for (let calls = 0; calls < MAX_CALLS; calls += 1) {
    if ((await store.rankErrors(now())) < MAX_RANKED) break;
  }
}
