import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Journal } from '../../src/integrated/intake/journal/journal.ts';
import { nodeJournalFiles } from '../../src/integrated/intake/journal/node-files.ts';
import { eventBody } from './event-body.ts';
import { startService } from './service.ts';
import type { FreshStore } from './stores.ts';

export interface CatchUpFigures {
  readonly bytes: number;
  readonly events: number;
  readonly readyMs: number;
  /** From ready until the last event is readable. */
  readonly eventsPerSecond: number;
}

const silent = { warn: () => undefined, info: () => undefined };
const APPENDED_AT_ONCE = 500;

/** Measures a start with a journal that an earlier process left: time to ready, and how fast the store catches up. */
export async function measureCatchUp(fresh: FreshStore, bytes: number): Promise<CatchUpFigures> {
  const earlier = await startService(fresh);
  try {
    await earlier.stop();
    const filled = await fillJournal(join(earlier.dataDir, 'journal'), earlier.first.project_id, bytes);
    const service = await startService(fresh, earlier.dataDir);
    try {
      const before = await service.stored();
      const started = performance.now();
      await service.awaitStored(filled.events);
      const eventsPerSecond = ((filled.events - before) * 1000) / (performance.now() - started);
      await service.awaitCounted(filled.events, 0);
      await service.stop();
      return { ...filled, readyMs: service.readyMs, eventsPerSecond };
    } finally {
      await service.stop();
    }
  } finally {
    await earlier.remove();
  }
}

/** Appends records until the journal has so many bytes. Its service must have ended. */
async function fillJournal(
  dir: string,
  projectId: number,
  bytes: number,
): Promise<Pick<CatchUpFigures, 'bytes' | 'events'>> {
  const journal = await Journal.open({
    files: nodeJournalFiles,
    dir,
    clock: Date,
    logger: silent,
    durability: 'process-crash',
    maxBytes: 2 * bytes + 1024 ** 3,
  });
  const run = randomBytes(8).toString('hex');
  let events = 0;
  while (journal.stats().bytes < bytes) {
    const appended: Promise<void>[] = [];
    for (let index = 0; index < APPENDED_AT_ONCE; index += 1) {
      events += 1;
      const eventId = run + events.toString(16).padStart(16, '0');
      const receivedAt = Date.now();
      const body = Buffer.from(eventBody(new Date(receivedAt), eventId, events % 50, (events * 7) % 1000));
      const rest = { keyId: 1, sentAt: null, clientIp: null, client: null, outcomes: [] };
      appended.push(journal.append([{ projectId, receivedAt, eventId, body, ...rest }]));
    }
    await Promise.all(appended);
  }
  const filled = { bytes: journal.stats().bytes, events };
  await journal.close();
  return filled;
}
