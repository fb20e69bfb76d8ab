import { hash } from 'node:crypto';
import type { ImportStore } from '../../domain/ports/stores/import-store.ts';

export type InactiveKeyStore = Pick<ImportStore, 'importState' | 'saveImportState'>;

/** Inactive key that is being created, noted before, so that an import that is killed does not leave it active. */
export class InactiveKey {
  readonly #store: InactiveKeyStore;
  readonly #stateKey: string;
  #value: string | null;

  private constructor(store: InactiveKeyStore, stateKey: string, value: string | null) {
    this.#store = store;
    this.#stateKey = stateKey;
    this.#value = value;
  }

  /** Reads what a killed import of the same file has left. `content`: SHA-256 of the file. */
  static async open(store: InactiveKeyStore, content: string): Promise<InactiveKey> {
    const stateKey = `file-import:${hash('sha256', `sentry|${content}`, 'hex').slice(0, 24)}`;
    const text = await store.importState(stateKey);
    const before = text === null ? null : (JSON.parse(text) as { readonly inactiveKey: string | null });
    return new InactiveKey(store, stateKey, before?.inactiveKey ?? null);
  }

  /** Null: none. */
  get value(): string | null {
    return this.#value;
  }

  async note(key: string | null): Promise<void> {
    this.#value = key;
    await this.#store.saveImportState(this.#stateKey, JSON.stringify({ version: 1, inactiveKey: key }));
  }
}
