import { randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDurableDir, readIfThere, replaceDurably } from '../../lib/durable-files.ts';
import { Periodic } from '../../lib/periodic.ts';
import { createPrivateFile } from '../../lib/private-file.ts';
import { within } from '../../lib/within.ts';
import type { PlanFiles } from './batch/plan-file.ts';
import { MongoBatches } from './batch/mongo-batches.ts';
import { batchCollections } from './batch/mongo-collections.ts';
import type { MongoContext } from './context.ts';

/** Milliseconds between two signs of life of the journals that a store writes for. */
const TOUCH_MS = 6000;
/** Milliseconds that the end of a store waits for its last word to be heard; where it is not, time tells the same. */
const LAST_WORD_MS = 1000;

/** Plans hold titles and tags of events: only the owner may read them. */
const planFiles: PlanFiles = {
  makeDir: makeDurableDir,
  readAll: readIfThere,
  replace: replaceDurably,
  remove: (path) => rm(path, { force: true }),
};

/** The batches of the journals in a data dir, from the first use on with signs of life. */
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
    // A sign of life that is not heard is made good by the next one.
    this.#touching = new Periodic({ intervalMs: TOUCH_MS, run: () => batches.touch() });
    this.#touching.start();
    this.#batches = batches;
    return batches;
  }

  /** The last thing that is asked of it. Does not wait long for an absent server. */
  async rest(): Promise<void> {
    await within(
      LAST_WORD_MS,
      () => this.#rest().catch(() => undefined),
      () => undefined,
    );
  }

  /** After a sign that is under way: it would make the journals live again. */
  async #rest(): Promise<void> {
    await this.#touching?.stop();
    await this.#batches?.rest();
  }
}

/**
 * Names a data dir as the owner of its journals: the same as long as the folder lives, on whatever machine
 * its disk is mounted, and another one for a copy of the folder, which gets the text but not the inode.
 */
function dataDirOwner(dataDir: string): string {
  const file = join(dataDir, 'store-owner');
  createPrivateFile(file, randomBytes(16).toString('hex'));
  return `${readFileSync(file, 'utf8').trim()}.${statSync(file).ino}`;
}
