import assert from 'node:assert/strict';
import { AppError } from '../../src/domain/app-error.ts';
import type { BatchId, DigestedBatch } from '../../src/domain/ingest/digest.ts';
import type { Activity } from '../../src/domain/errors/error-state.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import type { TrackedError } from '../../src/domain/errors/tracked-error.ts';
import { requireFactsOnce } from './fact-rules.ts';
import { factsOf } from './facts.ts';
import { drawChoice, isEnded, type Decision } from './mongo-sim-states.ts';
import { addPlain, type PlainError } from './mongo-sim-check.ts';
import { copyDisk, newDisk, runGateway, type SimDisk } from './mongo-sim-gateway.ts';
import { attributesOf, PROJECT, variantOf, eventIdOf, type SimBody, type SimRecord } from './mongo-sim-records.ts';
import { KEEP, pruneAll } from './prune-all.ts';
import { EVERYTHING, hexId, NOON } from './store-data.ts';

/** Runs the embedded store in a similar simulation. A batch is one step; crashes occur before or after it. */
export async function runOnStore(store: Store, journals: readonly (readonly SimRecord[])[], random: () => number) {
  const decisions = new Map<string, Decision>();
  const disks: SimDisk[] = journals.map((records, index) => newDisk(hexId(`first ${index}`), [...records]));
  let ids = 0;
  for (let life = 0; disks.some((disk) => !isDone(disk)); life += 1) {
    assert.ok(life < 2000, 'the gateways come to an end');
    const disk = disks[Math.floor(random() * disks.length)]!;
    if (random() < 0.1 && disks.length < 5) {
      disks.push(copyDisk(disk));
    }
    if (random() < 0.2) {
      await pruneAll(store, { ...KEEP, packReceivedBefore: Infinity });
    }
    if (random() < 0.4) {
      await decide(store, random, decisions);
    }
    await oneLife(store, disk, random, () => hexId(`later ${(ids += 1)}`));
  }
  await compare(store, journals, decisions);
  await checkFacts(store);
  await checkPruned(store);
}

function isDone(disk: SimDisk): boolean {
  return disk.from === disk.to && disk.to === disk.records.length;
}

/** Runs one process from its start to a crash or the end of the journal. */
async function oneLife(store: Store, disk: SimDisk, random: () => number, newId: () => string): Promise<void> {
  let alive = true;
  const applyBatch = async (batchId: BatchId, batch: DigestedBatch) => {
    const drawn = Math.floor(random() * 5);
    if (drawn === 0) {
      alive = random() < 0.5;
      throw new AppError('store_unavailable', 'the disk is full');
    }
    const result = await store.applyBatch(batchId, batch);
    if (drawn < 3) {
      alive = random() < 0.5;
      throw new AppError('store_unavailable', 'the answer was lost');
    }
    return result;
  };
  await runGateway({
    disk,
    store: {
      lastBatch: (journalId) => store.lastBatch(journalId),
      completeBatch: (batchId) => store.completeBatch(batchId),
      applyBatch,
    },
    version: 0,
    blocks: true,
    random,
    newId,
    turn: async () => undefined,
    alive: () => alive,
    tears: () => random() < 0.3,
  });
}

async function decide(store: Store, random: () => number, decisions: Map<string, Decision>): Promise<void> {
  const { items } = await store.listErrors(PROJECT, EVERYTHING, NOON);
  const error = items[Math.floor(random() * items.length)];
  if (error !== undefined) {
    const choice = drawChoice(random);
    const { status, details, now } = choice;
    const before = await eventsOf(store, error.id);
    await store.setErrorStatus(PROJECT, error.id, status, now, details === null ? {} : { details });
    const res = Math.max(now, ...before.map(({ receivedAt }) => receivedAt));
    decisions.set(error.id, { ...choice, res, events: error.count, users: error.userCount ?? 0 });
  }
}

async function eventsOf(store: Store, errorId: string) {
  return (await store.listEvents(PROJECT, errorId, 100, null))?.items ?? [];
}

/** Checks that the mark of a regression follows the log: the last one that no status was set after. */
function requireMark({ id, status, marks }: TrackedError, log: readonly Activity[]): void {
  const [newest] = log;
  const regressed = marks?.regressed ?? null;
  if (status !== 'unresolved') assert.equal(regressed, null, `error ${id} is ${status}`);
  if (newest?.kind === 'regressed') {
    assert.deepEqual(regressed, { at: newest.at, release: newest.details.release ?? null }, `error ${id}`);
  }
  if (regressed !== null) assert.ok(log.some(({ kind, at }) => kind === 'regressed' && at === regressed.at));
}

