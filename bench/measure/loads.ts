import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureBaseline } from './baseline.ts';
import { addClientKeys, KEYS, PROJECTS } from './client-keys.ts';
import { writeEnvelopes } from './envelopes.ts';
import { startService, type Service } from './service.ts';
import type { FreshStore } from './stores.ts';
import { runReadyWrk, runWrk, WRK_CONNECTIONS, type WrkFigures } from './wrk.ts';

interface Load {
  readonly what: string;
  readonly eventsEach: number;
  readonly connections: number;
  /** Server that does the least that the load asks for. */
  readonly baseline: string;
  /** Ready-made bodies per second of the load, more than errgate takes; null: wrk makes them. */
  readonly readyPerSecond: number | null;
}

/** Loads other than one event to `store/`, uncompressed, with one key. */
export const LOADS = {
  'gzip-envelopes': {
    what: 'envelopes with one event, gzipped as SDKs send them',
    eventsEach: 1,
    connections: WRK_CONNECTIONS,
    baseline: 'bench/baseline/node-http-envelope.ts',
    readyPerSecond: 10_000,
  },
  'large-envelopes': {
    what: 'envelopes with 500 events, gzipped',
    eventsEach: 500,
    connections: 4,
    baseline: 'bench/baseline/node-http-envelope.ts',
    readyPerSecond: 200,
  },
  'many-keys': {
    what: `one event to \`store/\`, uncompressed, ${KEYS} keys of ${PROJECTS} projects in turn`,
    eventsEach: 1,
    connections: WRK_CONNECTIONS,
    baseline: 'bench/baseline/node-http.ts',
    readyPerSecond: null,
  },
} as const satisfies Record<string, Load>;
export type LoadName = keyof typeof LOADS;

export interface LoadFigures {
  readonly acceptedPerSecond: number;
  readonly storedPerSecond: number;
  /** CPU time of the service per stored event, both threads. */
  readonly cpuMicroseconds: number;
  readonly maxRssMb: number;
}

/** Bodies of a load, which the rounds and stores of a run share: each store is a new one. */
export interface Bodies {
  readonly file: string;
  remove(): void;
}

export function makeBodies(name: LoadName, seconds: number): Bodies {
  const { readyPerSecond, eventsEach }: Load = LOADS[name];
  const folder = mkdtempSync(join(tmpdir(), 'errgate-bench-bodies-'));
  const file = join(folder, 'bodies');
  if (readyPerSecond !== null) writeEnvelopes(file, Math.ceil(readyPerSecond * seconds), eventsEach);
  return { file, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Measures the events per second that a bare server parses under the load. */
export async function measureLoadBaseline(name: LoadName, bodies: Bodies, seconds: number): Promise<number> {
  const { eventsEach, baseline, connections, readyPerSecond }: Load = LOADS[name];
  const send = (port: number): Promise<WrkFigures> =>
    readyPerSecond === null
      ? runWrk(port, '/', 'none', seconds, 1)
      : runReadyWrk(port, { path: '/', key: 'none' }, { file: bodies.file, connections }, seconds);
  return (await measureBaseline(baseline, seconds, send)) * eventsEach;
}

/** Measures one round of the load on a new store. */
export async function measureLoad(
  name: LoadName,
  store: FreshStore,
  bodies: Bodies,
  seconds: number,
): Promise<LoadFigures> {
  const { eventsEach, connections }: Load = LOADS[name];
  const service = await startService(store);
  try {
    const send = await sender(name, service, bodies, seconds);
    const cpuBefore = service.cpuSeconds();
    const started = performance.now();
    const load = await send();
    if (load.non2xx > 0) throw new Error(`${load.non2xx} requests of ${name} were refused`);
    if ((load.repeated ?? 0) > 0) throw new Error(`the bodies of ${name} were too few, and sent twice`);
    const accepted = load.requests * eventsEach;
    await service.awaitStored(accepted);
    // Includes events whose answer was not awaited: with 500 in each request they are many.
    const stored = await service.stored();
    const storedPerSecond = (stored * 1000) / (performance.now() - started);
    const cpuMicroseconds = ((service.cpuSeconds() - cpuBefore) * 1e6) / stored;
    // Outcomes are shown by project.
    if (name !== 'many-keys') await service.awaitCounted(accepted, connections * eventsEach);
    const maxRssMb = service.maxRssMb();
    await service.stop();
    return { acceptedPerSecond: accepted / load.seconds, storedPerSecond, cpuMicroseconds, maxRssMb };
  } finally {
    await service.remove();
  }
}

async function sender(
  name: LoadName,
  service: Service,
  { file }: Bodies,
  seconds: number,
): Promise<() => Promise<WrkFigures>> {
  const { port, first } = service;
  if (name === 'many-keys') {
    const [target, ...others] = await addClientKeys(service);
    if (target === undefined) throw new Error('there are no keys');
    return () => runWrk(port, target.path, target.key, seconds, Date.now(), others);
  }
  const path = `/errortracking/api/v1/projects/api/${first.project_id}/envelope/`;
  const { connections } = LOADS[name];
  return () => runReadyWrk(port, { path, key: new URL(first.dsn).username }, { file, connections }, seconds);
}
