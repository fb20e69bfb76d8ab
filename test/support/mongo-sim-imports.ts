import assert from 'node:assert/strict';
import type { Doc } from '../../src/storage/mongo/engine/batch-collections.ts';
import type { EventDocument } from '../../src/storage/mongo/documents/documents.ts';
import type { ErrorDocument } from '../../src/storage/mongo/documents/error-documents.ts';
import { errorKey, eventKey, hexBinary } from '../../src/storage/mongo/documents/document-keys.ts';
import type { KnownThereDocument } from '../../src/storage/mongo/documents/import-documents.ts';
import { ownUsers } from '../../src/storage/mongo/merging/members.ts';
import { NO_EVENT_ID } from '../../src/storage/imports/imported-group-hash.ts';
import { keyOf, type SimDatabase } from './mongo-sim.ts';
import { binaryHex, eventIdOf, groupHashHex, PROJECT, type SimRecord } from './mongo-sim-records.ts';
import type { Scenario } from './mongo-sim-scenario.ts';
import type { SimWorld } from './mongo-sim-world.ts';
import { hexId, HOUR, NOON } from './store-data.ts';

/** Group hashes that events of the model have, and imported errors to which they may lead. */
const GROUP_HASHES = [0, 1, 2].map((index) => groupHashHex(`group hash ${index}`));
const IMPORTED = [0, 1].map((index) => hexId(`imported ${index}`));
const NO_EVENT = hexBinary(NO_EVENT_ID);

/** People and imports that change aliases, bases and marks while gateways work. */
export class SimImports {
  readonly #db: SimDatabase;
  /** Group hashes that led to imported errors at some time, each with its errors. */
  readonly #led = new Map<string, Set<string>>();
  /** Keys of marks that have not looked for their event yet. */
  readonly #pending = new Set<string>();

  constructor(db: SimDatabase) {
    this.#db = db;
  }

  begin(): void {
    this.#db.of('projects').set(String(PROJECT), { _id: PROJECT, imports: true, marksSince: 0 });
    for (const [index, groupHash] of IMPORTED.entries()) {
      const _id = errorKey(PROJECT, groupHash);
      const last = { at: NOON + 90 * HOUR, id: NO_EVENT, release: null, title: 'there', q: 'there' };
      const row = {
        ...{ _id, p: PROJECT, id: 1_000_000 + index, v: 0, st: 0, c: 10, u: 1, k: 0, rcv: 0, res: null, into: null },
        first: { at: NOON - HOUR, id: NO_EVENT, release: null },
        last,
        imp: { b: 10, bu: 1, uo: 0 },
        w: {},
      };
      this.#db.of('errors').set(keyOf(row), row);
    }
  }

  /** Changes something in about half of the turns, in scenarios with imports. */
  takeTurn(random: () => number, { imports, journals }: Pick<Scenario, 'imports' | 'journals'>): boolean {
    if (!imports || random() < 0.5) return false;
    this.#changeSomething(random, journals.flat());
    return true;
  }

  /** Adds or ends an alias, takes a base, marks an event, or lets the tracker get all events until some time. */
  #changeSomething(random: () => number, records: readonly SimRecord[]): void {
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
    const choice = Math.floor(random() * 10);
    if (choice < 4) this.#addAlias(pick(GROUP_HASHES), pick(IMPORTED));
    else if (choice === 4) this.#endAlias(pick(GROUP_HASHES));
    else if (choice === 5) this.#setBase(pick(IMPORTED), Math.floor(random() * 20));
    else if (choice === 6) this.#getAll(NOON + Math.floor(random() * 7000));
    else if (choice === 7) this.settle();
    else this.#mark(eventIdOf(pick(records).id));
  }

  /** True when events with a group hash may be counted under another one. */
  mayCount(counted: string, own: string): boolean {
    return counted === own || this.#led.get(own)?.has(counted) === true;
  }

  /** Number of events that imported errors count. */
  joined(): number {
    return this.#imported().reduce((sum, { k }) => sum + k, 0);
  }

  /** Lets the marks look for their events, as they do after they were written. */
  settle(): void {
    for (const key of this.#pending) {
      const event = this.#db.majority('events').get(key) as unknown as EventDocument | undefined;
      const mark = this.#db.of('knownThere').get(key);
      if (event !== undefined && mark?.l === null) this.#put('knownThere', { ...mark, l: event.l, r: event.r });
    }
    this.#pending.clear();
  }

  #imported(): ErrorDocument[] {
    return IMPORTED.flatMap((groupHash) => {
      const row = this.#db.of('errors').get(keyOf({ _id: errorKey(PROJECT, groupHash) }));
      return row === undefined ? [] : [row as unknown as ErrorDocument];
    });
  }

  #put(name: string, document: Doc): void {
    this.#db.of(name).set(keyOf(document), document);
    this.#db.safe();
  }

  #addAlias(groupHash: string, target: string): void {
    const _id = errorKey(PROJECT, groupHash);
    const led = this.#led.get(groupHash) ?? new Set();
    this.#led.set(groupHash, led.add(target));
    this.#put('groupAliases', { _id, p: PROJECT, l: hexBinary(target), v: 1, end: null });
  }

  #endAlias(groupHash: string): void {
    const alias = this.#db.of('groupAliases').get(keyOf({ _id: errorKey(PROJECT, groupHash) }));
    if (alias !== undefined) this.#put('groupAliases', { ...alias, end: 1 });
  }

  /** Changes base and total as the store does: in one step, without a look at the events counted meanwhile. */
  #setBase(groupHash: string, base: number): void {
    const row = this.#db.of('errors').get(keyOf({ _id: errorKey(PROJECT, groupHash) })) as unknown as ErrorDocument;
    const { b = 0, bu = 0, uo = 0 } = row.imp ?? {};
    // Users of a tracker never become fewer.
    const users = Math.max(base % 3, bu ?? 0);
    this.#put('errors', {
      ...row,
      c: row.c - b + base,
      u: Math.max(users, uo),
      imp: { ...row.imp, b: base, bu: users, uo },
    });
  }

  #getAll(until: number): void {
    this.#put('projects', { _id: PROJECT, imports: true, marksSince: 0, knownUntil: until });
  }

  #mark(eventId: string): void {
    const _id = eventKey(PROJECT, eventId);
    const key = keyOf({ _id });
    if (!this.#db.of('knownThere').has(key)) this.#put('knownThere', { _id, p: PROJECT, l: null, r: null, t: 0 });
    this.#pending.add(key);
  }
}

/** Compares what imported errors show, and what is known to their tracker, with the stored events. */
export function checkImports(world: SimWorld): void {
  world.imports.settle();
  const events = [...world.db.of('events').values()] as unknown as EventDocument[];
  for (const error of [...world.db.of('errors').values()] as unknown as ErrorDocument[]) {
    const own = events.filter(({ l }) => binaryHex(errorKey(PROJECT, binaryHex(l))) === binaryHex(error._id));
    assert.equal(error.kb ?? 0, own.filter(({ kt }) => kt === 1).length, 'events known by time');
    if (error.imp !== undefined) {
      assert.equal(error.u, Math.max(ownUsers(error), error.imp.bu ?? 0), 'users that an imported error shows');
    }
  }
  for (const mark of [...world.db.of('knownThere').values()] as unknown as KnownThereDocument[]) {
    const event = events.find(({ _id }) => binaryHex(_id) === binaryHex(mark._id));
    assert.equal(mark.l === null ? null : binaryHex(mark.l), event === undefined ? null : binaryHex(event.l), 'a mark');
  }
}
