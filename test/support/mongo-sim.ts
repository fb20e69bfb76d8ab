import { mongo } from 'mongoose';
import {
  BATCH_COLLECTIONS,
  byId,
  type BatchCollection,
  type BatchCollections,
  type Doc,
  type UpdateOne,
  type WriteAnswer,
  type WriteError,
} from '../../src/storage/mongo/engine/batch-collections.ts';
import { clone, compare, keyOf as keyOfId, projected, seedOf, select, updated } from './mongo-sim-query.ts';

type Data = Map<string, Map<string, Doc>>;
type Step = () => { error: Omit<WriteError, 'index'> | null; kind: 'inserted' | 'matched' | 'upserted' | 'none' };

/** Outcome of an operation. `crash…`: the sending process gets no response. */
export type SimResult =
  | 'ok'
  | 'crash_before'
  | 'crash_after'
  | 'lost'
  | 'unanswered'
  | 'late'
  | 'partly'
  | 'concern'
  | 'race'
  | 'busy'
  | 'never';

export interface SimOptions {
  /** Draws the outcome of an operation. */
  readonly drawResult: (write: boolean, size: number) => SimResult;
  /** Waits for the operation's turn among all processes. */
  readonly turn: () => Promise<void>;
  /** Random number from 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number;
  /** Ids (hex) of events that the database always refuses. */
  readonly poison: ReadonlySet<string>;
}

/**
 * In-memory database with the faults of real ones: lost answers, late and partial writes, refused operations.
 * Failovers after write-concern errors undo writes.
 */
export class SimDatabase {
  data: Data = new Map(BATCH_COLLECTIONS.map((name) => [name, new Map<string, Doc>()]));
  /** State after a failover; null when all writes have reached a majority. */
  #safe: Data | null = null;
  readonly late: (() => void)[] = [];
  /** Whether the primary steps down before the next operation. */
  doomed = false;
  /** Number of unsorted bulks; two concurrent ones would deadlock. */
  deadlocks = 0;

  /** Called before a document is deleted. */
  onDelete: (name: string, document: Doc) => void = () => undefined;

  of(name: string): Map<string, Doc> {
    return this.data.get(name)!;
  }

  /** Undoes the writes that have not reached a majority. */
  failOver(): void {
    this.doomed = false;
    if (this.#safe !== null) {
      this.data = this.#safe;
      this.#safe = null;
    }
  }

  unsafe(): void {
    this.#safe ??= new Map([...this.data].map(([name, documents]) => [name, new Map(documents)]));
  }

  safe(): void {
    this.#safe = null;
  }

  majority(name: string): Map<string, Doc> {
    return (this.#safe ?? this.data).get(name)!;
  }

  /** Collections for one process. `crashed` is called when an operation ends the process. */
  connect(options: SimOptions, crashed: () => void): BatchCollections {
    return Object.fromEntries(
      BATCH_COLLECTIONS.map((name) => [name, new SimCollection(this, name, options, crashed)]),
    ) as unknown as BatchCollections;
  }
}

class SimCollection implements BatchCollection {
  readonly #db: SimDatabase;
  readonly #name: string;
  readonly #options: SimOptions;
  readonly #crashed: () => void;

  constructor(db: SimDatabase, name: string, options: SimOptions, crashed: () => void) {
    this.#db = db;
    this.#name = name;
    this.#options = options;
    this.#crashed = crashed;
  }

  insertMany(documents: readonly Doc[]): Promise<WriteAnswer> {
    this.#demandOrder(documents);
    return this.#write(
      documents.map((document) => () => {
        if (this.#options.poison.has(keyOf(document).slice(8)) && this.#name === 'events') {
          return { error: { code: 121, message: 'Document failed validation' }, kind: 'none' };
        }
        return this.#insert(document, 'inserted');
      }),
    );
  }

  updateEach(operations: readonly UpdateOne[]): Promise<WriteAnswer> {
    this.#demandOrder(operations.map(({ filter }) => filter));
    return this.#write(
      operations.map((operation) => () => this.#update(operation)),
      operations,
    );
  }

