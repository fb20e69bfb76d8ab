import { FactLog } from '../../src/storage/mongo/alerts/fact-log.ts';
import type { SimOptions } from './mongo-sim.ts';
import type { FactCode } from './mongo-sim-facts.ts';
import { scenarioOf } from './mongo-sim-scenario.ts';
import { SimWorld, type BatchCode } from './mongo-sim-world.ts';

/**
 * Collects facts of errors that no majority has yet, while the primary steps down between the read and what follows.
 * Returns what is wrong then; null when the log has no fact of an error that is gone.
 */
export async function collectBeforeFailover(code: Partial<BatchCode>): Promise<string | null> {
  const world = new SimWorld({ ...scenarioOf(1), faults: 0, outside: 0, poison: [], refusals: false }, code);
  await world.run();
  const { db } = world;
  const errors = [...db.of('errors')];
  if (!errors.some(([, { pf }]) => pf !== undefined)) throw new Error('no fact waits');
  db.of('errors').clear();
  db.unsafe();
  for (const [key, document] of errors) db.of('errors').set(key, document);
  let operations = 0;
  const turn = async () => {
    operations += 1;
    if (operations === 2) db.failOver();
  };
  const options: SimOptions = { drawResult: () => 'ok', turn, random: () => 0, poison: new Set() };
  const Log: FactCode['FactLog'] = code.FactLog ?? FactLog;
  const collections = db.connect(options, () => undefined);
  await new Log(collections, () => 0).collect();
  return db.of('alertFacts').size === 0 ? null : 'the log has a fact of an error that is gone';
}
