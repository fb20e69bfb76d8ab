import { performance } from 'node:perf_hooks';
import type { MappableEvent } from '../../domain/ports/frame-mapper.ts';
import { MapIndex } from '../maps/map-index.ts';
import { ProguardIndex } from '../maps/proguard-index.ts';
import { debugIdOf } from './frame-keys.ts';
import type { FoundMap, MapCache } from './map-cache.ts';

/**
 * Bounds of one event: maps that are opened, and files without a map that are looked for. They are beyond what SDKs
 * send, so that they part no error.
 */
const MAX_MAPS = 50;
const MAX_MISSING = 50;
/** Milliseconds for a store that answers slowly: 50 frames of 10 opened maps take less than one. */
const MAX_MS = 500;

/** Map that was found for a script or a program. */
export interface Opened<I> {
  readonly index: I;
  readonly bundleId: string;
  readonly file: string;
}

/** Script without a map that can be used. */
interface Unopened {
  /** A sentence without a period. */
  readonly reason: string;
  /** `none`: no map was uploaded. `damaged`: its file is missing or damaged. `unusable`: the build made none, or a wrong one. */
  readonly problem: 'none' | 'damaged' | 'unusable';
}

/** Says that a map is stored, but cannot be read. */
const damaged = (subject: string): string => `the file of the map of ${subject} is missing or damaged; upload it again`;

/** Maps of the files of one event. Each is looked for once. */
export class EventMaps {
  /** Why there is no mapping for classes; null: there is one, or the event names none. */
  noClasses: string | null = null;
  /** True: the event names a mapping for classes that was not uploaded yet, or whose file is missing or damaged. */
  mayGetClasses = false;
  readonly #cache: MapCache;
  readonly #projectId: number;
  readonly #event: MappableEvent;
  readonly #scripts = new Map<string, Opened<MapIndex> | Unopened>();
  /** Number of `#scripts` that have a map. */
  #maps = 0;
  #classes: readonly Opened<ProguardIndex>[] | null = null;
  readonly #until = performance.now() + MAX_MS;

  constructor(cache: MapCache, projectId: number, event: MappableEvent) {
    this.#cache = cache;
    this.#projectId = projectId;
    this.#event = event;
  }

