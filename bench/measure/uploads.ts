import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleOf, uploadTarget, type SentBundle } from './build-tool.ts';
import { generateBuild } from './generate-build.ts';
import { openLoop, type OpenLoopFigures } from './open-loop.ts';
import { startAndAwaitLine, stopProcess } from './process.ts';
import { startService, storeTarget, type Service } from './service.ts';
import type { FreshStore } from './stores.ts';

export interface UploadsSize {
  /** Bytes of the upload: as many scripts with their maps as fit, at least one. */
  readonly bytes: number;
  /** Files of each build. */
  readonly files: number;
  readonly eventsPerSecond: number;
  /** Seconds of the load before and after the upload. */
  readonly seconds: number;
}

/** Seconds after which an upload has failed. */
const MOST_SECONDS = 900;

export interface UploadsFigures {
  readonly bytes: number;
  readonly maps: number;
  /** Events before, during and after the upload. `failed`: refused, or not answered. */
  readonly before: OpenLoopFigures;
  readonly beside: OpenLoopFigures;
  readonly after: OpenLoopFigures;
  /** Events that were accepted. All of them are stored at the end, else the measurement fails. */
  readonly accepted: number;
  readonly upload: SentBundle;
  /** Most resident memory of the service, MB: under the load alone, and beside the upload. */
  readonly aloneMb: number;
  readonly besideMb: number;
}

/** Measures intake at a fixed rate before, during and after a large upload whose maps are indexed meanwhile. */
export async function measureUploads(fresh: FreshStore, size: UploadsSize): Promise<UploadsFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'errgate-bench-uploads-'));
  const service = await startService(fresh);
  try {
    const file = join(folder, 'bundle');
    const { bytes, maps } = writeBundle(file, size);
    const { path, key } = storeTarget(service);
    const load = (seconds: number, ended?: () => boolean) =>
      openLoop(service.port, path, key, size.eventsPerSecond, seconds, ended);
    const before = await load(size.seconds);
    const aloneMb = service.maxRssMb();
    let ended = false;
    const uploading = runTool(service, file).finally(() => (ended = true));
    const [beside, upload] = await Promise.all([load(MOST_SECONDS, () => ended), uploading]);
    const besideMb = service.maxRssMb();
    const after = await load(size.seconds);
    const accepted = await allStored(service, [before, beside, after]);
    return { bytes, maps, before, beside, after, accepted, upload, aloneMb, besideMb };
  } finally {
    await service.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes a bundle whose content is stored as it is: what equal maps have in common is sent and opened each time. */
function writeBundle(file: string, { bytes, files }: UploadsSize): { readonly bytes: number; readonly maps: number } {
  const build = generateBuild(1, files);
  const maps = Math.max(1, Math.floor(bytes / (build.map.length + build.script.length)));
  const scripts = Array.from({ length: maps }, (_, at) => at + 1);
  const bundle = bundleOf(build, scripts, false);
  writeFileSync(file, bundle);
  return { bytes: bundle.length, maps };
}

/** Uploads the bundle from a process of its own, which delays the load less. */
async function runTool(service: Service, file: string): Promise<SentBundle> {
  const program = ['--import=tsx', 'bench/baseline/build-tool.ts', file, JSON.stringify(uploadTarget(service))];
  const { child, line } = await startAndAwaitLine(process.execPath, program, {}, /^\{"sentMs"/);
  await stopProcess(child, 'SIGKILL');
  return JSON.parse(line) as SentBundle;
}

/** Waits until all accepted events are stored and counted, and returns their number; throws when some are not. */
async function allStored(service: Service, loads: readonly OpenLoopFigures[]): Promise<number> {
  const failed = loads.reduce((sum, load) => sum + load.failed, 0);
  const accepted = loads.reduce((sum, { sent }) => sum + sent, 0) - failed;
  await service.awaitStored(accepted);
  await service.awaitCounted(accepted, failed);
  return accepted;
}
