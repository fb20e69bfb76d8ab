import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PruneLimits } from '../../src/domain/ports/stores/maintenance-store.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import { openStore } from '../../src/storage/open/open-store.ts';
import { seedStore, SPAN_MS, type SeedFigures } from './seed.ts';
import { startService, type Service } from './service.ts';
import { percentile } from './statistics.ts';
import type { CollectionSize, FreshStore } from './stores.ts';

export interface Latency {
  readonly p50: number;
  readonly p95: number;
}

export const LISTS = {
  'unresolved, by last seen (the default)': '',
  'all, by frequency': '?status=all&sort=frequency',
  'unresolved, one environment and a word': '?environment=production&search=payment',
} as const;
export type ListName = keyof typeof LISTS;

export interface LargeStoreFigures {
  readonly seed: SeedFigures;
  readonly lists: Readonly<Record<ListName, Latency>>;
  readonly sizes: readonly CollectionSize[];
  /** Documents per second: whole events (retention beyond a week), only payloads (below), and keys after them. */
  readonly wholePruned: number;
  readonly payloadsPruned: number;
  readonly keysPruned: number;
}

const SAMPLES = 300;
const WARM_UP = 20;
/** Rows per page by default. */
const PAGE = 20;

/** Measures a store with many errors: lists through the service, bytes per collection, and the cost of retention. */
export async function measureLargeStore(
  fresh: FreshStore,
  size: { readonly errors: number; readonly events: number },
): Promise<LargeStoreFigures> {
  const service = await startService(fresh);
  try {
    const seed = await withStore(fresh, service, (store) => seedStore(store, service.first.project_id, size));
    console.error(`  seeded, ${seed.eventsPerSecond.toFixed(0)} events/s`);
    const lists = await measureLists(service);
    console.error('  lists read');
    await service.stop();
    const sizes = (await fresh.database?.sizes()) ?? [];
    return await withStore(fresh, service, async (store) => {
      const [middle, end] = [Date.now() - SPAN_MS / 2, Date.now() + SPAN_MS];
      const wholePruned = await prunedPerSecond(store, { receivedBefore: middle, keysReceivedBefore: middle });
      const payloadsPruned = await prunedPerSecond(store, { receivedBefore: end, keysReceivedBefore: 0 });
      const keysPruned = await prunedPerSecond(store, { receivedBefore: end, keysReceivedBefore: end });
      return { seed, lists, sizes, wholePruned, payloadsPruned, keysPruned };
    });
  } finally {
    await service.remove();
  }
}

/** Opens the store as a command beside the service does. Batches of a MongoDB store need a separate folder. */
export async function withStore<T>(
  fresh: FreshStore,
  service: Service,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const own = mkdtempSync(join(tmpdir(), 'errgate-bench-seed-'));
  const dataDir = fresh.database === null ? service.dataDir : own;
  const store = await openStore({ url: fresh.url, dataDir });
  try {
    return await work(store);
  } finally {
    await store.close();
    rmSync(own, { recursive: true, force: true });
  }
}

async function measureLists({ port, first }: Service): Promise<Record<ListName, Latency>> {
  const url = `http://127.0.0.1:${port}/api/v4/projects/${first.project_id}/error_tracking/errors`;
  const names = Object.keys(LISTS) as ListName[];
  const samples = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<ListName, number[]>;
  for (let index = 0; index < SAMPLES + WARM_UP; index += 1) {
    // Interleaves the lists, so that a disturbance of the machine affects all of them.
    for (const name of names) {
      const from = performance.now();
      const answer = await fetch(url + LISTS[name], { headers: { 'PRIVATE-TOKEN': first.token } });
      const body: unknown = await answer.json();
      if (answer.status !== 200 || !Array.isArray(body) || body.length !== PAGE) {
        throw new Error(`the list "${name}" answered ${answer.status}: ${JSON.stringify(body).slice(0, 300)}`);
      }
      if (index >= WARM_UP) samples[name].push(performance.now() - from);
    }
  }
  const latency = (name: ListName): Latency => {
    return { p50: percentile(samples[name], 0.5), p95: percentile(samples[name], 0.95) };
  };
  return Object.fromEntries(names.map((name) => [name, latency(name)])) as Record<ListName, Latency>;
}

/** Prunes without the service's pauses between slices; returns documents per second. */
async function prunedPerSecond(
  store: Store,
  limits: Pick<PruneLimits, 'receivedBefore' | 'keysReceivedBefore'>,
): Promise<number> {
  const all = { maxEventsPerError: null, hoursBefore: 0, outcomesBefore: 0, ...limits };
  let documents = 0;
  const started = performance.now();
  for (let done = false; !done;) {
    const progress = await store.prune(all);
    documents += Math.max(progress.events, progress.keys);
    done = progress.done;
  }
  return (documents * 1000) / (performance.now() - started);
}
