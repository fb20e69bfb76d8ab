import { openReader } from '../../src/import/readers/open-reader.ts';
import type { EventsWanted, IssuePage, TrackerReader } from '../../src/import/tracker-reader.ts';
import { createUrlGuard } from '../../src/thirdparty/guard/url-guard.ts';
import { startFakeSource, type FakeSource } from './fake-source/fake-source.ts';
import type { SourceProject } from './fake-source/source-records.ts';
import type { SourceTracker } from './fake-source/source-world.ts';

/** Token with all scopes in every world. */
export const READER_TOKEN = 'token-of-the-import';

/** Tracker with the projects `shop` (id 7, `shop-id` on Urgentry) and `other`, and a reader of it; new for each test. */
export interface ReaderWorld {
  source: FakeSource;
  shop: SourceProject;
  reader: TrackerReader;
  /** Milliseconds of each wait; a wait ends at once and moves the clock. */
  slept: number[];
  /** Time of both clocks. */
  now: number;
  /** Opens a further reader; close it. */
  open: () => Promise<TrackerReader>;
}

/** Starts a world before each test of a suite, and ends it afterwards. */
export function useReader(tracker: SourceTracker): ReaderWorld {
  const w = { slept: [] as number[], now: 0 } as unknown as ReaderWorld;
  const pass = (ms: number): Promise<void> => {
    w.slept.push(ms);
    w.now += ms;
    return Promise.resolve();
  };
  w.open = () =>
    openReader(
      { guard: createUrlGuard({ allow: '127.0.0.1' }), clock: { now: () => w.now }, wait: pass, sleep: pass },
      { url: w.source.origin, organization: 'acme', token: () => READER_TOKEN, kind: null },
      new AbortController().signal,
    );
  beforeEach(async () => {
    w.slept = [];
    w.now = Date.now();
    w.source = await startFakeSource(tracker, { now: () => w.now });
    w.source.world.addToken(READER_TOKEN);
    w.shop = w.source.world.addProject('shop', { id: tracker === 'urgentry' ? 'shop-id' : '7' });
    w.source.world.addProject('other');
    w.reader = await w.open();
  });
  afterEach(async () => {
    w.reader.close();
    await w.source.close();
  });
  return w;
}

export async function collect<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

/** Wishes for events of an issue whose events are all of one group key. */
export const wanted = (newest: number, firstSeen = 0): EventsWanted => ({ newest, firstSeen, keyOf: () => 'one' });

export const idsIn = (pages: readonly IssuePage[]): string[] =>
  pages.flatMap(({ issues }) => issues.map(({ id }) => id));

/** Event as an SDK sends it; its id is the index. */
export const sdkEvent = (index: number): Record<string, unknown> => ({
  event_id: index.toString(16).padStart(32, '0'),
  platform: 'python',
  level: 'error',
  release: 'shop@1.0.0',
  environment: 'production',
  exception: {
    values: [
      {
        type: 'ValueError',
        value: `number ${index}`,
        stacktrace: {
          frames: [
            { filename: 'shop/cart.py', module: 'shop.cart', function: `add_${index}`, lineno: 7, in_app: true },
          ],
        },
      },
    ],
  },
});
