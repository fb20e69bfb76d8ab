import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { createRecordDigester } from '../../src/integrated/digest/digest-record.ts';
import type { groupV1 } from '../../src/integrated/digest/group/v1/group.ts';
import type { drainJournal } from '../../src/integrated/digest/loop/drain-journal.ts';
import type { Journal } from '../../src/integrated/intake/journal/journal.ts';
import type { nodeJournalFiles } from '../../src/integrated/intake/journal/node-files.ts';
import { eventBody } from '../measure/event-body.ts';
import { addSample, newProject, rotated, type Checkout, type Samples } from './checkout.ts';

const ROUNDS = 9;
const RECORDS = 5000;
const APPENDED_AT_ONCE = 500;

/** How many errors there are, and users of each. */
const LOADS = {
  '50 errors, nearly every event another user': { errors: 50, users: 1000 },
  '50 errors of 20 users': { errors: 50, users: 20 },
};

const silent = { error: () => undefined, warn: () => undefined, info: () => undefined };

/** Events per second from a full journal into the store, each run into a project of its own. */
export async function measureBatches(checkouts: readonly Checkout[], dataDir: string): Promise<Samples> {
  const samples: Samples = new Map();
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [name, load] of Object.entries(LOADS)) {
      for (const checkout of rotated(checkouts, round)) {
        const dir = join(dataDir, `${round}-${checkout.name}-${load.users}`);
        const rate = await drained(checkout, dir, load);
        if (round > 0) addSample(samples, `${name}, events/s`, checkout.name, rate);
      }
    }
  }
  return samples;
}

export interface Bounds {
  readonly maxRecords: number;
  readonly maxBytes: number;
  readonly segmentBytes: number;
}

const MIB = 1024 * 1024;
/** Those of the service. */
export const BOUNDS: Bounds = { maxRecords: 1000, maxBytes: 4 * MIB, segmentBytes: 64 * MIB };

/** Events per second of a journal that is drained into a new project. */
export async function drained(
  { store, load }: Checkout,
  dir: string,
  { errors, users }: { readonly errors: number; readonly users: number },
  { maxRecords, maxBytes, segmentBytes }: Bounds = BOUNDS,
): Promise<number> {
  const { id } = await newProject(store);
  const { Journal: Opened } = await load<{ Journal: typeof Journal }>('src/integrated/intake/journal/journal.ts');
  const { nodeJournalFiles: files } = await load<{ nodeJournalFiles: typeof nodeJournalFiles }>(
    'src/integrated/intake/journal/node-files.ts',
  );
  const { createRecordDigester: digester } = await load<{ createRecordDigester: typeof createRecordDigester }>(
    'src/integrated/digest/digest-record.ts',
  );
  const { groupV1: group } = await load<{ groupV1: typeof groupV1 }>('src/integrated/digest/group/v1/group.ts');
  const { drainJournal: drain } = await load<{ drainJournal: typeof drainJournal }>(
    'src/integrated/digest/loop/drain-journal.ts',
  );
  const journal = await Opened.open({
    files,
    dir,
    clock: Date,
    logger: silent,
    durability: 'process-crash',
    segmentBytes,
    maxBytes: 4096 * MIB,
  });
  for (let from = 0; from < RECORDS; from += APPENDED_AT_ONCE) {
    const records = Array.from({ length: APPENDED_AT_ONCE }, (_, at) => recordOf(id, from + at, errors, users));
    await Promise.all(records.map((record) => journal.append([record])));
  }
  await journal.close();
  const from = performance.now();
  const { stored } = await drain({
    files,
    dir,
    quarantineDir: join(dir, 'quarantine'),
    store,
    digest: digester({
      group,
      scrubberFor: () => ({
        beforeGrouping: () => undefined,
        afterGrouping: () => undefined,
        inFrames: () => undefined,
      }),
      inApp: { inAppInclude: [], inAppExclude: [] },
      userSalt: 'bench',
      projectPath: () => null,
    }),
    clock: Date,
    logger: silent,
    maxRecords,
    maxBytes,
    onQuarantine: () => undefined,
  });
  if (stored !== RECORDS) throw new Error(`${stored} of ${RECORDS} events were stored`);
  return (RECORDS * 1000) / (performance.now() - from);
}

function recordOf(projectId: number, index: number, errors: number, users: number) {
  const eventId = createHash('sha1').update(`${projectId} ${index}`).digest('hex').slice(0, 32);
  const user = (index + 37 * Math.floor(index / errors)) % users;
  const receivedAt = Date.now();
  const body = Buffer.from(eventBody(new Date(receivedAt), eventId, index % errors, user));
  return { projectId, keyId: 1, receivedAt, eventId, sentAt: null, clientIp: null, client: null, outcomes: [], body };
}
