import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Memory,
  memoryMb,
  processCpuSeconds,
  startAndAwaitLine,
  stopProcess,
  threadCpuSeconds,
} from './process.ts';
import type { FirstStart } from '../../test/support/service-process.ts';
import type { FreshStore } from './stores.ts';

/** Built service with a data dir and a store of its own. */
export interface Service {
  readonly readyMs: number;
  readonly port: number;
  readonly first: FirstStart;
  readonly dataDir: string;
  memory(): Memory;
  /** Highest resident memory so far. */
  maxRssMb(): number;
  cpuSeconds(): number;
  /** CPU seconds of each thread, by its id. */
  threads(): ReadonlyMap<number, number>;
  /** Number of stored events. */
  stored(): Promise<number>;
  /** Waits until the store holds this many events: until the last one is readable. */
  awaitStored(count: number): Promise<void>;
  /**
   * Waits until the outcomes equal the number of sent events, each counted once; throws after a time limit. `cutOff`:
   * maximum of additional events from requests that were aborted.
   */
  awaitCounted(sent: number, cutOff: number): Promise<void>;
  /** Stops the service with SIGTERM. */
  stop(): Promise<void>;
  /** Bytes of all files in the data dir. */
  dataDirBytes(): number;
  /** Stops the service if it runs, and removes the data dir. */
  remove(): Promise<void>;
}

/**
 * Starts the built service. `dataDir`: that of an earlier one on the same store, which has ended; default a new one.
 * `nodeOptions`: options of Node.js for it.
 */
export async function startService(
  store: FreshStore,
  dataDir = mkdtempSync(join(tmpdir(), 'errgate-bench-')),
  nodeOptions: readonly string[] = [],
): Promise<Service> {
  const env = {
    ERRGATE_PORT: '0',
    ERRGATE_DATA_DIR: dataDir,
    ERRGATE_STORE_URL: store.url,
    ERRGATE_LOG_LEVEL: 'warn',
    ERRGATE_LOG_FORMAT: 'json',
    ...store.env,
  };
  const started = performance.now();
  const args = [...nodeOptions, 'bin/errgate.js', 'serve'];
  const { child } = await startAndAwaitLine(process.execPath, args, env, /ready/i);
  const readyMs = performance.now() - started;
  const pid = child.pid ?? 0;
  let maxRssMb = 0;
  const sampler = setInterval(() => {
    const now = memoryMb(pid).resident;
    if (now > maxRssMb) maxRssMb = now;
  }, 100);
  const first = JSON.parse(readFileSync(join(dataDir, 'first-start.json'), 'utf8')) as FirstStart;
  const run = JSON.parse(readFileSync(join(dataDir, 'run.json'), 'utf8')) as { url: string };
  const port = Number(new URL(run.url).port);
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    clearInterval(sampler);
    await stopProcess(child, signal);
  };
  return {
    readyMs,
    port,
    first,
    dataDir,
    memory: () => memoryMb(pid),
    maxRssMb: () => maxRssMb,
    cpuSeconds: () => processCpuSeconds(pid),
    threads: () => threadCpuSeconds(pid),
    stored: () => stored(port),
    awaitStored: (count) => awaitStored(port, count),
    awaitCounted: (sent, cutOff) => awaitCounted(port, first, sent, cutOff),
    stop: () => end('SIGTERM'),
    dataDirBytes: () => sizeOf(dataDir),
    remove: async () => {
      await end('SIGKILL');
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Returns the path and the client key for events of the first project. */
export function storeTarget({ first }: Pick<Service, 'first'>): { readonly path: string; readonly key: string } {
  return {
    path: `/errortracking/api/v1/projects/api/${first.project_id}/store/`,
    key: new URL(first.dsn).username,
  };
}

/** Milliseconds without a further event after which the measurement fails. */
const STUCK_MS = 60_000;

async function stored(port: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/-/metrics`)).text();
  return Number(/^errgate_events_stored_total (\d+)/m.exec(text)?.[1] ?? 0);
}

async function awaitStored(port: number, count: number): Promise<void> {
  let best = -1;
  let since = performance.now();
  for (;;) {
    const now = await stored(port);
    if (now >= count) return;
    if (now > best) {
      best = now;
      since = performance.now();
    } else if (performance.now() - since > STUCK_MS) {
      throw new Error(`only ${best} of ${count} events were stored, and no more for a minute`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Milliseconds to wait for counts of refused requests, which are written every few seconds. */
const COUNTED_MS = 15_000;

async function awaitCounted(port: number, first: FirstStart, sent: number, cutOff: number): Promise<void> {
  const path = `/api/v4/projects/${first.project_id}/error_tracking/outcomes?group_by=outcome`;
  const until = performance.now() + COUNTED_MS;
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'PRIVATE-TOKEN': first.token } });
    const { outcomes } = (await answer.json()) as { outcomes: { outcome: string; quantity: number }[] };
    const counted = outcomes.reduce((sum, { quantity }) => sum + quantity, 0);
    if (counted >= sent && counted <= sent + cutOff) return;
    if (counted > sent + cutOff || performance.now() > until) {
      throw new Error(`${sent} events were sent (at most ${cutOff} more cut off), ${counted} are counted`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function sizeOf(dir: string): number {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
