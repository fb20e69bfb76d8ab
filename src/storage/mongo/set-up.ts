import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '../../domain/app-error.ts';
import { Periodic } from '../../lib/periodic.ts';
import type { MongoContext } from './engine/context.ts';
import { makeIndexes } from './engine/indexes.ts';
import { acquireLease, releaseLease } from './instance/maintenance-commands.ts';
import { migrations, SCHEMA_VERSION } from './schema/migrations.ts';
import { writing } from './engine/operation-options.ts';
import { pendingSteps, readSchema } from './schema/schema-check.ts';

/** Milliseconds after which another process may take over an abandoned set-up; renewed after a quarter of this time. */
const LEASE_MS = 60_000;
const TURN_MS = 100;
/** Maximum milliseconds to wait for another process's set-up. Indexes of a large store take long. */
const WAIT_LIMIT_MS = 600_000;

/**
 * Migrates the database to the current schema. Of several starting processes one does the work under a lease; the
 * others wait for it. Every step may be repeated. `onStep`: called before each, with a sentence.
 */
export async function setUp(context: MongoContext, onStep?: (progress: string) => void): Promise<void> {
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
  // The lease must not expire while an index is built.
  const renewal = new Periodic({
    intervalMs: LEASE_MS / 4,
    run: async () => {
      await acquireLease(context, 'migration', owner, LEASE_MS);
    },
  });
  renewal.start();
  try {
    await bringUpToDate(context, onStep);
  } finally {
    await renewal.stop();
    await releaseLease(context, 'migration', owner).catch(() => undefined);
  }
}

async function bringUpToDate(
  context: MongoContext,
  onStep: (progress: string) => void = () => undefined,
): Promise<void> {
  const { collections } = context;
  const { version } = await readSchema(context);
  const begins = version ?? 0;
  const report = begins > 0 ? onStep : () => undefined;
  await makeIndexes(collections, (name) => report(`making indexes of ${name}`));
  for (const [index, migrate] of migrations.entries()) {
    if (index < begins) continue;
    report(`step ${index + 1 - begins} of ${SCHEMA_VERSION - begins}: schema version ${index + 1}`);
    await migrate(collections);
  }
  // Never lowers it: another process may run a later version.
  const update = { $max: { version: SCHEMA_VERSION } };
  await collections.control.updateOne({ _id: 'schema' }, update, { ...writing('schema.set'), upsert: true });
}
