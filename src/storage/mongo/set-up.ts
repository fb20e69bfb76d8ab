import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '../../domain/app-error.ts';
import { Periodic } from '../../lib/periodic.ts';
import type { MongoContext } from './context.ts';
import { makeIndexes } from './indexes.ts';
import { acquireLease, releaseLease } from './commands/maintenance-commands.ts';
import { migrations, SCHEMA_VERSION } from './migrations.ts';
import { writing } from './operation-options.ts';
import { pendingSteps, readSchema } from './schema-check.ts';

/** Milliseconds after which the set-up of a process that vanished may be done by another one; renewed per step. */
const LEASE_MS = 60_000;
const TURN_MS = 100;
/** Milliseconds to wait for another process's set-up. Indexes of a large store take their time. */
const WAIT_LIMIT_MS = 600_000;

/**
 * Brings the database to this program's schema. Of several processes that start at once one does the work
 * under a lock, and the others wait for it and find it done. Every step may be repeated.
 */
export async function setUp(context: MongoContext): Promise<void> {
  const owner = randomBytes(16).toString('hex');
  for (let waited = 0; ; waited += TURN_MS) {
    const state = await readSchema(context);
    if (pendingSteps(state).length === 0) return;
    if (await acquireLease(context, 'migration', owner, LEASE_MS)) break;
    if (waited >= WAIT_LIMIT_MS) {
      throw new AppError('store_unavailable', 'another process is still setting up the store: try again later', {
        retryAfterSeconds: 30,
      });
    }
    await wait(TURN_MS);
  }
  // While an index is built the lease must not run out.
  const renewal = new Periodic({
    intervalMs: LEASE_MS / 4,
    run: async () => {
      await acquireLease(context, 'migration', owner, LEASE_MS);
    },
  });
  renewal.start();
  try {
    await bringUpToDate(context);
  } finally {
    await renewal.stop();
    await releaseLease(context, 'migration', owner).catch(() => undefined);
  }
}

async function bringUpToDate(context: MongoContext): Promise<void> {
  const { collections } = context;
  const { version } = await readSchema(context);
  await makeIndexes(collections);
  for (const migrate of migrations.slice(version ?? 0)) {
    await migrate(collections);
  }
  // Never lower: another process may run a later program.
  const update = { $max: { version: SCHEMA_VERSION } };
  await collections.control.updateOne({ _id: 'schema' }, update, { ...writing('schema.set'), upsert: true });
}