/** Returns the group hashes of all errors by their ids: the fact of a new error has it. */
async function groupHashes(store: Store): Promise<ReadonlyMap<string, string>> {
  const created = (await factsOf(store, PROJECT)).filter(({ kind }) => kind === 'new');
  return new Map(created.map(({ errorId, id }) => [errorId, id.split(':')[1] ?? '']));
}

/** Checks that each fact is there once, whatever was killed when. */
async function checkFacts(store: Store): Promise<void> {
  const { items } = await store.listErrors(PROJECT, EVERYTHING, NOON);
  const hashes = await groupHashes(store);
  const errors = await Promise.all(
    items.map(async (item) => {
      const log = (await store.listActivity(PROJECT, item.id)) ?? [];
      requireMark(item, log);
      return { groupHash: hashes.get(item.id) ?? '', log };
    }),
  );
  requireFactsOnce(await factsOf(store, PROJECT), errors);
}

/** Checks that the body of an event is its own. */
async function checkBody(store: Store, errorId: string, eventId: string, at: number): Promise<void> {
  const body = (await store.event(PROJECT, errorId, eventId))?.event as unknown as SimBody | undefined;
  assert.deepEqual([body?.event_id, body?.at], [eventId, at], 'the body of an event');
}

/** Checks the bodies of the events that are left while others of their blocks are removed. */
async function checkPruned(store: Store): Promise<void> {
  for (const cap of [4, 2]) {
    await pruneAll(store, { ...KEEP, maxEventsPerError: cap, packReceivedBefore: Infinity });
    for (const { id } of (await store.listErrors(PROJECT, EVERYTHING, NOON)).items) {
      const left = await eventsOf(store, id);
      assert.ok(left.length > 0 && left.length <= cap, `${left.length} events are left`);
      for (const { eventId, at } of left) await checkBody(store, id, eventId, at);
    }
  }
}

async function compare(
  store: Store,
  journals: readonly (readonly SimRecord[])[],
  decisions: ReadonlyMap<string, Decision>,
): Promise<void> {
  const plain = new Map<string, PlainError>();
  const { items } = await store.listErrors(PROJECT, EVERYTHING, NOON);
  const hashes = await groupHashes(store);
  const records = new Map(journals.flat().map((record) => [record.id, record]));
  const ids = new Set(records.keys());
  /** Group hashes of errors that count mapped events, by their own ones. */
  const places = new Map<string, Set<string>>();
  const seen = new Set<number>();
  for (const error of items) {
    for (const { eventId, at, receivedAt } of await eventsOf(store, error.id)) {
      const id = [...ids].find((each) => eventIdOf(each) === eventId)!;
      const event = attributesOf({ ...records.get(id)!, variant: variantOf(id, at) });
      assert.equal(event.receivedAt, receivedAt);
      const counted = hashes.get(error.id) ?? '';
      if (event.sent === null) assert.equal(counted, event.groupHash, 'an event of another error');
      else places.set(event.groupHash, (places.get(event.groupHash) ?? new Set()).add(counted));
      await checkBody(store, error.id, eventId, at);
      seen.add(id);
      addPlain(plain, { ...event, groupHash: error.id });
    }
  }
  // Each was led to one error at most, which may have been before it had one of its own.
  for (const [own, counted] of places) assert.equal(counted.size, 1, `events of ${own} in several errors`);
  const joined = [...places].flatMap(([own, counted]) => (counted.has(own) ? [] : [...counted]));
  assert.equal(new Set(joined).size, joined.length, 'an error that goes on with several mapped ones');
  assert.equal(seen.size, ids.size, 'every event is stored');
  assert.deepEqual(
    items.map((error) => {
      const { id, count, userCount, firstSeen, lastSeen, status } = error;
      return { id, count, userCount, firstSeen, lastSeen, status };
    }),
    items.map(({ id }) => {
      const model = plain.get(id);
      const decision = decisions.get(id);
      const open = decision === undefined || isEnded(decision, model?.events ?? [], model?.users.size ?? 0);
      return {
        id,
        count: model?.count,
        userCount: model?.users.size,
        firstSeen: model?.first.at,
        lastSeen: model?.last.at,
        status: open ? 'unresolved' : decision.status,
      };
    }),
  );
}
