import { createHash } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { LRUCache } from 'lru-cache';
import type { ArtifactMap } from '../../domain/artifacts/artifact.ts';
import { HOUR_MS } from '../../domain/durations.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import { grownTo } from '../../lib/grown-to.ts';
import { MapIndex } from '../maps/map-index.ts';
import { ProguardIndex } from '../maps/proguard-index.ts';
import { mapFile } from '../uploads/file-names.ts';

/** Bytes of answers of the store that are kept, and those of an answer and of a map in it beside their texts. */
const KEPT_BYTES = 4 * 1024 * 1024;
const ENTRY_BYTES = 200;
/** Milliseconds for which an answer holds: a map that is there, and none, which an upload may change at any time. */
const FOUND_MS = 2000;
const NONE_MS = 100;

/** Milliseconds by which the clock of the store may differ from that of this process. */
const CLOCKS_DIFFER_MS = 60_000;

/** Map as look-ups need it. */
export type FoundMap = Pick<ArtifactMap, 'bundleId' | 'kind' | 'file' | 'problem'>;

/** Parts of the store that look-ups use. */
export interface MapSource {
  projectsWithBundles(): Promise<readonly number[]>;
  mapsByDebugId(projectId: number, debugId: string): Promise<readonly FoundMap[]>;
  mapsByUrl(projectId: number, release: string, dist: string | null, url: string): Promise<readonly FoundMap[]>;
  bundlesOfRelease(projectId: number, release: string): Promise<readonly { readonly complete: boolean }[]>;
  readFile(name: string): Promise<Uint8Array | null>;
  removeFile(name: string, notPutSince: number): Promise<boolean>;
  markBundleUsed(projectId: number, bundleId: string, at: number): Promise<void>;
}

export type OpenedMap = MapIndex | ProguardIndex;

/** Maps, or a number of bundles. */
type Answer = readonly FoundMap[] | number;

/**
 * Finds and opens maps; keeps answers for a short time, and opened maps up to a number of bytes. A larger one is kept
 * alone: without it each event would read it again.
 */
export class MapCache {
  readonly #source: MapSource;
  readonly #clock: Clock;
  readonly #answers: LRUCache<string, { readonly answer: Answer; readonly until: number }>;
  readonly #opened: LRUCache<string, OpenedMap, FoundMap>;
  readonly #marked = new LRUCache<string, number>(grownTo(1000));
  /** Files that cannot be opened, and yet are as they were written. */
  readonly #sound = new LRUCache<string, true>(grownTo(1000));
  #projects: ReadonlySet<number> = new Set();
  #projectsUntil = 0;

