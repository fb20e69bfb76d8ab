import type { ImportStore } from '../../domain/ports/import-store.ts';

/** Feature to the only error that has it; null: several have. */
type Shard = Record<string, string | null>;

const SHARDS = '0123456789abcdef';
/** Features of a shard, about 40 bytes each: a state has at most 1 MB. Later ones are not indexed. */
const MAX_FEATURES = 20_000;

/** Imported errors by feature, kept in the state of the import because the tracker may be gone later. */
export class LikenessIndex {
  readonly #store: Pick<ImportStore, 'importState' | 'saveImportState'>;
  readonly #key: string;
  readonly #shards = new Map<string, Shard>();
  readonly #changed = new Set<string>();

  constructor(store: Pick<ImportStore, 'importState' | 'saveImportState'>, key: string) {
    this.#store = store;
    this.#key = key;
  }

  /** Reads all shards; `add` and `find` work on them. */
  async open(): Promise<this> {
    for (const name of SHARDS) {
      const text = await this.#store.importState(this.#keyOf(name));
      this.#shards.set(name, text === null ? {} : (JSON.parse(text) as Shard));
    }
    return this;
  }

  add(feature: string, errorId: string): void {
    const name = feature.charAt(0);
    const shard = this.#shards.get(name);
    if (shard === undefined) return;
    const known = shard[feature];
    if (known === undefined) {
      if (Object.keys(shard).length >= MAX_FEATURES) return;
      shard[feature] = errorId;
    } else if (known !== null && known !== errorId) shard[feature] = null;
    else return;
    this.#changed.add(name);
  }

  /** Returns the only error with the feature; null for none and for several. */
  find(feature: string): string | null {
    return this.#shards.get(feature.charAt(0))?.[feature] ?? null;
  }

  async save(): Promise<void> {
    for (const name of this.#changed) {
      await this.#store.saveImportState(this.#keyOf(name), JSON.stringify(this.#shards.get(name)));
    }
    this.#changed.clear();
  }

  #keyOf(name: string): string {
    return `${this.#key}/likeness/${name}`;
  }
}
