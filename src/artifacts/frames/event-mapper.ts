import { performance } from 'node:perf_hooks';
import type { EventException, EventThread, Frame } from '../../domain/events/event.ts';
import type { FrameMapper, MappableEvent } from '../../domain/ports/frame-mapper.ts';
import { MapIndex } from '../maps/map-index.ts';
import { ProguardIndex } from '../maps/proguard-index.ts';
import { mapClassFrame, mapExceptionType } from './class-frames.ts';
import type { MapCache } from './map-cache.ts';
import type { FoundMap } from './map-source.ts';
import { mapScriptFrame, type IsOwn } from './script-frame.ts';
import { urlCandidates } from './url-candidates.ts';

/**
 * Bounds of one event: frames that are mapped, maps that are opened, and files without a map that are looked for.
 * Frames beyond them stay as the SDK sent them. They are beyond what SDKs send, so that they part no error.
 */
const MAX_FRAMES = 500;
const MAX_MAPS = 50;
const MAX_MISSING = 50;
/** Milliseconds for a store that answers slowly: 50 frames of 10 opened maps take less than one. */
const MAX_MS = 500;
/** Frames of a stack after calls that were moved into one another are separate again. */
const MAX_STACK = 250;

const SCRIPTS: ReadonlySet<string> = new Set(['javascript', 'node', 'bun', 'deno']);
const JVM: ReadonlySet<string> = new Set(['java', 'kotlin', 'scala', 'groovy']);
/** Places of engines, which no build makes. */
const ENGINE = /^(?:node:|internal\/|\[native code\]|native code|<anonymous>|eval code|index \d)/;
const WEB = /^https?:/;

/** Number of frames of an event by what became of them. */
export interface MappedCounts {
  readonly mapped: number;
  readonly unmapped: number;
  /** Those beyond a bound. */
  readonly skipped: number;
}

export interface EventMapperOptions {
  readonly cache: MapCache;
  /** Decides whether a frame at its original place is code of the application. */
  readonly isOwn: (frame: Frame, platform: string) => boolean;
  /** Called for each event with frames that were looked up. */
  readonly onMapped?: (counts: MappedCounts) => void;
}

/** Finds the original places of frames by what builds uploaded. */
export class EventMapper implements FrameMapper {
  readonly #options: EventMapperOptions;

  constructor(options: EventMapperOptions) {
    this.#options = options;
  }

  mayMap(projectId: number, event: MappableEvent): boolean {
    const hasKeys = event.debug_images !== undefined || (event.release !== null && SCRIPTS.has(event.platform));
    return hasKeys && this.#options.cache.mayHaveBundles(projectId);
  }

  async map<E extends MappableEvent>(projectId: number, event: E): Promise<E> {
    const { cache, onMapped } = this.#options;
    if (!(await cache.hasBundles(projectId))) return event;
    const mapping = new Mapping(this.#options, projectId, event);
    const exceptions: EventException[] = [];
    // The newest exception is shown, so it comes first in the bounds.
    for (const exception of [...event.exceptions].reverse()) exceptions.unshift(await mapping.exception(exception));
    const threads: EventThread[] = [];
    for (const thread of event.threads) threads.push({ ...thread, frames: await mapping.frames(thread.frames) });
    const { counts } = mapping;
    const found = counts.mapped + counts.unmapped + counts.skipped;
    if (found > 0) onMapped?.(counts);
    return found > 0 || mapping.isChanged ? { ...event, exceptions, threads } : event;
  }
}

/** Map for a script, or why there is none. */
type Opened = OpenedScript | { readonly reason: string };

interface OpenedScript {
  readonly index: MapIndex;
  readonly bundleId: string;
  readonly file: string;
}

interface OpenedClasses {
  readonly index: ProguardIndex;
  readonly bundleId: string;
  readonly file: string;
}

/** Says that a map is stored, but cannot be read. */
const damaged = (subject: string): string => `the file of the map of ${subject} is missing or damaged; upload it again`;

/** Look-ups of one event. */
class Mapping {
  /** True: the type of an exception has changed. */
  isChanged = false;
  readonly counts = { mapped: 0, unmapped: 0, skipped: 0 };
  readonly #cache: MapCache;
  readonly #projectId: number;
  readonly #event: MappableEvent;
  readonly #isOwn: (frame: Frame, platform: string) => boolean;
  readonly #scripts = new Map<string, Opened>();
  #classes: readonly OpenedClasses[] | null = null;
  /** Why there is no mapping for classes; null: there is one, or the event names none. */
  #noClasses: string | null = null;
  /** Number of `#scripts` that have a map. */
  #maps = 0;
  readonly #until = performance.now() + MAX_MS;

