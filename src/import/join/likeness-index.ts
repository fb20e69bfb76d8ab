import { EntryLog, type EntryStore } from '../state/entry-log.ts';

/** Maximum features, about 40 bytes each in the state and 150 in memory. Later ones are not indexed. */
const MAX_FEATURES = 320_000;

/** Imported errors by feature, kept in the state of the import because the tracker may be gone later. */
export class LikenessIndex {
  readonly #log: EntryLog<string | null>;
  /** Feature to the only error that has it; null: several have. */
  #features = new Map<string, string | null>();

  constructor(store: EntryStore, key: string) {
    this.#log = new EntryLog(store, `${key}/likeness/`);
  }

  /** Reads the whole index; `add` and `find` work on it. */
  async open(): Promise<this> {
    this.#features = await this.#log.read();
    return this;
  }

  add(feature: string, errorId: string): void {
    const known = this.#features.get(feature);
    if (known === null || known === errorId || (known === undefined && this.#features.size >= MAX_FEATURES)) return;
    const only = known === undefined ? errorId : null;
    this.#features.set(feature, only);
    this.#log.set(feature, only);
  }

  /** Returns the only error with one of the features; null for none and for several. */
  find(features: readonly string[]): string | null {
    const found = new Set(features.map((feature) => this.#features.get(feature)).filter((one) => one !== undefined));
    const [only = null] = found;
    return found.size === 1 ? only : null;
  }

  /** Saves what was added since the last call. */
  save(): Promise<void> {
    return this.#log.save();
  }
}
