import type { RunningStore } from './import-run.ts';
import { isRunning } from './state/run-lease.ts';
import { readRun, requestCancel } from './state/run-state.ts';

/**
 * Cancels an import. True: no process runs it, and it is cancelled now. False: its process ends it within some seconds.
 * What was imported stays.
 */
export async function cancelRun(
  store: Pick<RunningStore, 'acquireLease' | 'releaseLease' | 'importState' | 'saveImportState' | 'listImportStates'>,
  key: string,
  probe: string,
  now: number,
): Promise<boolean> {
  // First, so that a process that takes the lease meanwhile, or after a kill, sees it.
  await requestCancel(store, key, now);
  if (await isRunning(store, key, probe)) return false;
  const run = await readRun(store, key);
  if (run !== null) {
    await store.saveImportState(
      key,
      JSON.stringify({
        ...run,
        state: 'cancelled',
        message: 'it was cancelled; run it again to go on',
        updatedAt: now,
      }),
    );
  }
  return true;
}
