import { openLoop, type OpenLoopFigures } from './open-loop.ts';
import type { Memory } from './process.ts';
import { startService, storeTarget } from './service.ts';
import { embeddedStore } from './stores.ts';

export interface SoakFigures {
  readonly minutes: number;
  readonly perSecond: number;
  readonly load: OpenLoopFigures;
  readonly maxRssMb: number;
  /** MB per minute: least squares over the last three quarters. */
  readonly slopeMbPerMinute: number;
  /** MB per minute of heaps and stacks alone, without mapped files. */
  readonly anonymousSlopeMbPerMinute: number;
  /** Memory at the end of each minute except the last, in which the load ends. */
  readonly memoryMb: readonly Memory[];
  readonly cpuMicroseconds: number;
}

const SAMPLE_MS = 5000;
const PER_MINUTE = 60_000 / SAMPLE_MS;

/** Measures the memory of one process under a steady load. */
export async function measureSoak(minutes: number, perSecond: number): Promise<SoakFigures> {
  const service = await startService(embeddedStore());
  try {
    const { port } = service;
    const { path, key } = storeTarget(service);
    const samples: (Memory & { readonly minute: number })[] = [];
    const started = performance.now();
    const sampler = setInterval(() => {
      const minute = (performance.now() - started) / 60_000;
      const memory = service.memory();
      samples.push({ minute, ...memory });
      if (samples.length % PER_MINUTE === 0) {
        const parts = `${memory.resident.toFixed(0)} MB, ${memory.anonymous.toFixed(0)} anonymous`;
        console.error(`  ${minute.toFixed(0)} min: ${parts}`);
      }
    }, SAMPLE_MS);
    const cpuBefore = service.cpuSeconds();
    const load = await openLoop(port, path, key, perSecond, minutes * 60);
    clearInterval(sampler);
    await service.awaitStored(load.sent - load.failed);
    const cpuMicroseconds = ((service.cpuSeconds() - cpuBefore) * 1e6) / load.sent;
    await service.awaitCounted(load.sent - load.failed, load.failed);
    const late = samples.filter(({ minute }) => minute >= minutes / 4);
    const maxRssMb = service.maxRssMb();
    await service.stop();
    return {
      minutes,
      perSecond,
      load,
      maxRssMb,
      slopeMbPerMinute: slope(late.map(({ minute, resident }) => [minute, resident])),
      anonymousSlopeMbPerMinute: slope(late.map(({ minute, anonymous }) => [minute, anonymous])),
      memoryMb: samples
        .filter((_, index) => index % PER_MINUTE === PER_MINUTE - 1)
        .map(({ resident, anonymous }) => ({ resident: Math.round(resident), anonymous: Math.round(anonymous) })),
      cpuMicroseconds,
    };
  } finally {
    await service.remove();
  }
}

function slope(points: readonly (readonly [number, number])[]): number {
  const mean = (index: 0 | 1): number => points.reduce((sum, point) => sum + point[index], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const above = points.reduce((sum, [a, b]) => sum + (a - x) * (b - y), 0);
  return above / points.reduce((sum, [a]) => sum + (a - x) ** 2, 0);
}
