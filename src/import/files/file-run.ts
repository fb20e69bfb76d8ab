import { hash } from 'node:crypto';
import type { ImportStore } from '../../domain/ports/stores/import-store.ts';

export type FileRunStore = Pick<ImportStore, 'importState' | 'saveImportState'>;

/** How far an import from a file is. */
interface FileState {
  readonly version: 1;
  /** SHA-256 of the file, or of the manifest. */
  readonly file: string;
  finished: boolean;
  /** Rows of events that were read and written. */
  events: number;
  /** Inactive key that is being created; null: none. */
  inactiveKey: string | null;
}

/** Import from a file, whose state in the store lets a further run continue after a kill. */
export class FileRun {
  readonly #store: FileRunStore;
  readonly #key: string;
  readonly #state: FileState;
  /** True: an earlier run of any file of this source did not finish. */
  readonly resumed: boolean;

  private constructor(store: FileRunStore, key: string, state: FileState, resumed: boolean) {
    this.#store = store;
    this.#key = key;
    this.#state = state;
    this.resumed = resumed;
  }

  /** `file`: SHA-256 of the content. A finished import of the same file begins again. */
  static async open(store: FileRunStore, key: string, file: string): Promise<FileRun> {
    const text = await store.importState(key);
    const before = text === null ? null : (JSON.parse(text) as FileState);
    const resumed = before?.version === 1 && !before.finished;
    const events = resumed && before.file === file ? before.events : 0;
    const inactiveKey = before?.version === 1 ? before.inactiveKey : null;
    const run = new FileRun(store, key, { version: 1, file, finished: false, events, inactiveKey }, resumed);
    await run.#save();
    return run;
  }

  get events(): number {
    return this.#state.events;
  }

  get inactiveKey(): string | null {
    return this.#state.inactiveKey;
  }

  async eventsDone(rows: number): Promise<void> {
    this.#state.events = rows;
    await this.#save();
  }

  /** Notes a key before it is created, so that an import that is killed does not leave it active. */
  async noteInactiveKey(key: string | null): Promise<void> {
    this.#state.inactiveKey = key;
    await this.#save();
  }

  async finish(): Promise<void> {
    this.#state.finished = true;
    await this.#save();
  }

  #save(): Promise<void> {
    return this.#store.saveImportState(this.#key, JSON.stringify(this.#state));
  }
}

/** Returns the key of the state, and of the lease, of imports from a source by files. */
export function fileRunKey(source: string, projects: readonly string[]): string {
  return `file-import:${hash('sha256', [source, ...projects].join('|'), 'hex').slice(0, 24)}`;
}