  constructor(source: MapSource, clock: Clock, keptBytes: number) {
    this.#source = source;
    this.#clock = clock;
    this.#answers = new LRUCache({ maxSize: KEPT_BYTES, sizeCalculation: ({ answer }, key) => bytesOf(key, answer) });
    this.#opened = new LRUCache({
      maxSize: keptBytes,
      sizeCalculation: ({ memoryBytes }) => Math.min(memoryBytes, keptBytes),
      fetchMethod: (file, _stale, { context }) => this.#read(file, context),
    });
  }

  /** Returns false when a project is known to have no bundles; true also when that was not asked lately. */
  mayHaveBundles(projectId: number): boolean {
    return performance.now() >= this.#projectsUntil || this.#projects.has(projectId);
  }

  /** Returns whether a project has bundles. */
  async hasBundles(projectId: number): Promise<boolean> {
    if (performance.now() >= this.#projectsUntil) {
      this.#projects = new Set(await this.#source.projectsWithBundles());
      this.#projectsUntil = performance.now() + NONE_MS;
    }
    return this.#projects.has(projectId);
  }

  byDebugId(projectId: number, debugId: string): Promise<readonly FoundMap[]> {
    return this.#asked(`id ${projectId} ${debugId}`, async () =>
      (await this.#source.mapsByDebugId(projectId, debugId)).map(neededOf),
    );
  }

  byUrl(projectId: number, release: string, dist: string | null, url: string): Promise<readonly FoundMap[]> {
    const key = JSON.stringify([projectId, release, dist, url]);
    return this.#asked(key, async () => (await this.#source.mapsByUrl(projectId, release, dist, url)).map(neededOf));
  }

  /** Returns the number of complete bundles of a release. */
  bundlesOf(projectId: number, release: string): Promise<number> {
    return this.#asked(`release ${projectId} ${release}`, async () => {
      const bundles = await this.#source.bundlesOfRelease(projectId, release);
      return bundles.filter(({ complete }) => complete).length;
    });
  }

  /** Opens a map; null: its file is gone or of another version of the compact form. */
  async open(map: FoundMap & { readonly file: string }): Promise<OpenedMap | null> {
    return this.#opened.get(map.file) ?? (await this.#opened.fetch(map.file, { context: map })) ?? null;
  }

  /** Forgets an opened map whose content proved damaged: the next event reads it again. A damaged file is removed. */
  forget(file: string): void {
    this.#opened.delete(file);
    this.#removeIfDamaged(file).catch(() => undefined);
  }

  /**
   * Removes a file that has not the content of which it has its name, so that it is known to be missing, and is written
   * when it is uploaded again. One that a later version of errgate wrote stays. `content`: as it was read at `readAt`.
   */
  async #removeIfDamaged(file: string, content: Uint8Array | null = null, readAt = this.#clock.now()): Promise<void> {
    if (this.#sound.has(file)) return;
    const bytes = content ?? (await this.#source.readFile(file));
    if (bytes === null) return;
    if (mapFile(createHash('sha256').update(bytes).digest('hex')) === file) {
      this.#sound.set(file, true);
    } else {
      // One that was written since stays, whatever the difference between the clocks.
      await this.#source.removeFile(file, readAt - CLOCKS_DIFFER_MS);
    }
  }

  /** Records that a bundle was used, at most once an hour. Failures are left to the next use. */
  markUsed(projectId: number, bundleId: string): void {
    const key = `${projectId} ${bundleId}`;
    const now = this.#clock.now();
    if (now - (this.#marked.get(key) ?? 0) < HOUR_MS) return;
    this.#marked.set(key, now);
    this.#source.markBundleUsed(projectId, bundleId, now).catch(() => this.#marked.delete(key));
  }

  async #asked<T extends Answer>(key: string, ask: () => Promise<T>): Promise<T> {
    const known = this.#answers.get(key);
    if (known !== undefined && performance.now() < known.until) return known.answer as T;
    const answer = await ask();
    const isNone = answer === 0 || (typeof answer !== 'number' && answer.length === 0);
    const until = performance.now() + (isNone ? NONE_MS : FOUND_MS);
    this.#answers.set(key, { answer, until });
    return answer;
  }

  async #read(file: string, { kind }: FoundMap): Promise<OpenedMap | undefined> {
    const readAt = this.#clock.now();
    const bytes = await this.#source.readFile(file);
    if (bytes === null) return undefined;
    try {
      return kind === 'proguard' ? new ProguardIndex(bytes) : new MapIndex(bytes);
    } catch {
      await this.#removeIfDamaged(file, bytes, readAt).catch(() => undefined);
      return undefined;
    }
  }
}

/** Returns what look-ups need of a map: rows have more. */
const neededOf = ({ bundleId, kind, file, problem }: FoundMap): FoundMap => ({ bundleId, kind, file, problem });

/** Returns about how many bytes an answer takes. */
function bytesOf(key: string, answer: Answer): number {
  const maps = typeof answer === 'number' ? [] : answer;
  const texts = [key, ...maps.flatMap(({ bundleId, file, problem }) => [bundleId, file ?? '', problem ?? ''])];
  return (1 + maps.length) * ENTRY_BYTES + 2 * texts.reduce((sum, text) => sum + text.length, 0);
}
