import { spawn } from 'node:child_process';
import { withStore } from './large-store.ts';
import { openLoop, type OpenLoopFigures } from './open-loop.ts';
import { seedStore } from './seed.ts';
import { startService, storeTarget, type Service } from './service.ts';
import type { FreshStore, StoreName } from './stores.ts';

export interface RetentionFigures {
  readonly store: StoreName;
  readonly events: number;
  readonly errors: number;
  readonly incomingPerSecond: number;
  readonly removedPerSecond: number;
  /** Acceptance before, and while events were removed. */
  readonly before: OpenLoopFigures;
  readonly meanwhile: OpenLoopFigures;
}

const DAY_MS = 86_400_000;
/** Days since the receipt of the newest seeded event: longer than the keys of events stay. */
const AGE_DAYS = 9;
/** Maximum seconds of the load meanwhile. */
const MAX_SECONDS = 3600;

/**
 * Measures `errgate prune` beside the service, which removes all seeded events with their keys while others come in. It
 * makes no pauses, unlike the service's own run: the most that retention can slow down acceptance.
 */
export async function measureRetention(
  store: FreshStore,
  size: {
    readonly events: number;
    readonly errors: number;
    readonly incomingPerSecond: number;
    /** Seconds of the load before. */
    readonly seconds: number;
  },
): Promise<RetentionFigures> {
  const { events, errors, incomingPerSecond } = size;
  // Without a bound per error, which the load would reach and whose removals would count too.
  const fresh = { ...store, env: { ...store.env, ERRGATE_MAX_EVENTS_PER_ERROR: '0' } };
  const service = await startService(fresh);
  try {
    const { port, first } = service;
    const until = Date.now() - AGE_DAYS * DAY_MS;
    await withStore(fresh, service, (opened) => seedStore(opened, first.project_id, { events, errors, until }));
    const { path, key } = storeTarget(service);
    const before = await openLoop(port, path, key, incomingPerSecond, size.seconds);
    const state = { done: false };
    const started = performance.now();
    const removal = prune(fresh, service).finally(() => (state.done = true));
    const meanwhile = openLoop(port, path, key, incomingPerSecond, MAX_SECONDS, () => state.done);
    const removed = await removal;
    const removedPerSecond = (removed * 1000) / (performance.now() - started);
    const load = await meanwhile;
    if (removed !== events) throw new Error(`${removed} of ${events} old events were removed`);
    if (before.failed + load.failed > 0) throw new Error(`${before.failed + load.failed} events were refused`);
    return { store: fresh.name, events, errors, incomingPerSecond, removedPerSecond, before, meanwhile: load };
  } finally {
    await service.remove();
  }
}

/** Runs the command and returns the number of removed events. */
async function prune(fresh: FreshStore, { dataDir }: Service): Promise<number> {
  const env = {
    ...process.env,
    ERRGATE_DATA_DIR: dataDir,
    ERRGATE_STORE_URL: fresh.url,
    ERRGATE_RETENTION_DAYS: '1',
    ...fresh.env,
  };
  const child = spawn(process.execPath, ['bin/errgate.js', 'prune', '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`errgate prune ended with ${String(code)}: ${output}`);
  return (JSON.parse(output) as { events: number }).events;
}
