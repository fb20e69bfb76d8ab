import assert from 'node:assert/strict';
import type { EventDocument, OutcomeDocument, SlotDocument } from '../../src/storage/mongo/documents/documents.ts';
import type {
  ErrorDocument,
  ErrorHoursDocument,
  ErrorTagsDocument,
} from '../../src/storage/mongo/documents/error-documents.ts';
import { STATUS_CODES } from '../../src/storage/errors/error-status.ts';
import { errorKey, errorUserKey, eventKey } from '../../src/storage/mongo/documents/document-keys.ts';
import { attributesOf, binaryHex, eventIdOf, PROJECT, variantOf, type SimEvent } from './mongo-sim-records.ts';
import type { Scenario } from './mongo-sim-scenario.ts';
import { checkBodies } from './mongo-sim-bodies.ts';
import { checkImports } from './mongo-sim-imports.ts';
import { ownUsers } from '../../src/storage/mongo/merging/members.ts';
import { sumProgress } from '../../src/storage/merge/group.ts';
import { statusEnd } from '../../src/storage/state/status-end.ts';
import { memberProgressOf, progressOf } from '../../src/storage/mongo/updates/status-members.ts';
import { isEnded, type Decision } from './mongo-sim-states.ts';
import { checkMapped, mayCount } from './mongo-sim-mapped.ts';
import { checkSessions } from './mongo-sim-sessions.ts';
import type { SimWorld } from './mongo-sim-world.ts';
import { HOUR } from './store-data.ts';

/** Minimal model of an error: a list of its events, each counted once. */
export interface PlainError {
  count: number;
  readonly users: Set<string>;
  first: SimEvent;
  last: SimEvent;
  received: number;
  readonly events: SimEvent[];
  readonly hours: Map<string, number>;
}

/** Compares the final database with a model without crashes, gateways and batches. */
export function checkWorld(world: SimWorld, scenario: Scenario): void {
  const { db } = world;
  assert.equal(db.deadlocks, 0, 'a bulk was not sorted');
  const events = all<EventDocument>(world, 'events');
  const stored = new Map(events.map((event) => [binaryHex(event._id), event]));
  const records = scenario.journals.flat().filter(({ id }) => !scenario.poison.includes(id));
  const plain = new Map<string, PlainError>();
  const ids = new Set(records.map(({ id }) => id));
  for (const id of ids) {
    const event = stored.get(binaryHex(eventKey(PROJECT, eventIdOf(id))));
    assert.ok(event !== undefined || world.pruned.has(id), `event ${id} is lost`);
    const own = records.find((record) => record.id === id)!;
    const variant = event === undefined ? own.variant : variantOf(id, event.at);
    const attributes = attributesOf({ ...own, variant });
    if (event !== undefined) {
      assert.equal(event.r, attributes.receivedAt, 'a mixed event');
      const groupHash = binaryHex(event.l);
      assert.ok(mayCount(world, groupHash, attributes), 'an event of another error');
      addPlain(plain, { ...attributes, groupHash });
      continue;
    } else if (scenario.upgrades) {
      continue;
    }
    addPlain(plain, attributes);
  }
  assert.equal(stored.size, [...stored.keys()].filter((key) => isKnown(key, ids)).length, 'an event from nowhere');
  // A pruned key no longer determines the stored event; then only the sums must agree.
  if (!(scenario.upgrades && world.pruned.size > 0)) {
    checkErrors(world, plain, scenario.merges);
  }
  checkTogether(world, scenario);
  checkSessions(db, records);
  checkMerged(world);
  checkImports(world);
  checkMapped(world, records);
  checkOutcomes(world, scenario, ids.size);
  if (scenario.blocks) {
    checkBodies(world);
  }
  for (const slot of all<SlotDocument>(world, 'slots')) {
    // A claim of a copied journal stays open when the copy takes a new id.
    const held = world.gateways.some(({ state, disk }) => state !== 'gone' && disk.journalId === slot.j);
    assert.ok(!slot.open || !held, `slot ${slot._id} is left open`);
  }
}

