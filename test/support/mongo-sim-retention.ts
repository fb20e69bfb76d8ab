import {
  BLOCK_HEAD,
  BLOCK_SETTLES_MS,
  type BlockContext,
  type BlockHead,
  type deleteUnused,
  type leaveBlocks,
  type unpackSparse,
} from '../../src/storage/mongo/batch/block-removal.ts';
import { storedBodyOf, UNMARK, type packBodies } from '../../src/storage/mongo/batch/packed-block.ts';
import { byId, type BatchCollections } from '../../src/storage/mongo/engine/batch-collections.ts';
import { blockOf } from '../../src/storage/mongo/documents/block-document.ts';
import { eventIdOf } from '../../src/storage/mongo/documents/document-keys.ts';
import {
  UNPACKED,
  WITH_PAYLOAD,
  type EventDocument,
  type SlotDocument,
} from '../../src/storage/mongo/documents/documents.ts';
import type { SimDatabase, SimOptions } from './mongo-sim.ts';
import { eventIdOf as simEventId, PROJECT } from './mongo-sim-records.ts';

/** Code of retention that a world runs. */
export interface RetentionCode {
  readonly leaveBlocks: typeof leaveBlocks;
  readonly unpackSparse: typeof unpackSparse;
  readonly deleteUnused: typeof deleteUnused;
  readonly packBodies: typeof packBodies;
}

export interface RetentionOptions extends Pick<SimOptions, 'random' | 'drawResult' | 'turn'> {
  readonly now: () => number;
}

/** A lease admits one process; a second one continues for a while after it lost the lease. */
const MAX_PROCESSES = 2;
/** Share of the steps before which a process is suspended. */
const SUSPENDED = 0.2;
/** Maximum turns for which a process is suspended; a batch takes about thirty. */
const MAX_TURNS = 80;
/** Ids of events that may lose their payload, two of three; all others must keep it. */
const prunable = new Set(
  Array.from({ length: 30 }, (_, index) => index)
    .filter((id) => id % 3 > 0)
    .map(simEventId),
);

export const isPrunable = ({ _id }: Pick<EventDocument, '_id'>): boolean => prunable.has(eventIdOf(_id));

/** Retention of event bodies as processes that may end after any step. */
export class SimRetention {
  readonly #db: SimDatabase;
  readonly #code: RetentionCode;
  readonly #options: RetentionOptions;
  #processes = 0;
  /** Number of deleted blocks. */
  deleted = 0;
  /** Number of blocks deleted while their batch was open. */
  deletedOpen = 0;

  constructor(db: SimDatabase, code: RetentionCode, options: RetentionOptions) {
    this.#db = db;
    this.#code = code;
    this.#options = options;
    db.onDelete = (name, document) => {
      if (name !== 'eventBlocks') return;
      this.deleted += 1;
      const { s, n } = document as unknown as BlockHead;
      const slot = db.of('slots').get(String(s)) as unknown as SlotDocument | undefined;
      if (slot?.open === true && slot.n === n) this.deletedOpen += 1;
    };
  }

  /** Starts a process with one piece of work, unless two run. */
  start(): void {
    if (this.#processes >= MAX_PROCESSES) return;
    this.#processes += 1;
    let running = true;
    const end = () => {
      if (running) this.#processes -= 1;
      running = false;
    };
    const turn = () => this.#turn();
    const collections = this.#db.connect({ ...this.#options, turn, poison: new Set() }, end);
    void this.#work({ collections, now: this.#options.now }).then(end, end);
  }

  /** Packs all bodies and sweeps all blocks, without faults. */
  async finish(passHour: () => void): Promise<void> {
    const collections = this.#db.connect(
      { random: () => 0, drawResult: () => 'ok', turn: async () => undefined, poison: new Set() },
      () => undefined,
    );
    const context = { collections, now: this.#options.now };
    this.#db.safe();
    await this.#pack(context, () => true);
    passHour();
    await this.#sweep(context);
  }

  /** Waits for a turn; at times for many, because the process is suspended. */
  async #turn(): Promise<void> {
    const { random, turn } = this.#options;
    const pause = random() < SUSPENDED ? random() * MAX_TURNS : 0;
    for (let turns = 0; turns <= pause; turns += 1) await turn();
  }

  #work(context: BlockContext & { readonly collections: BatchCollections }): Promise<unknown> {
    const { random } = this.#options;
    const choice = random();
    if (choice < 0.4) return this.#sweep(context);
    if (choice < 0.6) return this.#pack(context, () => random() < 0.8);
    return this.#remove(context, random() < 0.8);
  }

  /** Looks at all old blocks, as the walk does in parts. */
  async #sweep(context: BlockContext): Promise<void> {
    const old = { t: { $lt: context.now() - BLOCK_SETTLES_MS } };
    const blocks = await context.collections.eventBlocks.find(old, BLOCK_HEAD, 'local');
    await this.#code.deleteUnused(context, blocks as unknown as BlockHead[]);
  }

  async #pack(context: BlockContext, chosen: () => boolean): Promise<void> {
    const { events } = context.collections;
    const rows = (await events.find({ ...UNPACKED, p: PROJECT }, {}, 'local')) as unknown as EventDocument[];
    const some = rows.filter(chosen);
    const bodies = some.flatMap((row) => storedBodyOf(row) ?? []);
    await this.#code.packBodies(context, bodies);
    for (const { _id, p } of some.filter((row) => storedBodyOf(row) === null)) {
      await events.updateEach([{ filter: { _id, p }, update: UNMARK, upsert: false }]);
    }
  }

  async #remove(context: BlockContext, unpack: boolean): Promise<void> {
    const { events } = context.collections;
    const found = (await events.find({ p: PROJECT, ...WITH_PAYLOAD }, {}, 'local')) as unknown as EventDocument[];
    const rows = found.filter((row) => isPrunable(row) && this.#options.random() < 0.8);
    if (rows.length === 0) return;
    const ids = rows.map(({ _id }) => _id).sort(byId);
    const answer = await events.updateMany({ _id: { $in: ids }, p: PROJECT }, { $unset: { d: '', i: '' } });
    if (answer.writeConcernError !== null) return;
    if (!unpack) {
      await this.#code.leaveBlocks(context, rows);
      return;
    }
    const left = rows.flatMap(({ p, d }) => {
      const block = d === undefined ? null : blockOf(p, d);
      return block === null ? [] : [[block.toString('hex'), { _id: block, p }] as const];
    });
    await this.#code.unpackSparse(context, [...new Map(left).values()]);
  }
}
