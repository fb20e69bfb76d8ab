/**
 * Measures acceptance of events at half the full rate, with and without an import into the same project beside it, in
 * turns. Options: --rounds N (default 3), --seconds N (per load, default 15), --errors N (of the tracker, 20000),
 * --share N (of the full rate, 0.5).
 * MongoDB too if ERRGATE_TEST_MONGODB_URI is set. Prints one row per store for docs/adr/0014.
 */
import { parseArgs } from 'node:util';
import { ask, pause, withLinkedService } from './measure/import.ts';
import { machineName } from './measure/machine.ts';
import { openLoop, type OpenLoopFigures } from './measure/open-loop.ts';
import { type Service, storeTarget } from './measure/service.ts';
import { median } from './measure/statistics.ts';
import { type FreshStore, onFresh, storesToMeasure } from './measure/stores.ts';
import { runWrk } from './measure/wrk.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '15' },
    errors: { type: 'string', default: '20000' },
    share: { type: 'string', default: '0.5' },
  },
});
const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)];

interface Turn {
  readonly load: OpenLoopFigures;
  /** Requests per second of the import to the tracker. */
  readonly asked: number;
}

async function ended(service: Service): Promise<void> {
  while ((await ask<{ state: string }>(service, 'GET', 'import')).state === 'running') await pause(250);
}

async function measure(store: FreshStore): Promise<Record<'alone' | 'beside', Turn[]> & { readonly rate: number }> {
  return withLinkedService(store, Number(values.errors), async ({ service, requests }) => {
    // Integrated, so that events are accepted; the link stays stored.
    await ask(service, 'PUT', 'settings', { active: true, integrated: true });
    const { path, key } = storeTarget(service);
    const began = performance.now();
    const full = await runWrk(service.port, path, key, seconds, Date.now());
    let stored = full.requests - full.non2xx;
    await service.awaitStored(stored);
    const rate = (stored / ((performance.now() - began) / 1000)) * Number(values.share);
    const turns = { alone: [] as Turn[], beside: [] as Turn[] };
    for (let round = 0; round < rounds; round += 1) {
      for (const name of round % 2 === 0 ? (['alone', 'beside'] as const) : (['beside', 'alone'] as const)) {
        if (name === 'beside') {
          await ask(service, 'POST', 'import', { switch: false });
          await pause(3000);
        }
        const before = await requests();
        const load = await openLoop(service.port, path, key, rate, seconds);
        const asked = ((await requests()) - before) / seconds;
        if (name === 'beside') {
          const { state } = await ask<{ state: string }>(service, 'GET', 'import');
          if (state !== 'running') throw new Error(`the import was over before the load: ${state}; use more --errors`);
          await ask(service, 'DELETE', 'import');
          await ended(service);
        }
        stored += load.sent - load.failed;
        await service.awaitStored(stored);
        turns[name].push({ load, asked });
        const { sent, failed, p50, p99 } = load;
        console.error(
          `  ${name}: ${sent} sent, ${failed} refused, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms; ${asked.toFixed(0)} requests/s to the tracker`,
        );
      }
    }
    return { ...turns, rate };
  });
}

console.log(`${new Date().toISOString().slice(0, 10)}; ${machineName()}`);
for (const [name, make] of storesToMeasure()) {
  console.error(name);
  const { alone, beside, rate } = await onFresh(make, measure);
  const of = (turns: readonly Turn[], value: (turn: Turn) => number): number => median(turns.map(value));
  const pair = (value: (turn: Turn) => number, digits = 1): string =>
    `${of(alone, value).toFixed(digits)} / ${of(beside, value).toFixed(digits)}`;
  const cells = [
    ...[name, rate.toFixed(0), pair(({ load }) => load.p50), pair(({ load }) => load.p99)],
    ...[pair(({ load }) => load.failed, 0), of(beside, ({ asked }) => asked).toFixed(0)],
  ];
  console.log(`| ${cells.join(' | ')} |`);
}
