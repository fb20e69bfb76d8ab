import { Worker, type WorkerOptions } from 'node:worker_threads';

/**
 * Starts a worker thread from a module beside its caller. `name` has no extension; `parentUrl` is the caller's
 * `import.meta.url`. The built package has JavaScript there. TypeScript sources (development, tests) need the loader
 * too, because threads do not inherit it on every Node. It is resolved from the current folder.
 */
export function createWorker(name: string, parentUrl: string, options: WorkerOptions): Worker {
  if (!parentUrl.endsWith('.ts')) {
    return new Worker(new URL(`${name}.js`, parentUrl), options);
  }
  const entry = JSON.stringify(new URL(`${name}.ts`, parentUrl).href);
  const code = `import('tsx/esm/api').then((tsx) => { tsx.register(); return import(${entry}); });`;
  return new Worker(code, { ...options, eval: true });
}
