import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import { bundleOf, debugIdOf, sendBundle, uploadTarget } from './build-tool.ts';
import { measureDigest, type DigestFigures } from './digest-of-frames.ts';
import { generateBuild, type GeneratedBuild } from './generate-build.ts';
import { pause } from './import.ts';
import { withStore } from './large-store.ts';
import {
  FRAMES,
  framesOfOne,
  framesOfSeveral,
  measureMapping,
  type MappingFigures,
  type SentFrames,
} from './mapped-event.ts';
import { startService, type Service } from './service.ts';
import type { FreshStore } from './stores.ts';

export interface SourceMapSize {
  /** Files of the large build. */
  readonly files: number;
  /** Uploads of the large build, each with another debug id. */
  readonly rounds: number;
  /**
   * Events that are mapped with opened maps; a hundredth of them with maps that are not. A quarter of them is digested in
   * each turn.
   */
  readonly events: number;
  /** Milliseconds after the start of the service until its memory is steady. */
  readonly settleMs: number;
}

/** Maps of an ordinary build, and their files. */
export const MAPS = 10;
const FILES_EACH = 16;

export interface SourceMapFigures {
  /** Bytes of the large map, of its script, and of its compact form. */
  readonly mapBytes: number;
  readonly scriptBytes: number;
  readonly compactBytes: number;
  /** Milliseconds in which the service opens it: unpacks, indexes and stores. One figure for each round. */
  readonly openedMs: readonly number[];
  /** Processor time of the service meanwhile, milliseconds of all threads. */
  readonly processorMs: readonly number[];
  /** Resident memory of the idle service, MB, and the most that uploads added. */
  readonly idleMb: number;
  readonly addedMb: number;
  /** Events of `FRAMES` frames in the large map, and in `MAPS` maps of an ordinary build. */
  readonly inOne: MappingFigures;
  readonly inSeveral: MappingFigures;
  readonly digest: DigestFigures;
}

/** Measures uploads of a large map through a service, and events with its maps on the store that it leaves. */
export async function measureSourceMaps(fresh: FreshStore, size: SourceMapSize): Promise<SourceMapFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'errgate-bench-maps-'));
  const service = await startService(fresh);
  try {
    const large = generateBuild(FRAMES, size.files);
    const small = generateBuild(FRAMES / MAPS, FILES_EACH);
    const scripts = Array.from({ length: size.rounds }, (_, round) => round + 1);
    const smallScripts = Array.from({ length: MAPS }, (_, at) => size.rounds + 1 + at);
    await pause(size.settleMs);
    const opened = await openedIn(service, folder, large, scripts);
    await upload(service, folder, bundleOf(small, smallScripts));
    await service.stop();
    return await withStore(fresh, service, async (store) => ({
      mapBytes: large.map.length,
      scriptBytes: large.script.length,
      compactBytes: (await store.mapsByDebugId(service.first.project_id, debugIdOf(1)))[0]?.bytes ?? Number.NaN,
      ...opened,
      ...(await measureEvents(store, service.first.project_id, size, {
        inOne: framesOfOne(1, large.places),
        inSeveral: framesOfSeveral(smallScripts, small.places),
      })),
    }));
  } finally {
    await service.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Opened = Pick<SourceMapFigures, 'openedMs' | 'processorMs' | 'idleMb' | 'addedMb'>;

/** Uploads a build once for each script. */
async function openedIn(
  service: Service,
  folder: string,
  build: GeneratedBuild,
  scripts: readonly number[],
): Promise<Opened> {
  const idleMb = service.memory().resident;
  const openedMs: number[] = [];
  const processorMs: number[] = [];
  for (const script of scripts) {
    const bundle = bundleOf(build, [script]);
    const before = service.cpuSeconds();
    openedMs.push((await upload(service, folder, bundle)).openedMs);
    processorMs.push((service.cpuSeconds() - before) * 1000);
  }
  return { openedMs, processorMs, idleMb, addedMb: service.maxRssMb() - idleMb };
}

function upload(service: Service, folder: string, bundle: Uint8Array) {
  const file = join(folder, 'bundle');
  writeFileSync(file, bundle);
  return sendBundle(uploadTarget(service), file);
}

async function measureEvents(
  store: Store,
  projectId: number,
  { events }: SourceMapSize,
  frames: Readonly<Record<'inOne' | 'inSeveral', SentFrames>>,
): Promise<Pick<SourceMapFigures, 'inOne' | 'inSeveral' | 'digest'>> {
  const inOne = await measureMapping(store, projectId, frames.inOne, events);
  const inSeveral = await measureMapping(store, projectId, frames.inSeveral, events);
  return { inOne, inSeveral, digest: await measureDigest(store, projectId, frames.inSeveral, events / 4) };
}
