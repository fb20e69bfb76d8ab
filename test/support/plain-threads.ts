import { syncBuiltinESMExports } from 'node:module';
import threads, { type WorkerOptions } from 'node:worker_threads';

/** Thread without the TypeScript loader of this process where its module is JavaScript, as in the built program. */
class PlainWorker extends threads.Worker {
  constructor(module: string | URL, options: WorkerOptions = {}) {
    const isBuilt = module instanceof URL && module.pathname.endsWith('.js');
    super(module, isBuilt ? { execArgv: [], ...options } : options);
  }
}

/**
 * Lets threads of a service inside this process start with half the processor time: the loader looks at every module,
 * also at those that need none.
 */
export function usePlainThreads(): void {
  threads.Worker = PlainWorker;
  syncBuiltinESMExports();
}
