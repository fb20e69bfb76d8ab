import { IMPORT_TOKEN } from '../../test/support/import-world.ts';
import { startAndAwaitLine, stopProcess } from './process.ts';
import { startService, type Service } from './service.ts';
import type { FreshStore } from './stores.ts';

/** Milliseconds in which the tracker answers. */
export const ANSWER_MS = 20;
/** Requests of an import at one time. */
export const AT_ONCE = 5;
/** Milliseconds between two looks at the progress and at the memory. */
const LOOK_MS = 250;
/** Requests of the baseline. */
const BARE_REQUESTS = 1000;
/** Milliseconds after the start of the service until memory is steady. */
const SETTLE_MS = 5000;

export interface ImportFigures {
  readonly errors: number;
  readonly requests: number;
  readonly seconds: number;
  /** Seconds by the time of an answer: requests × 20 ms / 5. */
  readonly networkSeconds: number;
  /** Seconds of as many requests by a bare client, 5 at a time, measured before and after the import. */
  readonly bareSeconds: number;
  /** Resident memory of the idle service, MB. */
  readonly idleMb: number;
  /** Most resident memory during the import, MB more than idle. */
  readonly addedMb: number;
  /** Processor seconds of the service during the import. */
  readonly cpuSeconds: number;
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Asks the import routes of the first project. */
export async function ask<T>({ port, first }: Service, method: string, path: string, body?: object): Promise<T> {
  const url = `http://127.0.0.1:${port}/api/v4/projects/${first.project_id}/error_tracking/${path}`;
  const headers = { 'PRIVATE-TOKEN': first.token, 'Content-Type': 'application/json' };
  const answer = await fetch(url, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
  return JSON.parse(text) as T;
}

/** Seconds per request of a client that does nothing else, with the requests of an import at one time. */
async function bareSeconds(url: string): Promise<number> {
  const began = performance.now();
  let left = BARE_REQUESTS;
  const work = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await (await fetch(url, { headers: { Authorization: `Bearer ${IMPORT_TOKEN}` } })).json();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return (performance.now() - began) / 1000 / BARE_REQUESTS;
}

interface Linked {
  readonly service: Service;
  /** Address of the tracker. */
  readonly origin: string;
  /** Number of requests that the tracker had so far. */
  readonly requests: () => Promise<number>;
}

/** Starts a service whose project is linked to a tracker in a process of its own. */
export async function withLinkedService<T>(
  store: FreshStore,
  errors: number,
  work: (linked: Linked) => Promise<T>,
): Promise<T> {
  const program = ['--import=tsx', 'bench/baseline/import-source.ts', String(ANSWER_MS), String(errors)];
  const tracker = await startAndAwaitLine(process.execPath, program, {}, /^\{"origin"/);
  const { origin, counter } = JSON.parse(tracker.line) as { origin: string; counter: string };
  const requests = async (): Promise<number> => Number(await (await fetch(counter)).text());
  const service = await startService({ ...store, env: { ...store.env, ERRGATE_OUTBOUND_ALLOW: '127.0.0.1' } });
  try {
    await ask(service, 'PUT', 'settings/thirdparty', {
      api_host: origin,
      token: IMPORT_TOKEN,
      organization_slug: 'acme',
      project_slug: 'shop',
      thirdparty_project_id: '4711',
    });
    return await work({ service, origin, requests });
  } finally {
    await service.remove();
    await stopProcess(tracker.child, 'SIGKILL');
  }
}

/** Imports errors over REST into an idle service, from a tracker in a process of its own. */
export function measureImport(store: FreshStore, errors: number): Promise<ImportFigures> {
  return withLinkedService(store, errors, async ({ service, origin, requests }) => {
    await pause(SETTLE_MS);
    const bareUrl = `${origin}/api/0/projects/acme/shop/`;
    const bareBefore = await bareSeconds(bareUrl);
    const idleMb = service.memory().resident;
    const before = await requests();
    const cpu = service.cpuSeconds();
    let mostMb = idleMb;
    const began = performance.now();
    await ask(service, 'POST', 'import', { switch: false });
    for (;;) {
      await pause(LOOK_MS);
      mostMb = Math.max(mostMb, service.memory().resident);
      const { state, message } = await ask<{ state: string; message: string }>(service, 'GET', 'import');
      if (state === 'done') break;
      if (state !== 'running') throw new Error(`the import is ${state}: ${message}`);
    }
    const seconds = (performance.now() - began) / 1000;
    const sent = (await requests()) - before;
    const cpuSeconds = service.cpuSeconds() - cpu;
    const bare = (bareBefore + (await bareSeconds(bareUrl))) / 2;
    return {
      errors,
      requests: sent,
      seconds,
      networkSeconds: (sent * ANSWER_MS) / 1000 / AT_ONCE,
      bareSeconds: sent * bare,
      idleMb,
      addedMb: mostMb - idleMb,
      cpuSeconds,
    };
  });
}
