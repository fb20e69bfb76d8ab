/**
 * CPU microseconds per event of batches on the embedded store, here and in another checkout:
 * `node --import=tsx bench/micro-batches.ts CHECKOUT [LOAD]`. Tells what facts, marks, terms or names of users add, when
 * the checkout is one without them. Both apply the same batches in turns, each to a store of its own. Only this process
 * counts, so that other load disturbs little. Ranks are brought up to date after each turn, and reported by themselves.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DigestedBatch } from '../src/domain/ingest/digest.ts';
import { termSourceOf } from '../src/domain/ingest/term-source.ts';
import type { Store } from '../src/domain/ports/stores/store.ts';
import type { Project } from '../src/domain/projects/project.ts';
import type { openStore } from '../src/storage/open/open-store.ts';
import { packEvents } from '../test/support/pack-events.ts';
import { makeEvent, makeProject, normalisedEvent, TestJournal } from '../test/support/store-data.ts';
import { exception, frame } from '../test/support/factories.ts';
import { machineName } from './measure/machine.ts';
import { median } from './measure/statistics.ts';
import { rotated } from './turns/checkout.ts';
import { encodePayload } from '../test/support/encode-payload.ts';

const TURNS = 20;
const BATCHES = 6;
const EVENTS = 1000;

interface Load {
  readonly errors: number;
  readonly users: number;
  /** True: every turn has errors of its own. */
  readonly isNew: boolean;
}

const LOADS: Readonly<Record<string, Load>> = {
  '50 errors, 1,000 users': { errors: 50, users: 1000, isNew: false },
  '1,000 errors, one event of each in a batch': { errors: 1000, users: 1000, isNew: false },
  'every event a new error': { errors: EVENTS * BATCHES, users: 1000, isNew: true },
};

interface Side {
  readonly store: Store;
  readonly project: Project;
  readonly journal: TestJournal;
}

async function openSide(dir: string, dataDir: string): Promise<Side> {
  const module = (await import(pathToFileURL(resolve(dir, 'src/storage/open/open-store.ts')).href)) as {
    openStore: typeof openStore;
  };
  const store = await module.openStore({ url: 'sqlite:', dataDir });
  await store.initMeta('user_salt', 'bench');
  return { store, project: await makeProject(store), journal: new TestJournal(store) };
}

function batchesOf(project: Project, turn: number, load: Load): DigestedBatch[] {
  const at = 1.79e12 + turn * 60_000;
  return Array.from({ length: BATCHES }, (_, batch) => {
    const events = Array.from({ length: EVENTS }, (_none, index) => {
      const serial = (turn * BATCHES + batch) * EVENTS + index;
      const group = `${load.isNew ? turn : ''} ${(batch * EVENTS + index) % load.errors}`;
      const event = makeEvent(project, `${load.errors} ${serial}`, {
        ...{ group, user: `user ${(index * 7) % load.users}`, at: at + index, release: 'app@1.2.3' },
        ...{ environment: 'production', tags: TAGS, userNames: namesOf((index * 7) % load.users) },
      });
      const body = { ...normalisedEvent(event.eventId, `order ${serial} failed`), exceptions: [raisedIn(serial)] };
      return { ...event, terms: termSourceOf(body), payload: encodePayload(body) };
    });
    return { ...packEvents(events), outcomes: [] };
  });
}

const namesOf = (user: number): string[] => [`user${user}`, `user${user}@shop.test`, `10.0.${user >> 8}.${user & 255}`];

/** Twelve frames of seven files, as an exception of a web application has them. */
function raisedIn(serial: number) {
  const frames = Array.from({ length: 12 }, (_, index) =>
    frame({
      ...{ filename: `shop/part${(serial + index) % 7}/views.py`, function: `Handler${index}.handle` },
      ...{ lineno: index, in_app: index > 5 },
    }),
  );
  return exception({ type: 'ValueError', value: `order ${serial} failed`, frames });
}

