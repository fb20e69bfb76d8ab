import type { ImportStore } from '../../domain/ports/stores/import-store.ts';

export type EntryStore = Pick<ImportStore, 'listImportStates' | 'saveImportState'>;

/** Entries of a part; only the last part is written again. */
const PART_ENTRIES = 500;
/** Parts beyond twice those that the entries need, from which on a log is written again. */
const SPARE_PARTS = 4;
/** Name of a part by its number. Parts of earlier versions have one hex digit and come first. */
const partName = (part: number): string => `p${String(part).padStart(6, '0')}`;

/**
 * Entries by name, kept in parts in the state of an import: an entry replaces those of earlier parts. Values are JSON;
 * one that stands for a removed entry is the caller's choice.
 */
export class EntryLog<T> {
  readonly #store: EntryStore;
  readonly #prefix: string;
  /** Entries of the last part, and its number. */
  #last = new Map<string, T>();
  #part = 0;
  readonly #unsaved = new Map<string, T>();

  /** `prefix`: of the keys of the parts; it ends with a slash. */
  constructor(store: EntryStore, prefix: string) {
    this.#store = store;
    this.#prefix = prefix;
  }

  /** Reads all entries. */
  async read(): Promise<Map<string, T>> {
    const entries = new Map<string, T>();
    for (const [key, text] of await this.#store.listImportStates(this.#prefix)) {
      const some = Object.entries(JSON.parse(text) as Record<string, T>);
      for (const [name, value] of some) entries.set(name, value);
      const [, part] = /^p(\d{6})$/.exec(key.slice(this.#prefix.length)) ?? [];
      // A log that was written again has empty parts at its end.
      if (part !== undefined && some.length > 0) [this.#part, this.#last] = [Number(part), new Map(some)];
    }
    return entries;
  }

  /** Notes an entry; `save` writes it. */
  set(name: string, value: T): void {
    this.#unsaved.set(name, value);
  }

  /** Saves what was noted since the last call. */
  async save(): Promise<void> {
    while (this.#unsaved.size > 0) {
      const entries = new Map(this.#last);
      const taken: string[] = [];
      let room = PART_ENTRIES - entries.size;
      for (const [name, value] of this.#unsaved) {
        if (room <= 0) break;
        entries.set(name, value);
        taken.push(name);
        room -= 1;
      }
      if (taken.length === 0) {
        [this.#part, this.#last] = [this.#part + 1, new Map<string, T>()];
        continue;
      }
      await this.#write(this.#part, entries);
      this.#last = entries;
      for (const name of taken) this.#unsaved.delete(name);
    }
  }

  /** Returns true when replaced entries are most of the log, which should be written again. `size`: of all entries. */
  isLong(size: number): boolean {
    return this.#part > 2 * Math.ceil(size / PART_ENTRIES) + SPARE_PARTS;
  }

  /** Writes the whole log again with these entries alone. Killed meanwhile, it has entries of before and after. */
  async rewrite(entries: ReadonlyMap<string, T>): Promise<void> {
    const before = this.#part;
    [this.#part, this.#last] = [0, new Map<string, T>()];
    this.#unsaved.clear();
    for (const [name, value] of entries) this.#unsaved.set(name, value);
    await this.save();
    const first = this.#last.size === 0 ? this.#part : this.#part + 1;
    for (let part = first; part <= before; part += 1) await this.#write(part, new Map());
  }

  #write(part: number, entries: ReadonlyMap<string, T>): Promise<void> {
    return this.#store.saveImportState(this.#prefix + partName(part), JSON.stringify(Object.fromEntries(entries)));
  }
}