  /** Returns the bound that a look-up would exceed; null: none. `path`: the script; null: a class. */
  boundOf(path: string | null): string | null {
    if (path !== null && !this.#scripts.has(path)) {
      if (this.#maps >= MAX_MAPS) return `at most ${MAX_MAPS} maps are read per event`;
      if (this.#scripts.size - this.#maps >= MAX_MISSING)
        return `maps of at most ${MAX_MISSING} files without one are looked for per event`;
    }
    return performance.now() > this.#until ? `maps are looked up for at most ${MAX_MS} ms per event` : null;
  }

  /** Opens the map of a script; a reason: there is none, or it cannot be used. */
  async script(path: string): Promise<Opened<MapIndex> | Unopened> {
    let opened = this.#scripts.get(path);
    if (opened === undefined) {
      opened = await this.#findScript(path);
      this.#scripts.set(path, opened);
      if ('index' in opened) this.#maps += 1;
    }
    return opened;
  }

  async #findScript(path: string): Promise<Opened<MapIndex> | Unopened> {
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
    return { reason: await this.#whyNone(path, debugId), problem: 'none' };
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

  async #open(maps: readonly FoundMap[], subject: string): Promise<Opened<MapIndex> | Unopened> {
    let unopened: Unopened = { reason: `the map of ${subject} cannot be used`, problem: 'unusable' };
    for (const map of maps) {
      const { file, bundleId } = map;
      if (file === null) {
        if (map.problem !== null)
          unopened = { ...unopened, reason: `the map of ${subject} cannot be used: ${map.problem}` };
        continue;
      }
      const index = await this.#cache.open({ ...map, file });
      if (index instanceof MapIndex) return { index, bundleId, file };
      unopened = { reason: damaged(subject), problem: 'damaged' };
    }
    return unopened;
  }

  /** Reads from an opened map; why it cannot be read, when its content is damaged. */
  readScript<T>(path: string, { index, file }: Opened<MapIndex>, read: (index: MapIndex) => T): T | string {
    try {
      return read(index);
    } catch {
      this.#cache.forget(file);
      const reason = damaged(path);
      this.#scripts.set(path, { reason, problem: 'damaged' });
      return reason;
    }
  }

  /** Returns why a script that was looked up has no map; null: it has one. */
  problemOf(path: string): Unopened['problem'] | null {
    const opened = this.#scripts.get(path);
    return opened === undefined || 'index' in opened ? null : opened.problem;
  }

  /** Returns the scripts that have a map. */
  mappedScripts(): string[] {
    return [...this.#scripts].flatMap(([path, opened]) => ('index' in opened ? [path] : []));
  }

  /** Whether the event names a mapping for classes that can be read. */
  async hasClasses(): Promise<boolean> {
    return (await this.#openClasses()).length > 0;
  }

  /** Returns what the first mapping says that knows it, and marks that as used; null: none does. */
  async inClasses<T>(read: (index: ProguardIndex) => T | null): Promise<T | null> {
    for (const opened of await this.#openClasses()) {
      const found = this.#readClasses(opened, read);
      if (found === null) continue;
      this.markUsed(opened);
      return found;
    }
    return null;
  }

  /** Records that a map has named a frame. */
  markUsed({ bundleId }: Opened<unknown>): void {
    this.#cache.markUsed(this.#projectId, bundleId);
  }

  /** Reads from an opened mapping; null, and without it from then on, when its content is damaged. */
  #readClasses<T>({ index, file }: Opened<ProguardIndex>, read: (index: ProguardIndex) => T | null): T | null {
    try {
      return read(index);
    } catch {
      this.#cache.forget(file);
      this.#classes = (this.#classes ?? []).filter((one) => one.file !== file);
      this.noClasses = damaged('its classes');
      this.mayGetClasses = true;
      return null;
    }
  }

  async #openClasses(): Promise<readonly Opened<ProguardIndex>[]> {
    if (this.#classes !== null) return this.#classes;
    const classes: Opened<ProguardIndex>[] = [];
    const images = (this.#event.debug_images ?? []).filter(({ type }) => type === 'proguard').slice(0, MAX_MAPS);
    for (const { debug_id: debugId } of images) {
      const maps = await this.#cache.byDebugId(this.#projectId, debugId);
      let isOpen = false;
      for (const map of maps) {
        const { file, bundleId } = map;
        const index = file === null ? null : await this.#cache.open({ ...map, file });
        if (!(index instanceof ProguardIndex) || file === null) continue;
        classes.push({ index, bundleId, file });
        isOpen = true;
        break;
      }
      if (!isOpen && (maps.length === 0 || maps.some(({ file }) => file !== null))) this.mayGetClasses = true;
    }
    this.#classes = classes;
    const [first] = images;
    if (classes.length === 0 && first !== undefined) this.noClasses = `no mapping for id ${first.debug_id}`;
    return classes;
  }
}

const ADDRESS = /^([a-z][a-z0-9+.-]{0,30}:\/\/[^/?#]*)([^?#]*)(\?[^#]*)?/i;

/** Returns the addresses under which the map of a script may have been uploaded, the most exact first. */
function urlCandidates(path: string): string[] {
  const match = ADDRESS.exec(path);
  if (match === null) {
    const plain = path.replace(/[?#].*$/, '');
    return plain.startsWith('~')
      ? [plain]
      : [...new Set([path, plain, `~${plain.startsWith('/') ? '' : '/'}${plain}`])];
  }
  const [, host = '', file = '', query = ''] = match;
  return [...new Set([`${host}${file}${query}`, `${host}${file}`, `~${file}${query}`, `~${file}`])];
}
