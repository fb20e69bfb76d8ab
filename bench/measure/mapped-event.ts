import type { Store } from '../../src/domain/ports/stores/store.ts';
import { createFrameMapper } from '../../src/compose/frame-mapper.ts';
import { NO_RULES, normalise } from '../../test/unit/integrated/digest/digest-support.ts';
import { addressOf, debugIdOf } from './build-tool.ts';
import type { GeneratedBuild } from './generate-build.ts';
import { median, percentile } from './statistics.ts';

/** Frames of an event. */
export const FRAMES = 20;
/** Events with opened maps for each one with maps that are not. */
const WARM_EACH_COLD = 100;

/** Frames as SDKs send them, and the numbers of their scripts. */
export interface SentFrames {
  readonly scripts: readonly number[];
  readonly frames: readonly { readonly filename: string; readonly lineno: number; readonly colno: number }[];
}

export interface MappingFigures {
  /** Microseconds in which the frames of an event are mapped by opened maps, and of processor time. */
  readonly warm: { readonly p50: number; readonly p95: number; readonly processor: number };
  /** Milliseconds when nothing is known yet: maps are looked up and read from the store. */
  readonly cold: { readonly p50: number; readonly p95: number };
}

type Places = GeneratedBuild['places'];

/** Returns frames at the places of one script. */
export function framesOfOne(script: number, places: Places): SentFrames {
  return { scripts: [script], frames: places.map((place) => ({ ...place, filename: addressOf(script) })) };
}

/** Returns frames at the same places of each script, in turns. */
export function framesOfSeveral(scripts: readonly number[], places: Places): SentFrames {
  const frames = places.flatMap((place) => scripts.map((script) => ({ ...place, filename: addressOf(script) })));
  return { scripts, frames };
}

/** Returns an error of a browser with frames. It names the debug ids of its scripts, unless it has a release. */
export function browserError({ scripts, frames }: SentFrames, release: string | null = null): object {
  const images = scripts.map((script) => ({
    ...{ type: 'sourcemap', code_file: addressOf(script), debug_id: debugIdOf(script) },
  }));
  return {
    platform: 'javascript',
    ...(release === null ? { debug_meta: { images } } : { release }),
    exception: { values: [{ type: 'TypeError', value: 'no price', stacktrace: { frames } }] },
  };
}

/** Returns what finds the original places of frames by the maps of a store; no map is open yet. */
export const mapperOn = (store: Store) => createFrameMapper({ integrated: NO_RULES }, store);

/** Measures the mapping of an event's frames, without the rest of its digest. */
export async function measureMapping(
  store: Store,
  projectId: number,
  sent: SentFrames,
  events: number,
): Promise<MappingFigures> {
  const event = normalise(browserError(sent));
  const known = mapperOn(store);
  // Opens the maps, which may exceed the time for an event on a busy machine.
  await known.map(projectId, event);
  const mapped = (await known.map(projectId, event)).event.exceptions[0]?.frames?.filter(
    ({ raw }) => raw !== undefined,
  );
  if (mapped?.length !== FRAMES) throw new Error(`${mapped?.length ?? 0} of ${FRAMES} frames were mapped`);
  const warm: number[] = [];
  const before = process.cpuUsage();
  for (let done = 0; done < events; done += 1) {
    const from = performance.now();
    await known.map(projectId, event);
    warm.push((performance.now() - from) * 1000);
  }
  const used = process.cpuUsage(before);
  const cold: number[] = [];
  for (let done = 0; done < events / WARM_EACH_COLD; done += 1) {
    const mapper = mapperOn(store);
    const from = performance.now();
    await mapper.map(projectId, event);
    cold.push(performance.now() - from);
  }
  return {
    warm: { p50: median(warm), p95: percentile(warm, 0.95), processor: (used.user + used.system) / events },
    cold: { p50: median(cold), p95: percentile(cold, 0.95) },
  };
}
