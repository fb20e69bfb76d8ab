import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FoundMap, MapSource } from '../../src/artifacts/frames/map-cache.ts';
import { indexSourceMap } from '../../src/artifacts/maps/index-source-map.ts';
import { readProguard } from '../../src/artifacts/maps/read-proguard.ts';
import { mapFile } from '../../src/artifacts/uploads/file-names.ts';

const FIXTURES = new URL('../fixtures/source-maps/', import.meta.url);

/** Reads a recorded file of a build, or of the event that it sent. */
export const mapFixture = (name: string) => readFileSync(new URL(name, FIXTURES));

/** Returns the map of a recorded script, which opens but cannot be read. */
export function damagedMap(name: string): Uint8Array {
  const damaged = Uint8Array.from(indexOf(indexSourceMap(mapFixture(`${name}.map`), mapFixture(name))));
  const [, , blockBytes = 0, textBytes = 0] = new Uint32Array(damaged.buffer.slice(0, 16));
  const texts = damaged.length - textBytes;
  return damaged.fill(0xff, texts - Math.ceil(blockBytes / 4) * 4, texts);
}

export interface AddedMap {
  readonly projectId?: number;
  readonly debugId?: string;
  readonly release?: string;
  readonly dist?: string;
  readonly url?: string;
  /** Null: the bundle has it, but it cannot be used. */
  readonly bytes: Uint8Array | null;
  readonly problem?: string;
  readonly kind?: FoundMap['kind'];
}

/** Maps in memory, as a store has them; `asked` counts calls by method. */
export class MemoryMaps implements MapSource {
  readonly asked = new Map<string, number>();
  readonly used: string[] = [];
  /** Arguments of removals. */
  readonly removed: (readonly [string, number])[] = [];
  readonly #maps: (Omit<AddedMap, 'problem'> & FoundMap & { readonly projectId: number })[] = [];
  readonly #files = new Map<string, Uint8Array>();

  add(added: AddedMap): void {
    const file = added.bytes === null ? null : mapFile(createHash('sha256').update(added.bytes).digest('hex'));
    if (file !== null && added.bytes !== null) this.#files.set(file, added.bytes);
    const bundleId = `bundle-${this.#maps.length}`;
    this.#maps.unshift({ projectId: 42, kind: 'source_map', ...added, problem: added.problem ?? null, bundleId, file });
  }

  /** Adds a recorded script with its map; returns the debug id. */
  addScript(name: string, debugId: string, more: Partial<AddedMap> = {}): void {
    this.add({ debugId, bytes: indexOf(indexSourceMap(mapFixture(`${name}.map`), mapFixture(name))), ...more });
  }

  addClasses(uuid: string, mapping: string): void {
    this.add({ debugId: uuid, kind: 'proguard', bytes: indexOf(readProguard(Buffer.from(mapping))) });
  }

  dropFiles(): void {
    this.#files.clear();
  }

  projectsWithBundles() {
    this.#count('projectsWithBundles');
    return Promise.resolve([...new Set(this.#maps.map(({ projectId }) => projectId))]);
  }

  mapsByDebugId(projectId: number, debugId: string) {
    this.#count('mapsByDebugId');
    return Promise.resolve(this.#maps.filter((map) => map.projectId === projectId && map.debugId === debugId));
  }

  mapsByUrl(projectId: number, release: string, dist: string | null, url: string) {
    this.#count('mapsByUrl');
    const fits = (map: Omit<AddedMap, 'problem'>) =>
      map.projectId === projectId && map.release === release && (map.dist ?? null) === dist && map.url === url;
    return Promise.resolve(this.#maps.filter(fits));
  }

  bundlesOfRelease(projectId: number, release: string) {
    this.#count('bundlesOfRelease');
    const found = this.#maps.filter((map) => map.projectId === projectId && map.release === release);
    return Promise.resolve(found.map(() => ({ complete: true })));
  }

  readFile(name: string) {
    this.#count('readFile');
    return Promise.resolve(this.#files.get(name) ?? null);
  }

  removeFile(name: string, notPutSince: number) {
    this.removed.push([name, notPutSince]);
    return Promise.resolve(this.#files.delete(name));
  }

  /** Gives the files of all maps this content. */
  damageFiles(content: Uint8Array): void {
    for (const name of this.#files.keys()) this.#files.set(name, content);
  }

  markBundleUsed(_projectId: number, bundleId: string) {
    this.used.push(bundleId);
    return Promise.resolve();
  }

  #count(method: string): void {
    this.asked.set(method, (this.asked.get(method) ?? 0) + 1);
  }
}

function indexOf(result: ReturnType<typeof indexSourceMap>): Uint8Array {
  if ('problem' in result) throw new Error(result.problem);
  return result.index;
}
