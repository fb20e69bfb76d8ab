/**
 * Speed and memory of `errgate export` on both stores, in turns with a bare read of the same rows:
 * `[ERRGATE_TEST_MONGODB_URI=…] node --import=tsx bench/export.ts [--events 200000] [--errors 2000] [--compress]
 * [--rounds 3]`. The bare read counts the bytes of the same events and blocks: on the embedded store all columns in the
 * order of the rows; with MongoDB one cursor over the events with the filter, the members and the order of the export,
 * and one over the blocks. It neither inflates nor parses; read again, it inflates the blocks. Prints medians.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type mongoose from 'mongoose';
import { BodyBlock } from '../src/lib/bodies/body-block.ts';
import { openStore } from '../src/storage/open/open-store.ts';
import { openDatabase } from '../src/storage/sqlite/files/open-database.ts';
import { machineName } from './measure/machine.ts';
import { seedStore } from './measure/seed.ts';
import { table, whole, type Row } from './measure/report.ts';
import { median } from './measure/statistics.ts';
import { memoryMb, processCpuSeconds } from './measure/process.ts';
import { type FreshStore, onFresh, storesToMeasure, withConnection } from './measure/stores.ts';

/** Milliseconds between two looks at the memory of the command. */
const LOOK_MS = 50;

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '200000' },
    errors: { type: 'string', default: '2000' },
    compress: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '3' },
  },
});
const events = Number(values.events);

async function seed(fresh: FreshStore, dataDir: string): Promise<void> {
  const store = await openStore({ url: fresh.url, dataDir });
  try {
    const project = await store.createProject({ path: 'bench/shop', name: 'Shop', visibility: 'private' });
    await seedStore(store, project.id, { events, errors: Number(values.errors) });
  } finally {
    await store.close();
  }
}

/** Reads all events and blocks, the latter by `take`; returns seconds. */
async function bareRead(
  { database }: FreshStore,
  dataDir: string,
  take: (block: Uint8Array) => void = () => undefined,
): Promise<number> {
  const started = performance.now();
  let bytes = 0;
  if (database === null) {
    const db = await openDatabase(join(dataDir, 'errgate.db'), 'reader', false);
    for (const name of ['events', 'event_blocks']) {
      for (let last = 0, rows = 1; rows > 0;) {
        const found = db.all(`SELECT rowid AS at, * FROM ${name} WHERE rowid > ? ORDER BY rowid LIMIT 500`, last);
        rows = found.length;
        for (const { payload, bodies } of found) {
          const block = bodies as Uint8Array | undefined;
          bytes += ((payload ?? block) as Uint8Array | null)?.length ?? 0;
          if (block !== undefined) take(block);
        }
        last = (found.at(-1)?.['at'] as number | undefined) ?? last;
      }
    }
    db.close();
  } else {
    await withConnection(database.uri, async ({ db }) => {
      if (db === undefined) throw new Error('no database');
      const members = { p: 1, l: 1, v: 1, r: 1, d: 1 };
      const stored = { r: { $gte: 0, $lte: Date.now() } };
      const found = db.collection('events').find(stored, { projection: members }).sort({ r: 1 }).batchSize(1000);
      for await (const { d } of found) bytes += (d as mongoose.mongo.Binary | undefined)?.length() ?? 0;
      for await (const { d } of db.collection('eventblocks').find().batchSize(500)) {
        const { buffer } = d as mongoose.mongo.Binary;
        bytes += buffer.length;
        take(buffer);
      }
    });
  }
  if (bytes === 0) throw new Error('the bare read found nothing');
  return (performance.now() - started) / 1000;
}

/** Runs the command; returns its seconds, start included, of processor time too, and the most memory it had, MB. */
async function runExport(fresh: FreshStore, dataDir: string, to: string) {
  const env = { ...process.env, ...fresh.env, ERRGATE_DATA_DIR: dataDir, ERRGATE_STORE_URL: fresh.url };
  const args = ['bin/errgate.js', 'export', '--to', to, '--json', ...(values.compress ? ['--compress'] : [])];
  const started = performance.now();
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let [output, peak, cpu] = ['', 0, 0];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const look = setInterval(() => {
    const pid = child.pid ?? 0;
    peak = Math.max(peak, memoryMb(pid).resident || 0);
    cpu = processCpuSeconds(pid) || cpu;
  }, LOOK_MS);
  const code = await new Promise((resolve) => child.once('close', resolve));
  clearInterval(look);
  const seconds = (performance.now() - started) / 1000;
  const exported = code === 0 ? (JSON.parse(output) as { events: number }).events : -1;
  if (exported !== events) throw new Error(`errgate export ended with ${String(code)}, ${exported} events: ${output}`);
  return { seconds, peak, cpu };
}

execFileSync(process.execPath, ['scripts/build.js'], { stdio: 'inherit' });
const rows: Row[] = [];
for (const [name, make] of storesToMeasure()) {
  await onFresh(make, async (fresh) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'errgate-bench-export-'));
    try {
      console.error(`${name}: ${events} events are made`);
      await seed(fresh, dataDir);
      const turns: { bare: number; inflated: number; seconds: number; peak: number; cpu: number }[] = [];
      for (let round = 0; round < Number(values.rounds); round += 1) {
        const bare = await bareRead(fresh, dataDir);
        const inflated = await bareRead(fresh, dataDir, (block) => new BodyBlock(block));
        const turn = { bare, inflated, ...(await runExport(fresh, dataDir, join(dataDir, 'out'))) };
        rmSync(join(dataDir, 'out'), { recursive: true });
        turns.push(turn);
        console.error(`  ${JSON.stringify(turn)}`);
      }
      const of = (value: (turn: (typeof turns)[number]) => number): number => median(turns.map(value));
      const speeds = [of((t) => t.seconds), of((t) => t.bare), of((t) => t.inflated)].map((each) =>
        whole(events / each),
      );
      const ratios = [of((t) => t.bare / t.seconds), of((t) => t.inflated / t.seconds)].map((each) => each.toFixed(2));
      const processor = (of((t) => t.cpu) * 1e6) / events;
      rows.push([name, ...speeds, ...ratios, processor.toFixed(0), of((t) => t.peak).toFixed(0)]);
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
}
console.log(`${machineName()}\n`);
console.log(
  table(
    [
      'store',
      'exported/s',
      'bare read/s',
      'bare read with inflating/s',
      'export : bare read',
      'export : with inflating',
      'CPU per event, µs',
      'peak memory, MB',
    ],
    rows,
  ),
);