  updateMany(filter: Doc, update: Doc | Doc[]): Promise<WriteAnswer> {
    return this.#write([
      () => {
        for (const document of select(this.#documents(), filter)) {
          this.#documents().set(keyOf(document), updated(document, update, false));
        }
        return { error: null, kind: 'none' };
      },
    ]);
  }

  deleteMany(filter: Doc): Promise<WriteAnswer> {
    return this.#write([
      () => {
        for (const document of select(this.#documents(), filter)) {
          this.#db.onDelete(this.#name, document);
          this.#documents().delete(keyOf(document));
        }
        return { error: null, kind: 'none' };
      },
    ]);
  }

  async findOneAndUpdate(filter: Doc, update: Doc, upsert: boolean): Promise<Doc | 'duplicate' | null> {
    let found: Doc | null = null;
    const answer = await this.#write([
      () => {
        const result = this.#update({ filter, update, upsert });
        const after = [...this.#documents().values()].find((each) => each === this.#touched);
        found = result.kind === 'none' ? null : clone(after ?? null);
        return result;
      },
    ]);
    if (answer.writeConcernError !== null || answer.writeErrors.some(({ code }) => code !== 11000)) {
      throw new Error('write concern error, or the server is busy');
    }
    return answer.writeErrors.length > 0 ? 'duplicate' : found;
  }

  async find(
    filter: Doc,
    projection: Doc,
    concern: 'majority' | 'local',
    _name?: string,
    limit?: number,
  ): Promise<Doc[]> {
    await this.#turn();
    const drawn = this.#options.drawResult(false, 1);
    if (drawn === 'crash_before' || drawn === 'crash_after') {
      this.#crashed();
      return neverSettles();
    }
    if (drawn !== 'ok') {
      throw new Error('timed out');
    }
    const documents = concern === 'majority' ? this.#db.majority(this.#name) : this.#documents();
    return select(documents, filter)
      .slice(0, limit)
      .map((document) => projected(document, projection));
  }

  async #write(given: readonly Step[], updates: readonly UpdateOne[] = []): Promise<WriteAnswer> {
    await this.#turn();
    const { drawResult, random } = this.#options;
    const db = this.#db;
    let steps = given;
    let drawn = drawResult(true, steps.length);
    if (drawn === 'race' && updates.length > 0) {
      // Upserts without a match insert a moment later, when another writer may have inserted the row.
      const absent = updates.map(({ filter, upsert }) => upsert && select(this.#documents(), filter).length === 0);
      await this.#turn();
      steps = updates.map((operation, index) => () => {
        const { filter, update } = operation;
        return absent[index] === true
          ? this.#insert(updated(seedOf(filter), update, true), 'upserted')
          : this.#update(operation);
      });
      drawn = 'ok';
    }
    switch (drawn) {
      case 'crash_before':
        this.#crashed();
        return neverSettles();
      case 'crash_after':
        db.unsafe();
        run(steps);
        this.#crashed();
        return neverSettles();
      case 'lost':
        throw new Error('timed out');
      case 'late':
        db.late.push(() => run(steps));
        throw new Error('timed out');
      case 'unanswered':
        db.unsafe();
        run(steps);
        throw new Error('timed out');
      case 'partly': {
        const [now, later] = [steps.filter(() => random() < 0.5), steps.filter(() => random() < 0.5)];
        db.unsafe();
        run(now);
        later.forEach((step) => db.late.push(step));
        throw new Error('timed out');
      }
      case 'concern':
        db.unsafe();
        db.doomed = random() < 0.5;
        return { ...run(steps), writeConcernError: 'waiting for replication timed out' };
      case 'busy':
      case 'never': {
        const code = drawn === 'busy' ? 11602 : 121;
        const unlucky = Math.floor(random() * steps.length);
        const answer = run(
          steps.map((step, index) =>
            index === unlucky ? () => ({ error: { code, message: 'refused' }, kind: 'none' }) : step,
          ),
        );
        return answer;
      }
      case 'race':
      case 'ok': {
        const answer = run(steps);
        db.safe();
        return answer;
      }
    }
  }

  #touched: Doc | null = null;

  async #turn(): Promise<void> {
    await this.#options.turn();
    if (this.#db.doomed) {
      this.#db.failOver();
    }
  }

  #documents(): Map<string, Doc> {
    return this.#db.of(this.#name);
  }

  #update({ filter, update, upsert }: UpdateOne): ReturnType<Step> {
    const [document] = select(this.#documents(), filter);
    if (document !== undefined) {
      return this.#put(updated(document, update, false), 'matched');
    }
    return upsert ? this.#insert(updated(seedOf(filter), update, true), 'upserted') : { error: null, kind: 'none' };
  }

  #insert(document: Doc, kind: 'inserted' | 'upserted'): ReturnType<Step> {
    return this.#documents().has(keyOf(document)) ? duplicate : this.#put(document, kind);
  }

  #put(document: Doc, kind: 'inserted' | 'matched' | 'upserted'): ReturnType<Step> {
    const { j } = document;
    const holder =
      this.#name !== 'slots' || j === undefined
        ? undefined
        : [...this.#documents().values()].find((each) => each.j === j && compare(each._id, document._id) !== 0);
    if (holder !== undefined) {
      return duplicate;
    }
    this.#touched = clone(document);
    this.#documents().set(keyOf(document), this.#touched);
    return { error: null, kind };
  }

  #demandOrder(documents: readonly Doc[]): void {
    const ids = documents.map(({ _id }) => _id).filter((id) => id instanceof mongo.Binary);
    this.#db.deadlocks += ids.some((id, index) => index > 0 && byId(ids[index - 1]!, id) > 0) ? 1 : 0;
  }
}

const duplicate = { error: { code: 11000, message: 'E11000 duplicate key' }, kind: 'none' } as const;

/** Pending promise without shared references, so that it is collected together with its waiters. */
function neverSettles(): Promise<never> {
  return new Promise(() => undefined);
}

export function keyOf({ _id }: Doc): string {
  return keyOfId(_id);
}

function run(steps: readonly Step[]): WriteAnswer {
  const results = steps.map((step) => step());
  const count = (kind: string) => results.filter((result) => result.kind === kind).length;
  return {
    inserted: count('inserted'),
    matched: count('matched'),
    upserted: count('upserted'),
    writeErrors: results.flatMap(({ error }, index) => (error === null ? [] : [{ index, ...error }])),
    writeConcernError: null,
  };
}