const TAGS = ['level', 'environment', 'release', 'server_name', 'os', 'runtime'].map(
  (key) => [key, `${key} 1`] as const,
);

async function costOf({ store, journal }: Side, batch: DigestedBatch, content: string): Promise<number> {
  journal.n += 1;
  const before = process.cpuUsage();
  await store.applyBatch(journal.batchId(journal.n, content), batch);
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** Returns the microseconds per event of each side, whose batches alternate. */
async function turnOf(sides: readonly Side[], turn: number, load: Load): Promise<number[]> {
  const batches = sides.map(({ project }) => batchesOf(project, turn, load));
  const sums = sides.map(() => 0);
  for (let batch = 0; batch < BATCHES; batch += 1) {
    for (const at of rotated([...sides.keys()], turn + batch)) {
      const [side, own] = [sides[at], batches[at]?.[batch]];
      if (side === undefined || own === undefined) continue;
      sums[at] = (sums[at] ?? 0) + (await costOf(side, own, `${turn} ${batch}`));
    }
  }
  return sums.map((sum) => sum / (BATCHES * EVENTS));
}

/** Returns the microseconds per event of a turn that its ranks take. */
async function costOfRanks(side: Side | undefined): Promise<number> {
  const before = process.cpuUsage();
  for (let ranked = 1; ranked > 0;) ranked = (await side?.store.rankErrors(Date.now())) ?? 0;
  const { user, system } = process.cpuUsage(before);
  return (user + system) / (BATCHES * EVENTS);
}

/** Returns the microseconds that the digest takes for the terms of an event. */
function costOfTerms(): number {
  const bodies = Array.from({ length: EVENTS }, (_, n) => ({ ...normalisedEvent(''), exceptions: [raisedIn(n)] }));
  let found = 0;
  const run = () => {
    for (const body of bodies) found += termSourceOf(body).files.length;
  };
  for (let turn = 0; turn < TURNS; turn += 1) run();
  const before = process.cpuUsage();
  for (let turn = 0; turn < 100; turn += 1) run();
  const { user, system } = process.cpuUsage(before);
  if (found === 0) throw new Error('no event has frames');
  return (user + system) / (100 * EVENTS);
}

const [checkout, only = ''] = process.argv.slice(2);
if (checkout === undefined) throw new Error('usage: bench/micro-batches.ts CHECKOUT [LOAD]');
console.log(`${machineName()}; median of ${TURNS} turns of ${BATCHES} batches of ${EVENTS} events`);
console.log(`terms in the digest: ${costOfTerms().toFixed(2)} µs per event of 12 frames`);
for (const [title, load] of Object.entries(LOADS).filter(([name]) => name.includes(only))) {
  const dirs = [checkout, '.'].map((dir) => [dir, mkdtempSync(join(tmpdir(), 'errgate-bench-batches-'))] as const);
  const sides = await Promise.all(dirs.map(([dir, dataDir]) => openSide(dir, dataDir)));
  const [before, after, ranks]: [number[], number[], number[]] = [[], [], []];
  for (let turn = 0; turn <= TURNS; turn += 1) {
    const [without = 0, all = 0] = await turnOf(sides, turn, load);
    ranks.push(await costOfRanks(sides.at(-1)));
    // The first one fills caches.
    if (turn === 0) continue;
    before.push(without);
    after.push(all);
  }
  for (const { store } of sides) await store.close();
  for (const [, dataDir] of dirs) rmSync(dataDir, { recursive: true, force: true });
  const differences = after.map((cost, turn) => cost - (before[turn] ?? 0));
  const [least, most] = [Math.min(...differences), Math.max(...differences)];
  console.log(
    `${title}: ${median(before).toFixed(2)} µs there, ${median(after).toFixed(2)} µs here; ` +
      `difference ${median(differences).toFixed(2)} µs (${least.toFixed(2)} to ${most.toFixed(2)}); ranks ${median(ranks).toFixed(2)} µs per event`,
  );
}
