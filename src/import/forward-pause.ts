import { type ForwardPause, forwardPauseKey } from '../domain/ingest/forward.ts';
import { sleep as realSleep } from '../lib/back-off.ts';
import { Periodic } from '../lib/periodic.ts';
import type { ProjectContext } from './project-context.ts';

/** Milliseconds after which a pause ends that is not renewed, and between two renewals. */
const PAUSE_MS = 60_000;
const RENEW_MS = 20_000;
/** Longest pause in milliseconds: some trackers move the times of events that come 55 minutes late. */
const MAX_PAUSE_MS = 1_800_000;
/** Seconds until events that are on their way count as settled, at most; then counts wait for the next pass. */
const MAX_WAIT_S = 100;
const SECOND_MS = 1000;

/**
 * Reads counts while no event of the project is forwarded, and a minute after the last one, so that also those of a busy
 * project can be taken. Events wait in the spool meanwhile.
 */
export async function withForwardPaused(context: ProjectContext, work: () => Promise<void>): Promise<void> {
  const { deps, projectId, signal } = context;
  const { store, clock, sleep = realSleep } = deps;
  const forward = await store.forward(projectId);
  const begunAt = clock.now();
  if (forward === null || (forward.until !== null && forward.until <= begunAt)) return work();
  const save = (until: number): Promise<void> =>
    store.saveImportState(forwardPauseKey(projectId), JSON.stringify({ until } satisfies ForwardPause));
  const renewal = new Periodic({
    intervalMs: RENEW_MS,
    run: async () => {
      const now = clock.now();
      if (now - begunAt < MAX_PAUSE_MS) await save(now + PAUSE_MS);
    },
  });
  await save(begunAt + PAUSE_MS);
  renewal.start();
  try {
    for (let waited = 0; waited < MAX_WAIT_S && (await context.forwardPending()); waited += 1) {
      signal.throwIfAborted();
      await sleep(SECOND_MS, signal);
    }
    await work();
  } finally {
    await renewal.stop();
    // A store that is away lets it end by itself.
    await save(0).catch(() => undefined);
  }
}
