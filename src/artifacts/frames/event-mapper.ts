import type { EventException, EventThread, Frame } from '../../domain/events/event.ts';
import type { FrameMapper, MappableEvent, Mapped } from '../../domain/ports/frame-mapper.ts';
import { ANYWHERE, type StackPlace } from '../maps/proguard-index.ts';
import { boundLines } from './bound-lines.ts';
import {
  innermostPlace,
  mapClassFrame,
  mapExceptionType,
  markedPackages,
  type MappedClassFrame,
} from './class-frames.ts';
import { EventMaps } from './event-maps.ts';
import { isExplained, JVM, SCRIPTS, scriptPath } from './frame-keys.ts';
import type { MapCache } from './map-cache.ts';
import { mapScriptFrame, type IsOwn } from './script-frame.ts';
import { WaitingFrames } from './waiting-frames.ts';
import { withoutUploads } from './without-uploads.ts';

/** Frames of an event that are mapped, more than SDKs send. Those beyond stay as the SDK sent them. */
const MAX_FRAMES = 500;
/** Frames of a stack after calls that were moved into one another are separate again. */
const MAX_STACK = 250;
const NONE: ReadonlySet<Frame> = new Set();

/** Number of frames of an event by what became of them. */
export interface MappedCounts {
  readonly mapped: number;
  readonly unmapped: number;
  /** Those beyond a bound. */
  readonly skipped: number;
}

export interface EventMapperOptions {
  readonly cache: MapCache;
  /**
   * Decides whether a frame at its original place is code of the application. `mark`: what its SDK would have said of
   * that place, or what its map says; null: neither is known.
   */
  readonly isOwn: (frame: Frame, mark: boolean | null, platform: string) => boolean;
  /** Called for each event with frames that were looked up. */
  readonly onMapped?: (counts: MappedCounts) => void;
}

const hasKeys = ({ debug_images: images, release, platform }: MappableEvent): boolean =>
  images !== undefined || (release !== null && SCRIPTS.has(platform));

/** Finds the original places of frames by what builds uploaded. */
export class EventMapper implements FrameMapper {
  readonly #options: EventMapperOptions;

  constructor(options: EventMapperOptions) {
    this.#options = options;
  }

  mayMap(projectId: number, event: MappableEvent): boolean {
    return hasKeys(event) && this.#options.cache.mayHaveBundles(projectId);
  }

  async show<E extends MappableEvent>(projectId: number, event: E): Promise<E> {
    if (!hasKeys(event)) return event;
    const hasBundles = await this.#options.cache.hasBundles(projectId);
    return hasBundles ? (await this.map(projectId, event)).event : withoutUploads(event);
  }

  async map<E extends MappableEvent>(projectId: number, event: E): Promise<Mapped<E>> {
    const { cache, onMapped } = this.#options;
    if (!(await cache.hasBundles(projectId))) return { event, waiting: NONE };
    const mapping = new Mapping(this.#options, projectId, event);
    const exceptions: EventException[] = [];
    // The newest exception is shown, so it comes first in the bounds.
    for (const exception of [...event.exceptions].reverse()) exceptions.unshift(await mapping.exception(exception));
    const threads: EventThread[] = [];
    for (const thread of event.threads) threads.push({ ...thread, frames: await mapping.frames(thread.frames, null) });
    const { counts } = mapping;
    const found = counts.mapped + counts.unmapped + counts.skipped;
    if (found > 0) onMapped?.(counts);
    if (counts.mapped > 0) boundLines([...[...exceptions].reverse(), ...threads].map(({ frames }) => frames));
    if (found === 0 && !mapping.isChanged) return { event, waiting: NONE };
    return { event: { ...event, exceptions, threads }, waiting: mapping.waiting() };
  }
}

/** Look-ups of one event. */
class Mapping {
  /** True: the type of an exception has changed. */
  isChanged = false;
  readonly counts = { mapped: 0, unmapped: 0, skipped: 0 };
  readonly #maps: EventMaps;
  /** Platform of frames that name none. */
  readonly #platform: string;
  readonly #isOwn: EventMapperOptions['isOwn'];
  readonly #event: MappableEvent;
  readonly #waiting = new WaitingFrames();
  /** Packages that the SDK marks as the application's; null: it does not mark by packages; undefined: not known yet. */
  #packages: readonly string[] | null | undefined;

  constructor({ cache, isOwn }: EventMapperOptions, projectId: number, event: MappableEvent) {
    this.#maps = new EventMaps(cache, projectId, event);
    this.#event = event;
    this.#platform = event.platform;
    this.#isOwn = isOwn;
  }