  constructor({ cache, isOwn }: EventMapperOptions, projectId: number, event: MappableEvent) {
    this.#cache = cache;
    this.#projectId = projectId;
    this.#event = event;
    this.#isOwn = isOwn;
  }

  async exception(exception: EventException): Promise<EventException> {
    const frames = await this.frames(exception.frames);
    const mapped = frames === exception.frames ? exception : { ...exception, frames };
    if (!JVM.has(this.#event.platform)) return mapped;
    for (const { index, bundleId, file } of await this.#openClasses()) {
      const renamed = this.#readClass(file, () => mapExceptionType(mapped, index));
      if (renamed === null) continue;
      this.isChanged = true;
      this.#cache.markUsed(this.#projectId, bundleId);
      return renamed;
    }
    return mapped;
  }

  /** Maps a stack, from the innermost frame outwards, so that bounds leave out the outer ones. */
  async frames(stack: Frame[] | null): Promise<Frame[] | null> {
    if (stack === null) return null;
    const mapped: Frame[] = [];
    for (let at = stack.length - 1; at >= 0; at -= 1) {
      const frame = stack[at];
      if (frame === undefined) continue;
      const platform = frame.platform ?? this.#event.platform;
      const isOwn: IsOwn = (each) => this.#isOwn(each, platform);
      if (SCRIPTS.has(platform)) mapped.unshift(await this.#scriptFrame(frame, stack[at - 1], isOwn));
      else if (JVM.has(platform))
        mapped.unshift(...(await this.#classFrames(frame, isOwn, MAX_STACK - mapped.length - at)));
      else mapped.unshift(frame);
    }
    return mapped.every((frame, index) => frame === stack[index]) ? stack : mapped;
  }

  async #scriptFrame(frame: Frame, around: Frame | undefined, isOwn: IsOwn): Promise<Frame> {
    const path = pathOf(frame);
    if (path === null || frame.raw !== undefined || frame.lineno === null) return frame;
    const bound = this.#boundOf(path);
    if (bound !== null) return this.#skipped(frame, bound);
    const opened = await this.#openScript(path);
    if ('reason' in opened) {
      // Files of servers are seldom of a build: only those of the application are worth a word.
      return WEB.test(path) || frame.in_app ? this.#unmapped(frame, opened.reason) : frame;
    }
    const { index, bundleId } = opened;
    const callee = index.knowsFunctions ? null : await this.#calleeOf(around);
    const mapped = this.#readOf(path, opened, () => mapScriptFrame(frame, index, callee, isOwn));
    if (typeof mapped === 'string') return this.#unmapped(frame, mapped);
    this.counts.mapped += 1;
    this.#cache.markUsed(this.#projectId, bundleId);
    return mapped.frame;
  }

  /** Returns the name of what a frame calls, where its map has it. */
  async #calleeOf(frame: Frame | undefined): Promise<string | null> {
    if (frame === undefined) return null;
    const path = pathOf(frame);
    if (path === null || frame.lineno === null || frame.colno === null) return null;
    const opened = await this.#openScript(path);
    if ('reason' in opened) return null;
    const { lineno, colno } = frame;
    const place = this.#readOf(path, opened, () => opened.index.placeOf(lineno, colno));
    return typeof place === 'string' ? null : place.callee;
  }

  async #classFrames(frame: Frame, isOwn: IsOwn, room: number): Promise<Frame[]> {
    if (frame.module === null || frame.raw !== undefined) return [frame];
    const classes = await this.#openClasses();
    if (classes.length === 0) {
      return this.#noClasses === null || !frame.in_app ? [frame] : [this.#unmapped(frame, this.#noClasses)];
    }
    const bound = this.#boundOf(null);
    if (bound !== null) return [this.#skipped(frame, bound)];
    for (const { index, bundleId, file } of classes) {
      const calls = this.#readClass(file, () => mapClassFrame(frame, index, isOwn));
      if (calls === null) continue;
      this.counts.mapped += 1;
      this.#cache.markUsed(this.#projectId, bundleId);
      return calls.slice(-Math.max(1, room));
    }
    return [frame];
  }

  /** Returns the bound that the look-up of a frame would exceed; null: none. `path`: its script. */
  #boundOf(path: string | null): string | null {
    if (this.counts.mapped >= MAX_FRAMES) return `at most ${MAX_FRAMES} frames are mapped per event`;
    if (path !== null && !this.#scripts.has(path)) {
      if (this.#maps >= MAX_MAPS) return `at most ${MAX_MAPS} maps are read per event`;
      if (this.#scripts.size - this.#maps >= MAX_MISSING)
        return `maps of at most ${MAX_MISSING} files without one are looked for per event`;
    }
    return performance.now() > this.#until ? `maps are looked up for at most ${MAX_MS} ms per event` : null;
  }

  #skipped(frame: Frame, bound: string): Frame {
    this.counts.skipped += 1;
    return { ...frame, unmapped: bound };
  }

  /** Reads from an opened map; why it cannot be read, when its content is damaged. */
  #readOf<T>(path: string, { file }: OpenedScript, read: () => T): T | string {
    try {
      return read();
    } catch {
      this.#cache.forget(file);
      const reason = damaged(path);
      this.#scripts.set(path, { reason });
      return reason;
    }
  }

  #unmapped(frame: Frame, reason: string): Frame {
    this.counts.unmapped += 1;
    return { ...frame, unmapped: reason };
  }

  async #openScript(path: string): Promise<Opened> {
    let opened = this.#scripts.get(path);
    if (opened === undefined) {
      opened = await this.#findScript(path);
      this.#scripts.set(path, opened);
      if ('index' in opened) this.#maps += 1;
    }
    return opened;
  }

