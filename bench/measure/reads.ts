import { withStore } from './large-store.ts';
import { openLoop } from './open-loop.ts';
import { seedStore } from './seed.ts';
import { startService, type Service } from './service.ts';
import { percentile } from './statistics.ts';
import { embeddedStore } from './stores.ts';

export const READS = ['list', 'details', 'event'] as const;
export type ReadName = (typeof READS)[number];

export interface ReadFigures {
  readonly events: number;
  readonly errors: number;
  readonly incomingPerSecond: number;
  /** p50 and p95 in milliseconds. */
  readonly reads: Readonly<Record<ReadName, readonly [p50: number, p95: number]>>;
}

const SECONDS = 30;
const WARM_UP = 20;
/** Milliseconds between two reads: the rate of one or two users. */
const PAUSE_MS = 10;

/** Measures list, details and latest event of a large store during intake. */
export async function measureReads(size: {
  readonly events: number;
  readonly errors: number;
  readonly incomingPerSecond: number;
}): Promise<ReadFigures> {
  const fresh = embeddedStore();
  const service = await startService(fresh);
  try {
    await withStore(fresh, service, (store) => seedStore(store, service.first.project_id, size));
    const { port, first } = service;
    const path = `/errortracking/api/v1/projects/api/${first.project_id}/store/`;
    const state = { running: true };
    const load = openLoop(port, path, new URL(first.dsn).username, size.incomingPerSecond, SECONDS).finally(
      () => (state.running = false),
    );
    const samples: Record<ReadName, number[]> = { list: [], details: [], event: [] };
    for (let index = 0; state.running; index += 1) {
      const times = await readOnce(service, index);
      if (index >= WARM_UP) for (const name of READS) samples[name].push(times[name]);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    const { failed } = await load;
    if (failed > 0) throw new Error(`${failed} events were refused meanwhile`);
    const figures = (name: ReadName): readonly [number, number] => [
      percentile(samples[name], 0.5),
      percentile(samples[name], 0.95),
    ];
    return { ...size, reads: { list: figures('list'), details: figures('details'), event: figures('event') } };
  } finally {
    await service.remove();
  }
}

async function readOnce({ port, first }: Service, index: number): Promise<Record<ReadName, number>> {
  const url = `http://127.0.0.1:${port}/api/v4/projects/${first.project_id}/error_tracking/errors`;
  const times: Record<ReadName, number> = { list: 0, details: 0, event: 0 };
  const get = async (name: ReadName, address: string): Promise<unknown> => {
    const from = performance.now();
    const answer = await fetch(address, { headers: { 'PRIVATE-TOKEN': first.token } });
    const body: unknown = await answer.json();
    times[name] = performance.now() - from;
    if (answer.status !== 200) throw new Error(`${name} answered ${answer.status}`);
    return body;
  };
  const sort = ['last_seen', 'first_seen', 'frequency', 'users'][index % 4] ?? '';
  const list = (await get('list', `${url}?sort=${sort}`)) as { id: string }[];
  const id = list[index % list.length]?.id ?? '';
  await get('details', `${url}/${id}`);
  await get('event', `${url}/${id}/events/latest`);
  return times;
}
