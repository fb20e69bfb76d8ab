import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import { openStore } from '../../src/storage/open/open-store.ts';
import { callErrgate } from './cli-call.ts';
import type { ProcessStore, StoreKind } from './test-stores.ts';

/** Store and data dir of commands. */
export class CommandPlace {
  readonly dataDir: string;
  readonly #process: ProcessStore;
  store: Store | null = null;

  constructor(kind: StoreKind, folder: string, name: string) {
    this.dataDir = join(folder, name);
    this.#process = kind.forProcesses();
  }

  run(...args: string[]) {
    return callErrgate(args, { ...this.#process.env, ERRGATE_DATA_DIR: this.dataDir });
  }

  async done(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(...args);
    assert.equal(code, 0, stderr);
    return stdout;
  }

  async open(): Promise<Store> {
    this.store ??= await openStore({ url: this.#process.env['ERRGATE_STORE_URL'] ?? 'sqlite:', dataDir: this.dataDir });
    return this.store;
  }

  async remove(): Promise<void> {
    await this.store?.close();
    await this.#process.remove();
  }
}
