import { Worker, type WorkerOptions } from 'node:worker_threads';

/**
 * Starts a thread from a module that lies beside its caller: `name` without extension, `parentUrl` the
 * caller's `import.meta.url`. The built package has JavaScript there. Where the sources run as TypeScript
 * (development, tests) the thread needs the loader too, which threads do not inherit on
 * every Node; it is found from the current folder then.
 */
export function createWorker(name: string, parentUrl: string, options: WorkerOptions): Worker {
  if (!parentUrl.endsWith('.ts')) {
    return new Worker(new URL(`${name}.js`, parentUrl), options);
  }
  const entry = JSON.stringify(new URL(`${name}.ts`, parentUrl).href);
  const code = `import('tsx/esm/api').then((tsx) => { tsx.register(); return import(${entry}); });`;
  return new Worker(code, { ...options, eval: true });
}