function checkErrors(world: SimWorld, plain: ReadonlyMap<string, PlainError>, merges: boolean): void {
  const errors = all<ErrorDocument>(world, 'errors').filter(({ v, k }) => v > 0 || k > 0);
  assert.equal(errors.length, plain.size, 'errors');
  for (const [groupHash, model] of plain) {
    const key = binaryHex(errorKey(PROJECT, groupHash));
    const error = errors.find(({ _id }) => binaryHex(_id) === key);
    assert.ok(error !== undefined, 'an error is missing');
    const decisions = world.decisions.get(key) ?? [];
    const decision = decisions.at(-1);
    const open = decision === undefined || isEnded(decision, model.events, model.users.size);
    checkLog(error, decisions.length, merges ? null : decision, open);
    assert.deepEqual(
      {
        count: ownCount(error),
        kept: error.k,
        users: ownUsers(error),
        // The tracker knew of an earlier and of a later event.
        first: error.v === 0 ? [] : [error.first.at, binaryHex(error.first.id)],
        last: error.v === 0 ? [error.imp?.ot] : [error.last.at, binaryHex(error.last.id)],
        received: error.rcv,
        ...(merges ? {} : { status: error.st, merged: error.into }),
      },
      {
        count: model.count,
        kept: model.count,
        users: model.users.size,
        first: error.v === 0 ? [] : [model.first.at, model.first.eventId],
        last: error.v === 0 ? [model.last.at] : [model.last.at, model.last.eventId],
        received: model.received,
        // With merges, a decision about one error applies to another one as well.
        ...(merges
          ? {}
          : {
              status: STATUS_CODES[open ? 'unresolved' : decision.status],
              merged: decision === undefined ? null : 0,
            }),
      },
    );
    for (const user of model.users) {
      assert.ok(world.db.of('errorUsers').has(binaryHex(errorUserKey(PROJECT, groupHash, user))), 'a user is missing');
    }
    const hours = hoursOf(world, key);
    assert.deepEqual(new Map([...hours].sort()), new Map([...model.hours].sort()), 'hours');
  }
}

/** Checks the consistency of the documents: all of them applied the same batches. */
function checkTogether(world: SimWorld, scenario: Scenario): void {
  const errors = all<ErrorDocument>(world, 'errors');
  assert.equal(new Set(errors.map(({ id }) => id)).size, errors.length, 'public numbers');
  const users = all<{ _id: unknown }>(world, 'errorUsers').map(({ _id }) => binaryHex(_id));
  for (const error of errors) {
    const key = binaryHex(error._id);
    const tags = (world.db.of('errorTags').get(key) ?? { t: {} }) as unknown as ErrorTagsDocument;
    const hours = [...hoursOf(world, key).values()].reduce((sum, count) => sum + count, 0);
    assert.equal(hours, ownCount(error), 'hours and count');
    assert.equal(users.filter((user) => user.startsWith(key)).length, ownUsers(error), 'user rows and count');
    for (const tag of Object.values(tags.t)) {
      const values = Object.values(tag.v ?? {});
      assert.equal(tag.n, ownCount(error), `tag ${tag.k} and count`);
      assert.equal(
        values.reduce((sum, { c }) => sum + c, 0),
        ownCount(error),
        `values of ${tag.k}`,
      );
      // Two program versions on one copied journal may name environments differently.
      if (tag.k === 'environment' && !(scenario.copies && scenario.upgrades)) {
        assert.deepEqual([...(error.env ?? [])].sort(), values.map(({ v }) => v).sort(), 'environments');
      }
    }
  }
}

/** Checks the data of merged errors, after a final roll-up. */
function checkMerged(world: SimWorld): void {
  const errors = all<ErrorDocument>(world, 'errors');
  const users = all<{ _id: unknown }>(world, 'errorUsers').map(({ _id }) => binaryHex(_id));
  for (const error of errors) {
    const target = errors.find(({ id }) => id === error.into);
    if (error.into === null || error.into === 0) {
      assert.equal(error.g, undefined, 'an error that stands alone shows others');
      continue;
    }
    assert.ok(target !== undefined && target.id <= error.id, 'a pointer to a greater number');
    assert.equal(target.into, target.id, 'a pointer to an error that was merged itself');
    if (target !== error) {
      assert.equal(error.g, undefined, 'a merged error shows others');
      continue;
    }
    const members = errors.filter(({ into }) => into === error.id);
    const hashes = members.flatMap(({ _id }) => {
      return users.filter((user) => user.startsWith(binaryHex(_id))).map((user) => user.slice(-24));
    });
    assert.ok(members.length > 1, 'nothing is merged into it');
    assert.deepEqual(
      [error.g?.c, error.g?.u, error.g?.m.length, error.g?.first.at, error.g?.last.at],
      [
        members.reduce((sum, { c }) => sum + c, 0),
        Math.max(new Set(hashes).size, ...members.map(({ imp }) => imp?.bu ?? 0)),
        members.length,
        Math.min(...members.map(({ first }) => first.at)),
        Math.max(...members.map(({ last }) => last.at)),
      ],
      'what a merged error shows',
    );
    const progress = sumProgress(members.map(memberProgressOf));
    const newestReceived = Math.max(...members.map(({ rcv }) => rcv));
    const end = statusEnd({ ...progressOf(error), ...progress, newestReceived });
    assert.equal(end, null, 'it has a status that has ended');
  }
}

