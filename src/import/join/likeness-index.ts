import type { ImportStore } from '../../domain/ports/import-store.ts';

type IndexStore = Pick<ImportStore, 'listImportStates' | 'saveImportState'>;
/** Feature to the only error that has it; null: several have. */
type Features = Record<string, string | null>;

/** Maximum features, about 40 bytes each in the state and 150 in memory. Later ones are not indexed. */
const MAX_FEATURES = 320_000;
/** Entries of a part of the index; only the last part is written again. */
const PART_ENTRIES = 500;
/** Name of a part by its number. Parts of earlier versions have one hex digit and come first. */
const partName = (part: number): string => `p${String(part).padStart(6, '0')}`;

/**
 * Imported errors by feature, kept in the state of the import because the tracker may be gone later. Saved as a log: an
 * entry replaces those of earlier parts.
 */
export class LikenessIndex {
  readonly #store: IndexStore;
  readonly #prefix: string;
  readonly #features = new Map<string, string | null>();
  /** Entries of the last part, and its number. */
  #last: Features = {};
  #part = 0;
  readonly #unsaved = new Map<string, string | null>();

  constructor(store: IndexStore, key: string) {
    this.#store = store;
    this.#prefix = `${key}/likeness/`;
  }

  /** Reads the whole index; `add` and `find` work on it. */
  async open(): Promise<this> {
    for (const [key, text] of await this.#store.listImportStates(this.#prefix)) {
      const entries = JSON.parse(text) as Features;
      for (const [feature, errorId] of Object.entries(entries)) this.#features.set(feature, errorId);
      const [, part] = /^p(\d{6})$/.exec(key.slice(this.#prefix.length)) ?? [];
      if (part !== undefined) [this.#part, this.#last] = [Number(part), entries];
    }
    return this;
  }

  add(feature: string, errorId: string): void {
    const known = this.#features.get(feature);
    if (known === null || known === errorId || (known === undefined && this.#features.size >= MAX_FEATURES)) return;
    const only = known === undefined ? errorId : null;
    this.#features.set(feature, only);
    this.#unsaved.set(feature, only);
  }

  /** Returns the only error with one of the features; null for none and for several. */
  find(features: readonly string[]): string | null {
    const found = new Set(features.map((feature) => this.#features.get(feature)).filter((one) => one !== undefined));
    const [only = null] = found;
    return found.size === 1 ? only : null;
  }

  /** Saves what was added since the last call. */
  async save(): Promise<void> {
    while (this.#unsaved.size > 0) {
      const entries = { ...this.#last };
      const taken: string[] = [];
      let room = PART_ENTRIES - Object.keys(entries).length;
      for (const [feature, errorId] of this.#unsaved) {
        if (room <= 0) break;
        entries[feature] = errorId;
        taken.push(feature);
        room -= 1;
      }
      if (taken.length === 0) {
        [this.#part, this.#last] = [this.#part + 1, {}];
        continue;
      }
      await this.#store.saveImportState(this.#prefix + partName(this.#part), JSON.stringify(entries));
      this.#last = entries;
      for (const feature of taken) this.#unsaved.delete(feature);
    }
  }
}
