import { openLoop, type OpenLoopFigures } from './open-loop.ts';
import { startService, storeTarget } from './service.ts';
import { storedBytes, type FreshStore } from './stores.ts';
import { runWrk, WRK_CONNECTIONS } from './wrk.ts';

export interface ErrgateFigures {
  readonly readyMs: number;
  readonly acceptedPerSecond: number;
  readonly storedPerSecond: number;
  readonly refused: number;
  readonly half: OpenLoopFigures;
  readonly maxRssMb: number;
  /** CPU time of the service per stored event at full load, both threads. */
  readonly cpuMicroseconds: number;
  readonly bytesPerEvent: number;
}

/** Measures one round on a new store: full load, drain, half load, size on disk. */
export async function measureErrgate(store: FreshStore, seconds: number): Promise<ErrgateFigures> {
  const service = await startService(store);
  try {
    const { port } = service;
    const { path, key } = storeTarget(service);

    const cpuBefore = service.cpuSeconds();
    const loadStarted = performance.now();
    const load = await runWrk(port, path, key, seconds, Date.now());
    const accepted = load.requests - load.non2xx;
    await service.awaitStored(accepted);
    const storedPerSecond = accepted / ((performance.now() - loadStarted) / 1000);
    const cpuMicroseconds = ((service.cpuSeconds() - cpuBefore) * 1e6) / accepted;

    const half = await openLoop(port, path, key, storedPerSecond / 2, seconds);
    const events = accepted + half.sent - half.failed;
    await service.awaitStored(events);
    await service.awaitCounted(events, load.non2xx + half.failed + WRK_CONNECTIONS);
    const maxRssMb = service.maxRssMb();
    await service.stop();
    return {
      readyMs: service.readyMs,
      acceptedPerSecond: accepted / load.seconds,
      storedPerSecond,
      refused: load.non2xx + half.failed,
      half,
      maxRssMb,
      cpuMicroseconds,
      bytesPerEvent: (await storedBytes(store, service.dataDirBytes())) / events,
    };
  } finally {
    await service.remove();
  }
}
