/**
 * What the rules for batches whose records were lost are good for: `node --import=tsx bench/torn-batches.ts [RUNS]`.
 * Runs the scenarios of the model check in which a disk loses records of an open batch, with the rules of the store
 * changed. Needs no database.
 */
import type { BatchId, BatchResult } from '../src/domain/ingest/digest.ts';
import { MongoBatches } from '../src/storage/mongo/batch/mongo-batches.ts';
import { batchesWithout } from '../test/support/batch-rules.ts';
import { checkWorld } from '../test/support/mongo-sim-check.ts';
import { tornScenarioOf } from '../test/support/mongo-sim-scenario.ts';
import { SimWorld } from '../test/support/mongo-sim-world.ts';

const RUNS = Number(process.argv[2] ?? 2000);

/** The simpler rule: what the store has not confirmed begins again under a new journal id. */
class BeginsAgain extends MongoBatches {
  override async completeBatch({ journalId, n }: BatchId): Promise<BatchResult | null> {
    return { kind: (await this.lastBatch(journalId)) >= n ? 'already_applied' : 'foreign' };
  }
}

const VARIANTS = {
  'as it is': {},
  'a new journal id instead': { MongoBatches: BeginsAgain },
  'without giving the number up': await batchesWithout('abandonTorn'),
  'without looking again at rows taken late': await batchesWithout('takenLate'),
};

for (const [name, code] of Object.entries(VARIANTS)) {
  let [wrong, uncounted, events] = [0, 0, 0];
  for (let seed = 1; seed <= RUNS; seed += 1) {
    const scenario = tornScenarioOf(seed);
    const world = new SimWorld(scenario, code);
    const ended = await world.run();
    try {
      if (!ended) throw new Error('it never ends');
      checkWorld(world, scenario);
    } catch {
      wrong += 1;
      uncounted += Math.max(0, world.db.of('events').size - countOf(world));
    }
    events += world.db.of('events').size;
  }
  console.log(`${name}: ${wrong} of ${RUNS} runs end wrong, ${uncounted} of ${events} events stored and not counted`);
}

function countOf({ db }: SimWorld): number {
  return [...db.of('errors').values()].reduce((sum, { c }) => sum + Number(c), 0);
}
