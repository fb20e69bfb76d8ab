/** Rows that are written together. */
const PAGE = 200;

/** Rows of errors or projects that wait to be written together. */
export class Waiting<K, T> {
  #groups = new Map<K, T[]>();
  #count = 0;
  readonly #write: (key: K, rows: readonly T[]) => Promise<void>;

  constructor(write: (key: K, rows: readonly T[]) => Promise<void>) {
    this.#write = write;
  }

  async add(key: K, row: T): Promise<void> {
    const group = this.#groups.get(key) ?? [];
    group.push(row);
    this.#groups.set(key, group);
    this.#count += 1;
    if (this.#count >= PAGE) await this.flush();
  }

  async flush(): Promise<void> {
    const groups = this.#groups;
    this.#groups = new Map();
    this.#count = 0;
    for (const [key, rows] of groups) await this.#write(key, rows);
  }
}
