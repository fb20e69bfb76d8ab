import { MongoMerges } from '../../src/storage/mongo/merge/mongo-merges.ts';
import type { ErrorDocument } from '../../src/storage/mongo/documents.ts';
import type { SimDatabase, SimOptions } from './mongo-sim.ts';
import { PROJECT } from './mongo-sim-records.ts';

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
