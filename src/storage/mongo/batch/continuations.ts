import type { Continuation } from '../../../domain/ingest/continuation.ts';
import { continuations as kind } from '../../records/kinds/grouping-kinds.ts';
import { recordKey } from '../documents/record-documents.ts';
import type { BatchCollections, Doc } from '../engine/batch-collections.ts';
import { duplicatesIn } from './answers.ts';

interface Stored extends Continuation {
  readonly _id: string;
}

/** Which mapped events go on with others, as far as the events of a batch need to know. Lives for one batch. */
export class Continuations {
  readonly #collections: Pick<BatchCollections, 'continuations'>;
  readonly #kept = new Map<string, string>();
  readonly #wanted = new Map<string, Stored>();

  constructor(collections: Pick<BatchCollections, 'continuations'>) {
    this.#collections = collections;
  }

  /** Returns the group hash of the mapped events that go on, stored or wanted; undefined: no event needed it yet. */
  mappedHashOf(projectId: number, groupHash: string): string | undefined {
    const key = keyOf({ projectId, groupHash });
    return this.#kept.get(key) ?? this.#wanted.get(key)?.mappedHash;
  }

  /** Notes a row to store, unless there is one. */
  want({ projectId, groupHash, mappedHash }: Continuation): void {
    const _id = keyOf({ projectId, groupHash });
    if (!this.#kept.has(_id)) this.#wanted.set(_id, { _id, projectId, groupHash, mappedHash });
  }

  /**
   * Stores the wanted rows. Of several gateways that store the same one, the first decides. True: there were some, so
   * events have to be looked at again.
   */
  async keepWanted(): Promise<boolean> {
    const rows = [...this.#wanted.values()].sort((a, b) => (a._id < b._id ? -1 : 1));
    this.#wanted.clear();
    if (rows.length === 0) return false;
    const { continuations } = this.#collections;
    const answer = await continuations.insertMany(rows as unknown as Doc[], 'continuations.keep');
    const refused = new Set(duplicatesIn(answer).map((index) => rows[index]?._id));
    for (const { _id, mappedHash } of rows) if (!refused.has(_id)) this.#kept.set(_id, mappedHash);
    if (refused.size === 0) return true;
    // A row that is gone meanwhile is wanted again.
    const others = { _id: { $in: [...refused] } };
    const found = await continuations.find(others, { mappedHash: 1 }, 'local', 'continuations.of_batch');
    for (const { _id, mappedHash } of found) this.#kept.set(_id as string, mappedHash as string);
    return true;
  }
}

const keyOf = (key: Pick<Continuation, 'projectId' | 'groupHash'>): string => String(recordKey(kind, key));
