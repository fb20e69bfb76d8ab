/**
 * Milliseconds of what the start page asks for, with 100 projects of 200 errors each, by HTTP:
 * `[ERRGATE_TEST_MONGODB_URI=…] node --import=tsx bench/start-page.ts` after `npm run build`. The bare request beside
 * them answers without the store.
 */
import type { Store } from '../src/domain/ports/stores/store.ts';
import { withStore } from './measure/large-store.ts';
import { machineName } from './measure/machine.ts';
import { seedStore } from './measure/seed.ts';
import { startService, type Service } from './measure/service.ts';
import { percentile } from './measure/statistics.ts';
import { storesToMeasure } from './measure/stores.ts';

const PROJECTS = 100;
const SIZE = { errors: 200, events: 400, spanMs: 13 * 86_400_000 };
const RUNS = 40;
const WARM_UP = 5;

const REQUESTS = {
  'errors of all projects that matter most': '/api/v4/error_tracking/errors?per_page=20',
  'the first 20 projects with counts': '/api/v4/error_tracking/projects?per_page=20',
  'all 100 projects with counts': '/api/v4/error_tracking/projects?per_page=100',
  'a bare request': '/-/health',
} as const;

async function seedProjects(store: Store): Promise<void> {
  for (let n = 0; n < PROJECTS; n += 1) {
    const project = await store.createProject({ path: `bench/p${n}`, name: `p${n}`, visibility: 'private' });
    await store.saveSettings(project.id, { active: true, integrated: true });
    await seedStore(store, project.id, { ...SIZE, journal: `bench ${n}` });
  }
  for (let more = 1; more > 0;) more = await store.rankErrors(Date.now());
}

async function measure({ port, first }: Service, path: string): Promise<readonly [p50: number, p95: number]> {
  const times: number[] = [];
  for (let run = 0; run < RUNS + WARM_UP; run += 1) {
    const from = performance.now();
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'PRIVATE-TOKEN': first.token } });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
    if (run >= WARM_UP) times.push(performance.now() - from);
  }
  return [percentile(times, 0.5), percentile(times, 0.95)];
}

console.log(`${machineName()}; ${PROJECTS} projects of ${SIZE.errors} errors; ${RUNS} runs\n`);
for (const [name, make] of storesToMeasure()) {
  const fresh = make();
  const service = await startService(fresh);
  try {
    await withStore(fresh, service, seedProjects);
    for (const [what, path] of Object.entries(REQUESTS)) {
      const [p50, p95] = await measure(service, path);
      console.log(`| ${name} | ${what} | ${p50.toFixed(1)} | ${p95.toFixed(1)} |`);
    }
  } finally {
    await service.remove();
    await fresh.remove();
  }
}
