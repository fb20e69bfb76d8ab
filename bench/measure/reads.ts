import { withStore } from './large-store.ts';
import { openLoop } from './open-loop.ts';
import { seedStore } from './seed.ts';
import { startService, storeTarget, type Service } from './service.ts';
import { percentile } from './statistics.ts';
import type { FreshStore, StoreName } from './stores.ts';

export const READS = ['list', 'details', 'event', 'old event'] as const;
export type ReadName = (typeof READS)[number];

export interface ReadFigures {
  /** Absent in results of earlier versions, which are of the embedded store. */
  readonly store?: StoreName;
  readonly events: number;
  readonly errors: number;
  readonly incomingPerSecond: number;
  /** Seconds of the load; absent in results of earlier versions. */
  readonly seconds?: number;
  /** p50 and p95 in milliseconds. */
  readonly reads: Readonly<Partial<Record<ReadName, readonly [p50: number, p95: number]>>>;
}

const WARM_UP = 20;
/** Milliseconds between two reads: the rate of one or two users. */
const PAUSE_MS = 10;

/** Measures list, details, latest event and an old event of a block, of a large store during intake. */
export async function measureReads(
  fresh: FreshStore,
  size: {
    readonly events: number;
    readonly errors: number;
    readonly incomingPerSecond: number;
    readonly seconds: number;
  },
): Promise<ReadFigures> {
  const service = await startService(fresh);
  try {
    await withStore(fresh, service, (store) => seedStore(store, service.first.project_id, size));
    const old = await oldEvents(service);
    const { path, key } = storeTarget(service);
    const state = { running: true };
    const load = openLoop(service.port, path, key, size.incomingPerSecond, size.seconds).finally(
      () => (state.running = false),
    );
    const samples: Record<ReadName, number[]> = { list: [], details: [], event: [], 'old event': [] };
    for (let index = 0; state.running; index += 1) {
      const times = await readOnce(service, old, index);
      if (index >= WARM_UP) for (const name of READS) samples[name].push(times[name]);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    const { failed } = await load;
    if (failed > 0) throw new Error(`${failed} events were refused meanwhile`);
    if (samples.list.length === 0) throw new Error('there were too few reads: make the load longer (--seconds)');
    const figures = (name: ReadName): readonly [number, number] => [
      percentile(samples[name], 0.5),
      percentile(samples[name], 0.95),
    ];
    const reads = Object.fromEntries(READS.map((name) => [name, figures(name)])) as ReadFigures['reads'];
    return { store: fresh.name, ...size, reads };
  } finally {
    await service.remove();
  }
}

const SORTS = ['last_seen', 'first_seen', 'frequency', 'users'];

function addressOf({ port, first }: Service): string {
  return `http://127.0.0.1:${port}/api/v4/projects/${first.project_id}/error_tracking/errors`;
}

async function get({ first }: Service, address: string): Promise<unknown> {
  const answer = await fetch(address, { headers: { 'PRIVATE-TOKEN': first.token } });
  const body: unknown = await answer.json();
  if (answer.status !== 200) throw new Error(`${address} answered ${answer.status}`);
  return body;
}

/** Addresses of the oldest listed event of errors on the first page of each list. All are seeded: in blocks. */
async function oldEvents(service: Service): Promise<string[]> {
  const url = addressOf(service);
  const addresses: string[] = [];
  for (const sort of SORTS) {
    for (const { id } of (await get(service, `${url}?sort=${sort}`)) as { id: string }[]) {
      const events = (await get(service, `${url}/${id}/events?per_page=100`)) as { event_id: string }[];
      addresses.push(`${url}/${id}/events/${events.at(-1)?.event_id ?? ''}`);
    }
  }
  return addresses;
}

async function readOnce(service: Service, old: readonly string[], index: number): Promise<Record<ReadName, number>> {
  const url = addressOf(service);
  const times: Record<ReadName, number> = { list: 0, details: 0, event: 0, 'old event': 0 };
  const timed = async (name: ReadName, address: string): Promise<unknown> => {
    const from = performance.now();
    const body = await get(service, address);
    times[name] = performance.now() - from;
    return body;
  };
  const list = (await timed('list', `${url}?sort=${SORTS[index % SORTS.length] ?? ''}`)) as { id: string }[];
  const id = list[index % list.length]?.id ?? '';
  await timed('details', `${url}/${id}`);
  await timed('event', `${url}/${id}/events/latest`);
  await timed('old event', old[index % old.length] ?? '');
  return times;
}
