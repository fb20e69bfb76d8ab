import { MongoMerges } from '../../src/storage/mongo/merging/mongo-merges.ts';
import type { Doc } from '../../src/storage/mongo/engine/batch-collections.ts';
import { endMutes } from '../../src/storage/mongo/status/triage-commands.ts';
import type { MongoContext } from '../../src/storage/mongo/engine/context.ts';
import type { ErrorDocument } from '../../src/storage/mongo/documents/error-documents.ts';
import { ownCounts, statusMembers } from '../../src/storage/mongo/updates/status-members.ts';
import { keyOf, type SimDatabase, type SimOptions } from './mongo-sim.ts';
import { eventIdOf, PROJECT } from './mongo-sim-records.ts';
import type { Scenario } from './mongo-sim-scenario.ts';
import { drawChoice, drawMute, type Decision } from './mongo-sim-states.ts';

/** Merges two errors, separates one, or runs a roll-up. A failure is reported to the caller; completed writes stay. */
export function mergeSomething(
  db: SimDatabase,
  errors: readonly ErrorDocument[],
  options: SimOptions,
  now: number,
): void {
  const pick = () => errors[Math.floor(options.random() * errors.length)];
  const [one, other] = [pick(), pick()];
  if (one === undefined || other === undefined) {
    return;
  }
  const merges = new MongoMerges(
    db.connect(options, () => undefined),
    () => now,
  );
  const choice = Math.floor(options.random() * 4);
  const work =
    choice < 2
      ? merges.merge(PROJECT, [String(one.id), String(other.id)])
      : choice === 2
        ? merges.unmerge(PROJECT, String(one.id), null)
        : merges.rollUpAll();
  void Promise.resolve<unknown>(work).catch(() => undefined);
}

/** Runs a roll-up without faults. */
export async function rollUpCalmly(db: SimDatabase): Promise<void> {
  const options: SimOptions = {
    drawResult: () => 'ok',
    turn: async () => undefined,
    random: () => 0,
    poison: new Set(),
  };
  const merges = new MongoMerges(
    db.connect(options, () => undefined),
    () => 0,
  );
  await merges.rollUpAll();
}

/** Ends the status of errors that were ignored until a time; may fail after any step. */
export function endSomeMutes(db: SimDatabase, options: SimOptions, now: number): Promise<number> {
  const { errors } = db.connect(options, () => undefined);
  // The form of the driver, over the simulated collection.
  const collection = {
    find: (filter: Doc, { projection }: { projection: Doc }) => {
      const cursor = {
        sort: () => cursor,
        limit: () => cursor,
        // Zero stands for none in the simulation.
        toArray: async () =>
          (await errors.find(filter, projection, 'local')).map((row) => ({
            ...row,
            into: row.into === 0 ? null : row.into,
          })),
      };
      return cursor;
    },
    bulkWrite: async (operations: { updateOne: { filter: Doc; update: Doc } }[]) => {
      const answer = await errors.updateEach(operations.map(({ updateOne }) => ({ ...updateOne, upsert: false })));
      return { matchedCount: answer.matched };
    },
  };
  return endMutes({ collections: { errors: collection } } as unknown as MongoContext, now);
}

/** Sets the status of an error, and ends its merge unless errors are merged. */
export function decideSomething(
  db: SimDatabase,
  error: ErrorDocument,
  random: () => number,
  { merges, facts }: Pick<Scenario, 'merges' | 'facts'>,
  decisions: Map<string, Decision[]>,
): void {
  const choice = facts && random() < 0.3 ? drawMute(random) : drawChoice(random);
  // The store sets the status of all members; here it is set where it is read.
  const isMember = (error.into ?? 0) > 0 && error.into !== error.id;
  const details = isMember ? null : choice.details;
  const { status, now } = choice;
  const res = status === 'resolved' ? Math.max(now, error.rcv) : null;
  const own = ownCounts(error);
  const changed = { ...statusMembers({ status, details }), ...own, res };
  db.of('errors').set(keyOf(error as never), { ...error, ...changed, into: merges ? error.into : 0 });
  db.safe();
  const decision = { ...choice, details, res, events: own.mc, users: own.mn };
  const key = keyOf(error as never);
  decisions.set(key, [...(decisions.get(key) ?? []), decision]);
}

/** Removes payloads, and keys of events that occur once. Adds the numbers of the latter to `pruned`. */
export function pruneSomething(
  db: SimDatabase,
  { journals, copies }: Pick<Scenario, 'journals' | 'copies'>,
  pruned: Set<number>,
  random: () => number,
): void {
  const events = db.of('events');
  const records = journals.flat();
  for (const [key, { d: _payload, ...rest }] of events) {
    const id = records.find((record) => eventIdOf(record.id) === key.slice(8))?.id ?? -1;
    if (id % 2 === 1 && !copies && records.filter((record) => record.id === id).length === 1) {
      events.delete(key);
      pruned.add(id);
    } else if (random() < 0.5) {
      events.set(key, rest);
    }
  }
  db.safe();
}
