/**
 * Compares checkouts of this repository, in turns on the same database:
 * `ERRGATE_TEST_MONGODB_URI=… node --import=tsx bench/in-turns.ts lists|batches CHECKOUT CHECKOUT…`.
 * Prints the median of the rounds for each checkout, with the least and the most. The ADRs say what the checkouts differ
 * in.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { openStore } from '../src/storage/open/open-store.ts';
import { measureBatches } from './turns/batches.ts';
import { measureLists } from './turns/lists.ts';
import { machineName } from './measure/machine.ts';
import { median } from './measure/statistics.ts';
import { mongoStore } from './measure/stores.ts';
import type { Checkout, Samples } from './turns/checkout.ts';

const MEASURES = { lists: measureLists, batches: measureBatches };

const [what = '', ...dirs] = process.argv.slice(2);
const measure = Object.entries(MEASURES).find(([name]) => name === what)?.[1];
const uri = process.env['ERRGATE_TEST_MONGODB_URI'];
if (measure === undefined || dirs.length === 0 || uri === undefined) {
  throw new Error('usage: ERRGATE_TEST_MONGODB_URI=… bench/in-turns.ts lists|batches CHECKOUT CHECKOUT…');
}
const fresh = mongoStore(uri);
const dataDir = mkdtempSync(join(tmpdir(), 'errgate-bench-turns-'));
const checkouts: Checkout[] = [];
try {
  for (const dir of dirs) {
    const load = <T>(path: string) => import(pathToFileURL(resolve(dir, path)).href) as Promise<T>;
    const loaded = await load<{ openStore: typeof openStore }>('src/storage/open/open-store.ts');
    const name = basename(resolve(dir));
    const own = join(dataDir, String(checkouts.length));
    mkdirSync(own);
    const store = await loaded.openStore({ url: fresh.url, dataDir: own });
    checkouts.push({ name, store, load });
  }
  const samples = await measure(checkouts, dataDir);
  console.log(`${machineName()}; ${(await fresh.database?.engine()) ?? ''}`);
  print(samples);
} finally {
  for (const { store } of checkouts) await store.close();
  await fresh.remove();
  rmSync(dataDir, { recursive: true, force: true });
}

function print(samples: Samples): void {
  for (const [figure, byCheckout] of samples) {
    const each = [...byCheckout].map(([name, values]) => {
      const all = [...values].sort((a, b) => a - b);
      return `${name} ${median(all).toFixed(2)} (${(all[0] ?? 0).toFixed(2)}–${(all.at(-1) ?? 0).toFixed(2)})`;
    });
    console.log(`${figure}: ${each.join(' · ')}`);
  }
}
