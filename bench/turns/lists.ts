import { createHash } from 'node:crypto';
import type { ErrorQuery } from '../../src/domain/search/error-query.ts';
import { BATCH, eventMaker, packed, seedStore } from '../measure/seed.ts';
import { median } from '../measure/statistics.ts';
import { addSample, newProject, rotated, type Checkout, type Samples } from './checkout.ts';

const ROUNDS = 7;
const READS = 20;
const ERRORS = 10_000;
const EVENTS = 20_000;

const NEWEST: ErrorQuery = {
  status: 'unresolved',
  sort: 'last_seen',
  search: null,
  environment: null,
  release: null,
  level: null,
  cursor: null,
  limit: 20,
};

/** Milliseconds of a page of errors on the store itself: read again, and read while events come in. */
export async function measureLists(checkouts: readonly Checkout[]): Promise<Samples> {
  const [first] = checkouts;
  if (first === undefined) return new Map();
  const { id } = await newProject(first.store);
  await seedStore(first.store, id, { errors: ERRORS, events: EVENTS });
  const next = (await first.store.listErrors(id, NEWEST, Date.now())).next;
  const lists: Readonly<Record<string, ErrorQuery>> = {
    'newest, first page': NEWEST,
    'newest, second page': { ...NEWEST, cursor: next },
    'all by frequency': { ...NEWEST, status: 'all', sort: 'frequency' },
    'one environment and a word': { ...NEWEST, environment: 'production', search: 'payment' },
  };
  const make = eventMaker(id, ERRORS, EVENTS * 10);
  let n = EVENTS / BATCH;
  let event = EVENTS;
  const samples: Samples = new Map();
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [name, query] of Object.entries(lists)) {
      for (const moving of [false, true]) {
        for (const checkout of rotated(checkouts, round)) {
          const times: number[] = [];
          for (let read = 0; read < READS; read += 1) {
            if (moving) {
              n += 1;
              const events = Array.from({ length: 10 }, () => ({ ...make((event += 7)), at: Date.now() }));
              const batchId = { journalId: hashOf('bench'), n, hash: hashOf(String(n)) };
              await first.store.applyBatch(batchId, { ...packed(events), outcomes: [] });
            }
            const from = performance.now();
            await checkout.store.listErrors(id, query, Date.now());
            if (moving || read > 1) times.push(performance.now() - from);
          }
          const figure = `${name}${moving ? ', 10 events before each' : ', read again'}, ms`;
          if (round > 0) addSample(samples, figure, checkout.name, median(times));
        }
      }
    }
  }
  return samples;
}

function hashOf(text: string): string {
  return createHash('sha1').update(text).digest('hex').slice(0, 32);
}