  async exception(exception: EventException): Promise<EventException> {
    let named = exception;
    if (JVM.has(this.#platform)) {
      const renamed = await this.#maps.inClasses((index) => mapExceptionType(exception, index));
      if (renamed !== null) this.isChanged = true;
      named = renamed ?? exception;
    }
    const frames = await this.frames(named.frames, named);
    return frames === named.frames ? named : { ...named, frames };
  }

  /** Returns the frames that may be mapped later, where others were. */
  waiting(): ReadonlySet<Frame> {
    const hasMapped = this.counts.mapped > 0 || this.isChanged;
    return hasMapped ? this.#waiting.of(this.#event, this.#maps.mappedScripts()) : NONE;
  }

  /**
   * Maps a stack, from the innermost frame outwards, so that bounds leave out the outer ones. `exception`: at its
   * original class; null: a thread's stack.
   */
  async frames(stack: Frame[] | null, exception: EventException | null): Promise<Frame[] | null> {
    if (stack === null) return null;
    const mapped: Frame[] = [];
    let place = innermostPlace(exception);
    for (let at = stack.length - 1; at >= 0; at -= 1) {
      const frame = stack[at];
      if (frame === undefined) continue;
      const platform = frame.platform ?? this.#platform;
      const isOwn: IsOwn = (each, mark) => this.#isOwn(each, mark, platform);
      if (SCRIPTS.has(platform)) mapped.unshift(await this.#scriptFrame(frame, stack[at - 1], isOwn));
      else if (JVM.has(platform)) {
        const found = await this.#classFrames(frame, place, isOwn);
        mapped.unshift(...found.frames.slice(-Math.max(1, MAX_STACK - mapped.length - at)));
        place = found.next;
      } else mapped.unshift(frame);
    }
    this.#waiting.endStack(mapped);
    return mapped.every((frame, index) => frame === stack[index]) ? stack : mapped;
  }

  async #scriptFrame(frame: Frame, around: Frame | undefined, isOwn: IsOwn): Promise<Frame> {
    const path = scriptPath(frame);
    if (path === null || frame.raw !== undefined || frame.lineno === null) return frame;
    const bound = this.#boundOf(path);
    if (bound !== null) {
      const skipped = this.#skipped(frame, bound);
      this.#waiting.addScript(skipped, path);
      return skipped;
    }
    const opened = await this.#maps.script(path);
    if ('reason' in opened) {
      return isExplained(path, frame) ? this.#unmappedScript(frame, path, opened.reason) : frame;
    }
    const callee = opened.index.knowsFunctions ? null : await this.#calleeOf(around);
    const mapped = this.#maps.readScript(path, opened, (index) => mapScriptFrame(frame, index, callee, isOwn));
    if (typeof mapped === 'string') return this.#unmappedScript(frame, path, mapped);
    this.counts.mapped += 1;
    this.#maps.markUsed(opened);
    return mapped;
  }

  #unmappedScript(frame: Frame, path: string, reason: string): Frame {
    const unmapped = this.#unmapped(frame, reason);
    const problem = this.#maps.problemOf(path);
    if (problem === 'none') this.#waiting.addScript(unmapped, path);
    if (problem === 'damaged') this.#waiting.add(unmapped, frame.in_app);
    return unmapped;
  }

  /** Returns the name of what a frame calls, where its map has it. */
  async #calleeOf(frame: Frame | undefined): Promise<string | null> {
    if (frame === undefined) return null;
    const path = scriptPath(frame);
    if (path === null || frame.lineno === null || frame.colno === null) return null;
    const opened = await this.#maps.script(path);
    if ('reason' in opened) return null;
    const { lineno, colno } = frame;
    const place = this.#maps.readScript(path, opened, (index) => index.placeOf(lineno, colno));
    return typeof place === 'string' ? null : place.callee;
  }

  async #classFrames(frame: Frame, place: StackPlace, isOwn: IsOwn): Promise<MappedClassFrame> {
    if (frame.module === null || frame.raw !== undefined) return { frames: [frame], next: ANYWHERE };
    const hasClasses = await this.#maps.hasClasses();
    const bound = hasClasses ? this.#boundOf(null) : null;
    if (hasClasses && bound === null) {
      const packages = await this.#ownPackages();
      const found = await this.#maps.inClasses((index) => mapClassFrame(frame, { place, packages }, index, isOwn));
      if (found !== null) {
        this.counts.mapped += 1;
        return found;
      }
    }
    const { noClasses } = this.#maps;
    let sent = frame;
    if (bound !== null) sent = this.#skipped(frame, bound);
    else if (!hasClasses && noClasses !== null && frame.in_app) sent = this.#unmapped(frame, noClasses);
    // The SDK judged by the name of the build: the original class may be of the application though it said no.
    if (bound !== null || this.#maps.mayGetClasses) this.#waiting.add(sent, frame.in_app || isOwn(frame, null));
    return { frames: [sent], next: ANYWHERE };
  }

  async #ownPackages(): Promise<readonly string[] | null> {
    if (this.#packages === undefined) {
      const { exceptions, threads } = this.#event;
      const frames = [...exceptions, ...threads].flatMap((each) => each.frames ?? []);
      this.#packages = await this.#maps.inClasses((index) => markedPackages(frames, index));
    }
    return this.#packages;
  }

  /** Returns the bound that the look-up of a frame would exceed; null: none. `path`: its script. */
  #boundOf(path: string | null): string | null {
    if (this.counts.mapped >= MAX_FRAMES) return `at most ${MAX_FRAMES} frames are mapped per event`;
    return this.#maps.boundOf(path);
  }

  #skipped(frame: Frame, bound: string): Frame {
    this.counts.skipped += 1;
    return { ...frame, unmapped: bound };
  }

  #unmapped(frame: Frame, reason: string): Frame {
    this.counts.unmapped += 1;
    return { ...frame, unmapped: reason };
  }
}