  async #findScript(path: string): Promise<Opened> {
    const { release, dist } = this.#event;
    const debugId = debugIdOf(path, this.#event);
    if (debugId !== null) {
      const maps = await this.#cache.byDebugId(this.#projectId, debugId);
      if (maps.length > 0) return this.#open(maps, `debug id ${debugId}`);
    }
    if (release !== null && (await this.#cache.bundlesOf(this.#projectId, release)) > 0) {
      for (const url of urlCandidates(path)) {
        const maps = await this.#cache.byUrl(this.#projectId, release, dist, url);
        if (maps.length > 0) return this.#open(maps, url);
      }
    }
    return { reason: await this.#whyNone(path, debugId) };
  }

  async #whyNone(path: string, debugId: string | null): Promise<string> {
    const { release, dist } = this.#event;
    if (debugId === null && release === null) return 'the event has neither a debug id for this file nor a release';
    const subject = debugId === null ? `no map for ${path}` : `no map for debug id ${debugId}`;
    if (release === null) return subject;
    const bundles = await this.#cache.bundlesOf(this.#projectId, release);
    if (bundles === 0) return `${subject}; release ${release} has no bundles`;
    const inDist = debugId === null && dist !== null ? ` for dist ${dist}` : '';
    return `${subject}; release ${release} has ${bundles} ${bundles === 1 ? 'bundle, not' : 'bundles, none'} with it${inDist}`;
  }

  async #open(maps: readonly FoundMap[], subject: string): Promise<Opened> {
    let problem = `the map of ${subject} cannot be used`;
    for (const map of maps) {
      const { file, bundleId } = map;
      if (file === null) {
        if (map.problem !== null) problem = `the map of ${subject} cannot be used: ${map.problem}`;
        continue;
      }
      const index = await this.#cache.open({ ...map, file });
      if (index instanceof MapIndex) return { index, bundleId, file };
      problem = damaged(subject);
    }
    return { reason: problem };
  }

  /** Reads from an opened mapping; null, and without it from then on, when its content is damaged. */
  #readClass<T>(file: string, read: () => T | null): T | null {
    try {
      return read();
    } catch {
      this.#cache.forget(file);
      this.#classes = (this.#classes ?? []).filter((one) => one.file !== file);
      this.#noClasses = damaged('its classes');
      return null;
    }
  }

  async #openClasses(): Promise<readonly OpenedClasses[]> {
    if (this.#classes !== null) return this.#classes;
    const classes: OpenedClasses[] = [];
    const images = (this.#event.debug_images ?? []).filter(({ type }) => type === 'proguard').slice(0, MAX_MAPS);
    for (const { debug_id: debugId } of images) {
      for (const map of await this.#cache.byDebugId(this.#projectId, debugId)) {
        const { file, bundleId } = map;
        const index = file === null ? null : await this.#cache.open({ ...map, file });
        if (!(index instanceof ProguardIndex) || file === null) continue;
        classes.push({ index, bundleId, file });
        break;
      }
    }
    this.#classes = classes;
    const [first] = images;
    if (classes.length === 0 && first !== undefined) this.#noClasses = `no mapping for id ${first.debug_id}`;
    return classes;
  }
}

/** Path of a script as its debug id names it; null for code of the engine. */
function pathOf({ abs_path: path, filename }: Frame): string | null {
  const place = path ?? filename;
  return place === null || ENGINE.test(place) ? null : place;
}

function debugIdOf(path: string, { debug_images: images = [] }: MappableEvent): string | null {
  const idOf = (wanted: string) =>
    images.find(({ type, code_file: file }) => type === 'sourcemap' && file === wanted)?.debug_id ?? null;
  return idOf(path) ?? idOf(path.replace(/[?#].*$/, ''));
}
