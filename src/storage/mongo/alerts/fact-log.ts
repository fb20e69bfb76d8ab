import type { NewFact } from '../../../domain/alerts/alert-fact.ts';
import { confirmedCollections, duplicatesIn, unconfirmed } from '../batch/answers.ts';
import { byId, type BatchCollections, type Doc, type UpdateOne } from '../engine/batch-collections.ts';
import { projectIdOf, type Binary } from '../documents/document-keys.ts';
import { WITH_FACTS, type ErrorDocument } from '../documents/error-documents.ts';
import type { ControlDocument } from '../documents/command-documents.ts';
import { markErrors } from './mark-errors.ts';
import { factDocument, WITHOUT_PLACE, type FactDocument } from '../documents/alert-documents.ts';

/** Maximum facts that get their places in one step, and that one call moves. */
const MAX_FACTS = 1000;
/** Maximum attempts of one call beside other gateways that add facts. */
const ATTEMPTS = 50;
/** `_id` of the head of the log. */
export const HEAD = 'facts';

type Head = Required<Pick<ControlDocument, 'version' | 'last'>> & Pick<ControlDocument, 'placing'>;
type Pending = Pick<ErrorDocument, '_id' | 'p' | 'id' | 'pf'>;
type Waiting = Pick<FactDocument, '_id' | 'p' | 'e' | 'added' | 'o' | 'fact'>;

/**
 * Log of facts. Facts are inserted without a place, under keys that are made of their ids, so that each is stored once,
 * however often and late it is inserted. Then a compare-and-set of one document, the head, names the facts that get the
 * next places. A process that reads it, now or after a crash, writes the same places, each once, and only then moves the head
 * on. Readers see places up to the head, so none appears below those that they have passed. Several gateways at once are
 * right too.
 */
export class FactLog {
  readonly #collections: BatchCollections;
  readonly #now: () => number;

  constructor(collections: BatchCollections, now: () => number) {
    this.#collections = confirmedCollections(collections);
    this.#now = now;
  }

  /** Moves facts from their errors to the log; returns their number, at most about MAX_FACTS. */
  async collect(): Promise<number> {
    const moved = await this.#move();
    return Math.max(moved, await this.place());
  }

  /** Inserts facts of projects that exist, in their order, without a place; returns the number of unknown ones. */
  async insert(facts: readonly NewFact[]): Promise<number> {
    if (facts.length === 0) return 0;
    const added = this.#now();
    const ids = new Set<string>();
    const unique = facts.filter(({ id }) => ids.size < ids.add(id).size);
    const rows = unique.map((fact, order) => factDocument(fact, added, order)).sort((a, b) => byId(a._id, b._id));
    const answer = await this.#collections.alertFacts.insertMany(rows as unknown as Doc[], 'facts.insert');
    return rows.length - duplicatesIn(answer).length;
  }

  /** Gives facts without a place the next ones, at most MAX_FACTS; returns their number. */
  async place(): Promise<number> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const head = await this.#head();
      if (head.placing !== undefined) {
        await this.#finish(head, head.placing);
        continue;
      }
      const waiting = await this.#waiting();
      if (waiting.length === 0) return 0;
      await markErrors(this.#collections.errors, waiting);
      const keys = waiting.map(({ _id }) => _id);
      const opened = { placing: keys, version: head.version + 1, last: head.last };
      if (!(await this.#change(head, { $set: { placing: keys }, $inc: { version: 1 } }))) continue;
      await this.#finish(opened, keys);
      return keys.length;
    }
    throw unconfirmed('other gateways keep adding facts');
  }

  /** Inserts facts that wait in errors, then removes them there: a crash in between repeats both. */
  async #move(): Promise<number> {
    const { errors } = this.#collections;
    const projection = { p: 1, id: 1, pf: 1 };
    // A failover may take back what is newer, and a delayed insert would remain.
    const found = await errors.find(WITH_FACTS, projection, 'majority', 'errors.pending', MAX_FACTS);
    const rows: Pending[] = [];
    const facts: NewFact[] = [];
    for (const row of found as unknown as Pending[]) {
      const { p, id, pf = [] } = row;
      if (facts.length > 0 && facts.length + pf.length > MAX_FACTS) break;
      rows.push(row);
      facts.push(...pf.map((fact) => ({ ...fact, projectId: p, errorId: String(id) })));
    }
    if (rows.length === 0) return 0;
    rows.sort((a, b) => byId(a._id, b._id));
    await this.insert(facts.sort((a, b) => a.at - b.at || Number(a.errorId) - Number(b.errorId)));
    await this.#update(
      rows.map(({ _id, p, pf = [] }) => ({
        filter: { _id, p },
        update: { $pull: { pf: { id: { $in: pf.map(({ id }) => id) } } } },
        upsert: false,
      })),
    );
    // Another fact may have come meanwhile.
    const done = { $unset: { pf: '', pn: '' } };
    await this.#update(rows.map(({ _id, p }) => ({ filter: { _id, p, pf: [] }, update: done, upsert: false })));
    return facts.length;
  }

  async #update(operations: readonly UpdateOne[]): Promise<void> {
    duplicatesIn(await this.#collections.errors.updateEach(operations, 'errors.collect'));
  }

  /** Returns facts without a place, the oldest of them first. */
  async #waiting(): Promise<Waiting[]> {
    const projection = { added: 1, o: 1, p: 1, e: 1, fact: 1 };
    const { alertFacts } = this.#collections;
    const rows = (await alertFacts.find(
      WITHOUT_PLACE,
      projection,
      'majority',
      'facts.waiting',
      MAX_FACTS,
    )) as unknown as Waiting[];
    return [...rows].sort((a, b) => a.added - b.added || a.o - b.o || byId(a._id, b._id));
  }

  /** Reads what no failover takes back: others give places by it. */
  async #head(): Promise<Head> {
    const { control } = this.#collections;
    const find = async () => (await control.find({ _id: HEAD }, {}, 'majority', 'facts.head')) as unknown as Head[];
    const [head] = await find();
    if (head !== undefined) return head;
    duplicatesIn(await control.insertMany([{ _id: HEAD, version: 0, last: 0 }], 'facts.head'));
    const [made] = await find();
    if (made === undefined) throw unconfirmed('the head of the log was not stored');
    return made;
  }

  async #change({ version }: Pick<Head, 'version'>, update: Doc): Promise<boolean> {
    const filter = { _id: HEAD, version };
    const answer = await this.#collections.control.updateEach([{ filter, update, upsert: false }], 'facts.head');
    duplicatesIn(answer);
    return answer.matched > 0;
  }

  /** Writes the places that the head names, and moves it on. Repeats and delayed writes change nothing. */
  async #finish(head: Head, keys: readonly Binary[]): Promise<void> {
    const places = keys.map((_id, index) => ({
      filter: { _id, p: projectIdOf(_id), ...WITHOUT_PLACE },
      update: { $set: { seq: head.last + 1 + index }, $unset: { w: '' } },
      upsert: false,
    }));
    places.sort((a, b) => byId(a.filter._id, b.filter._id));
    duplicatesIn(await this.#collections.alertFacts.updateEach(places, 'facts.place'));
    const last = head.last + keys.length;
    await this.#change(head, { $set: { last }, $unset: { placing: '' }, $inc: { version: 1 } });
  }
}
