/**
 * What the bounds of batches and segments do to the digest, in turns:
 * `[ERRGATE_TEST_MONGODB_URI=…] node --import=tsx bench/batch-bounds.ts`. Without the variable on the embedded store.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../src/storage/open/open-store.ts';
import { machineName } from './measure/machine.ts';
import { median } from './measure/statistics.ts';
import { embeddedStore, mongoStore } from './measure/stores.ts';
import { BOUNDS, drained, type Bounds } from './turns/batches.ts';
import { rotated } from './turns/checkout.ts';

const ROUNDS = 5;
const LOAD = { errors: 50, users: 1000 };
const MIB = 1024 * 1024;

const VARIANTS: readonly (readonly [string, Partial<Bounds>])[] = [
  ['as it is', {}],
  ...[100, 250, 500, 2000, 4000].map((n): [string, Partial<Bounds>] => [`${n} records`, { maxRecords: n }]),
  ['4,000 records, 16 MiB', { maxRecords: 4000, maxBytes: 16 * MIB }],
  ['1 MiB', { maxBytes: MIB }],
  ['segments of 4 MiB', { segmentBytes: 4 * MIB }],
  ['segments of 256 MiB', { segmentBytes: 256 * MIB }],
];

const uri = process.env['ERRGATE_TEST_MONGODB_URI'];
const fresh = uri === undefined ? embeddedStore() : mongoStore(uri);
const dataDir = mkdtempSync(join(tmpdir(), 'errgate-bench-bounds-'));
mkdirSync(join(dataDir, 'store'));
const store = await openStore({ url: fresh.url, dataDir: join(dataDir, 'store') });
const load = <T>(path: string) => import(`../${path}`) as Promise<T>;
const samples = new Map(VARIANTS.map(([name]) => [name, [] as number[]]));
try {
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [name, bounds] of rotated(VARIANTS, round)) {
      const dir = join(dataDir, `${round} ${name}`);
      const rate = await drained({ name, store, load }, dir, LOAD, { ...BOUNDS, ...bounds });
      rmSync(dir, { recursive: true });
      if (round > 0) samples.get(name)?.push(rate);
    }
  }
} finally {
  await store.close();
  await fresh.remove();
  rmSync(dataDir, { recursive: true, force: true });
}
console.log(`${machineName()}; ${fresh.name}`);
for (const [name, values] of samples) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  console.log(`${name}: ${median(values).toFixed(0)} events/s (${least.toFixed(0)}–${most.toFixed(0)})`);
}
