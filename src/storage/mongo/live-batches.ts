import { randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDurableDir, readIfThere, replaceDurably } from '../../lib/durable-files.ts';
import { Periodic } from '../../lib/periodic.ts';
import { createPrivateFile } from '../../lib/private-file.ts';
import { within } from '../../lib/within.ts';
import type { PlanFiles } from './batch/plan/plan-file.ts';
import { MongoBatches } from './batch/mongo-batches.ts';
import { batchCollections } from './batch/mongo-collections.ts';
import type { MongoContext } from './engine/context.ts';

/** Milliseconds between two heartbeats of the journals that a store writes for. */
const TOUCH_MS = 6000;
/** Maximum milliseconds to wait for the final heartbeat; without it the journals time out. */
const FINAL_HEARTBEAT_MS = 1000;

/** Files of plans, readable by the owner only: they contain titles and tags of events. */
const planFiles: PlanFiles = {
  makeDir: makeDurableDir,
  readAll: readIfThere,
  replace: replaceDurably,
  remove: (path) => rm(path, { force: true }),
};

/** Batches of the journals in a data dir, with heartbeats from the first use on. */
export class LiveBatches {
  readonly #context: MongoContext;
  readonly #dataDir: string;
  #batches: MongoBatches | null = null;
  #touching: Periodic | null = null;

  constructor(context: MongoContext, dataDir: string) {
    this.#context = context;
    this.#dataDir = dataDir;
  }

  open(): MongoBatches {
    if (this.#batches !== null) return this.#batches;
    const batches = new MongoBatches({
      collections: batchCollections(this.#context.connection),
      planFiles,
      planDir: join(this.#dataDir, 'plans'),
      owner: dataDirOwner(this.#dataDir),
      now: this.#context.now,
    });
    // The next heartbeat makes up for a lost one.
    this.#touching = new Periodic({ intervalMs: TOUCH_MS, run: () => batches.touch() });
    this.#touching.start();
    this.#batches = batches;
    return batches;
  }

  /** Marks the journals as idle; must be the last call. Waits at most `FINAL_HEARTBEAT_MS` for an absent server. */
  async rest(): Promise<void> {
    await within(
      FINAL_HEARTBEAT_MS,
      () => this.#rest().catch(() => undefined),
      () => undefined,
    );
  }

  /** Waits for a running heartbeat first, which would make the journals active again. */
  async #rest(): Promise<void> {
    await this.#touching?.stop();
    await this.#batches?.rest();
  }
}

/**
 * Returns the id of a data dir as the owner of its journals. It stays the same while the folder exists, on any machine.
 * A copy of the folder gets another one: it has the text but not the inode.
 */
function dataDirOwner(dataDir: string): string {
  const file = join(dataDir, 'store-owner');
  createPrivateFile(file, randomBytes(16).toString('hex'));
  return `${readFileSync(file, 'utf8').trim()}.${statSync(file).ino}`;
}
