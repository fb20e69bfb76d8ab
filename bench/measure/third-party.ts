import { startAndAwaitLine, stopProcess } from './process.ts';
import { startService, type Service } from './service.ts';
import { median, percentile } from './statistics.ts';
import { embeddedStore } from './stores.ts';
import { TRACKER_TOKEN } from '../../test/support/fake-tracker/linked-world.ts';

/** Milliseconds that the tracker adds to each answer. */
export const LATENCY_MS = 50;
export const PROJECTS = 10_000;

export interface Times {
  readonly p50: number;
  readonly p95: number;
}

export interface ThirdPartyFigures {
  /** List requested from the tracker, milliseconds. */
  readonly direct: Times;
  /** Same list through errgate with a cached copy. */
  readonly warm: Times;
  /** Same list through errgate without a cached copy. */
  readonly cold: Times;
  /** Median difference between a cold read and the direct one just before it. */
  readonly added: number;
  /** MB of memory for the settings of all projects, without the copies of lists. */
  readonly settingsMb: number;
  /** MB of memory for one cached list per project. `thirdparty.cacheMaxBytes` limits them separately. */
  readonly copiesMb: number;
}

const WARM_UP = 20;

const TSX = '--import=tsx';

async function timed(address: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const from = performance.now();
  const answer = await fetch(address, { headers });
  await answer.json();
  const took = performance.now() - from;
  if (answer.status !== 200) throw new Error(`${address} answered ${answer.status}`);
  return took;
}

async function link({ port, first }: Service, origin: string): Promise<void> {
  const path = `/api/v4/projects/${first.project_id}/error_tracking/settings/thirdparty`;
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'PUT',
    headers: { 'PRIVATE-TOKEN': first.token, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      api_host: origin,
      token: TRACKER_TOKEN,
      organization_slug: 'acme',
      project_slug: 'shop',
      thirdparty_project_id: '11',
    }),
  });
  if (answer.status !== 200) throw new Error(`linking answered ${answer.status}: ${await answer.text()}`);
}

/** Spelling of `valueerror` with other capitals per number. All 1,024 spellings match every title. */
function spelling(number: number): string {
  return Array.from('valueerror', (letter, bit) => ((number >> bit) & 1 ? letter.toUpperCase() : letter)).join('');
}

const times = (samples: readonly number[]): Times => ({ p50: median(samples), p95: percentile(samples, 0.95) });

async function measureReads(service: Service, origin: string, samples: number) {
  const own = `http://127.0.0.1:${service.port}/api/v4/projects/${service.first.project_id}/error_tracking/errors`;
  const theirs = `${origin}/api/0/projects/acme/shop/issues/`;
  const asMe = { 'PRIVATE-TOKEN': service.first.token };
  const asErrgate = { Authorization: `Bearer ${TRACKER_TOKEN}`, 'Content-Type': 'application/json' };
  const [direct, warm, cold, added]: [number[], number[], number[], number[]] = [[], [], [], []];
  // Interleaves the reads, so that a disturbance of the machine affects all of them.
  for (let index = -WARM_UP; index < samples; index += 1) {
    // A new spelling is not cached, but matches the same errors.
    const word = spelling(index + WARM_UP);
    const query = new URLSearchParams({ query: `is:unresolved "${word}"`, limit: '20' });
    const straight = await timed(`${theirs}?${query.toString()}`, asErrgate);
    const through = await timed(`${own}?search=${word}&per_page=20`, asMe);
    const again = await timed(`${own}?search=${word}&per_page=20`, asMe);
    if (index < 0) continue;
    direct.push(straight);
    cold.push(through);
    warm.push(again);
    added.push(through - straight);
  }
  return { direct: times(direct), warm: times(warm), cold: times(cold), added: median(added) };
}

async function startTracker(latencyMs: number) {
  const program = [TSX, 'bench/baseline/tracker.ts', String(latencyMs)];
  const { child, line } = await startAndAwaitLine(process.execPath, program, {}, /^http/);
  return { origin: line, stop: () => stopProcess(child, 'SIGKILL') };
}

async function measureMemory(): Promise<{ bytes: number; copies: number }> {
  const tracker = await startTracker(0);
  try {
    const program = ['--expose-gc', TSX, 'bench/baseline/tracker-settings.ts', tracker.origin, String(PROJECTS)];
    const { child, line } = await startAndAwaitLine(process.execPath, program, {}, /^\{"bytes"/);
    await stopProcess(child, 'SIGKILL');
    return JSON.parse(line) as { bytes: number; copies: number };
  } finally {
    await tracker.stop();
  }
}

/** Measures a list through errgate beside the same list of the tracker, and the memory of many settings. */
export async function measureThirdParty(samples: number): Promise<ThirdPartyFigures> {
  const tracker = await startTracker(LATENCY_MS);
  const service = await startService({ ...embeddedStore(), env: { ERRGATE_OUTBOUND_ALLOW: '127.0.0.1' } });
  try {
    await link(service, tracker.origin);
    const reads = await measureReads(service, tracker.origin, samples);
    const { bytes, copies } = await measureMemory();
    return { ...reads, settingsMb: (bytes - copies) / 1e6, copiesMb: copies / 1e6 };
  } finally {
    await service.remove();
    await tracker.stop();
  }
}