function checkOutcomes(world: SimWorld, scenario: Scenario, unique: number): void {
  const sums = { accepted: 0, filtered: 0, client_discard: 0 } as Record<string, number>;
  const items = { session: 0, default: 0 } as Record<string, number>;
  for (const { c, o, q } of all<OutcomeDocument>(world, 'outcomes')) {
    if (o === 'client_discard' || c === 'error') {
      sums[o] = (sums[o] ?? 0) + q;
    } else {
      items[c] = (items[c] ?? 0) + q;
    }
  }
  assert.equal(sums.accepted, unique, 'accepted');
  if (!scenario.copies) {
    const sent = [...scenario.journals.flat(), ...world.gateways.flatMap(({ disk }) => disk.sentTwice)];
    const total = sent.filter(({ id }) => !scenario.poison.includes(id)).length;
    assert.equal(sums.filtered, total - unique, 'duplicates');
    assert.equal(sums.client_discard, total, 'discarded');
    assert.deepEqual(items, { session: total, default: total }, 'outcomes of sessions and reports');
  }
}

/** Checks that each decision was ended at most once, and that the log says how the last one ended. */
function checkLog(
  { log = [] }: ErrorDocument,
  decisions: number,
  decision: Decision | null | undefined,
  open: boolean,
): void {
  const ends = log.filter(({ k }) => k === 'unmuted' || k === 'regressed');
  assert.ok(ends.length <= decisions, 'a status ended twice');
  if (decision === null || decision === undefined || decision.status === 'unresolved' || !open) return;
  const last = ends.at(-1);
  assert.equal(last?.k, decision.status === 'ignored' ? 'unmuted' : 'regressed', 'the log');
  if (decision.status === 'ignored') assert.deepEqual(last.d.status, decision.details, 'the log');
}

export function addPlain(plain: Map<string, PlainError>, event: SimEvent): void {
  let error = plain.get(event.groupHash);
  if (error === undefined) {
    error = { count: 0, users: new Set(), first: event, last: event, received: 0, events: [], hours: new Map() };
    plain.set(event.groupHash, error);
  }
  error.count += 1;
  if (event.userHash !== null) {
    error.users.add(event.userHash);
  }
  const rank = ({ at, eventId }: SimEvent) => `${at} ${eventId}`;
  error.first = rank(event) < rank(error.first) ? event : error.first;
  error.last = rank(event) > rank(error.last) ? event : error.last;
  error.events.push(event);
  error.received = Math.max(error.received, event.receivedAt);
  const hour = String(Math.floor(event.at / HOUR));
  error.hours.set(hour, (error.hours.get(hour) ?? 0) + 1);
}

/** Events counted here, without those that only the tracker counted. */
function ownCount({ c, imp }: ErrorDocument): number {
  return c - (imp?.b ?? 0);
}

function hoursOf(world: SimWorld, key: string): Map<string, number> {
  const hours = new Map<string, number>();
  for (const { _id, d, h } of all<ErrorHoursDocument>(world, 'errorHours')) {
    if (binaryHex(_id).startsWith(key)) {
      Object.entries(h).forEach(([hour, count]) => hours.set(String(d * 24 + Number(hour)), count));
    }
  }
  return hours;
}

function isKnown(key: string, ids: ReadonlySet<number>): boolean {
  return [...ids].some((id) => key === binaryHex(eventKey(PROJECT, eventIdOf(id))));
}

function all<T>(world: SimWorld, name: string): T[] {
  return [...world.db.of(name).values()] as unknown as T[];
}
