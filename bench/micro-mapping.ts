/**
 * `node --import=tsx bench/micro-mapping.ts`: cost of source maps. Prints the time and memory in which a worker indexes a
 * map of some 30 MB, and the time of an event of 20 frames with opened maps (warm) and with maps to be read from files
 * (cold).
 */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { indexSourceMap } from '../src/artifacts/maps/index-source-map.ts';
import { WORKER_LIMITS } from '../src/artifacts/uploads/read-upload.ts';
import { createFrameMapper } from '../src/compose/frame-mapper.ts';
import { createWorker } from '../src/lib/worker.ts';
import { normalise } from '../test/unit/integrated/digest/digest-support.ts';
import { generateBuild } from './measure/generate-build.ts';

const FRAMES = 20;
const WARM_EVENTS = 5000;
const COLD_EVENTS = 20;
const MEBI = 1024 * 1024;

interface Indexed {
  readonly ms: number;
  /** Of all threads, so with those of the garbage collector. */
  readonly processorMs: number;
  readonly bytes: number;
}

interface IndexTask {
  readonly map: string;
  readonly script: string;
  readonly index: string;
}

if (isMainThread) await measure();
else indexInWorker(workerData as IndexTask);

function indexInWorker({ map, script, index }: IndexTask): void {
  const started = performance.now();
  const used = process.cpuUsage();
  const result = indexSourceMap(readFileSync(map), readFileSync(script));
  const ms = performance.now() - started;
  const processorMs = process.cpuUsage(used).user / 1000;
  if ('problem' in result) throw new Error(result.problem);
  writeFileSync(index, result.index);
  parentPort?.postMessage({ ms, processorMs, bytes: result.index.length });
}

/** Indexes a map in a worker of its own; returns milliseconds, bytes of the compact form and of memory at its peak. */
async function indexed(task: IndexTask): Promise<Indexed & { readonly peak: number }> {
  const before = process.memoryUsage.rss();
  let peak = 0;
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss() - before)), 2);
  const worker = createWorker('micro-mapping', import.meta.url, {
    workerData: task,
    resourceLimits: WORKER_LIMITS,
  });
  const [message] = (await once(worker, 'message')) as [Indexed];
  clearInterval(timer);
  await once(worker, 'exit');
  return { ...message, peak };
}

async function measure(): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'errgate-mapping-'));
  try {
    const { map, script, places } = generateBuild(FRAMES);
    const task = { map: join(dir, 'app.js.map'), script: join(dir, 'app.js'), index: join(dir, 'app.index') };
    writeFileSync(task.map, map);
    writeFileSync(task.script, script);
    const { ms, processorMs, bytes, peak } = await indexed(task);
    const sizes = `map ${(map.length / MEBI).toFixed(1)} MiB, script ${(script.length / MEBI).toFixed(1)} MiB`;
    console.log(
      `${sizes}: indexed in ${ms.toFixed(0)} ms (processor ${processorMs.toFixed(0)} ms), ${(peak / MEBI).toFixed(0)} MiB more memory at the peak, compact form ${(bytes / MEBI).toFixed(1)} MiB`,
    );
    const debugId = '00000000-0000-4000-8000-000000000001';
    const file = 'https://shop.example/app.js';
    const event = normalise({
      platform: 'javascript',
      debug_meta: { images: [{ type: 'sourcemap', code_file: file, debug_id: debugId }] },
      exception: {
        values: [
          { type: 'E', value: 'v', stacktrace: { frames: places.map((place) => ({ ...place, filename: file })) } },
        ],
      },
    });
    const mapper = () =>
      createFrameMapper(
        { integrated: { inAppInclude: [], inAppExclude: [] } },
        {
          projectsWithBundles: () => Promise.resolve([1]),
          mapsByDebugId: () =>
            Promise.resolve([{ bundleId: 'b', kind: 'source_map', file: task.index, problem: null }]),
          mapsByUrl: () => Promise.resolve([]),
          bundlesOfRelease: () => Promise.resolve([]),
          readFile: (name) => readFile(name),
          markBundleUsed: () => Promise.resolve(),
        },
      );
    const warm = mapper();
    const check = await warm.map(1, event);
    const mapped = check.exceptions[0]?.frames?.filter(({ raw }) => raw !== undefined).length;
    if (mapped !== FRAMES) throw new Error(`${mapped ?? 0} of ${FRAMES} frames were mapped`);
    const samples: number[] = [];
    const used = process.cpuUsage();
    for (let n = 0; n < WARM_EVENTS; n += 1) {
      const started = performance.now();
      await warm.map(1, event);
      samples.push((performance.now() - started) * 1000);
    }
    const each = (process.cpuUsage(used).user / WARM_EVENTS).toFixed(1);
    console.log(`warm: ${spread(samples, 'µs')} an event of ${FRAMES} frames; processor ${each} µs`);
    const colds: number[] = [];
    for (let n = 0; n < COLD_EVENTS; n += 1) {
      const cold = mapper();
      const started = performance.now();
      await cold.map(1, event);
      colds.push(performance.now() - started);
    }
    console.log(`cold: ${spread(colds, 'ms')} an event of ${FRAMES} frames`);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function spread(samples: number[], unit: string): string {
  const sorted = samples.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1);
  return `${at(0.5)} ${unit} median, ${at(0.95)} ${unit} at 95 %, ${at(1)} ${unit} at most`;
}
