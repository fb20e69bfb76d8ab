import { openCollections } from './engine/collections.ts';
import { connect } from './engine/connection.ts';
import { requireAlone } from './require-alone.ts';
import type { MongoContext } from './engine/context.ts';
import { toOpeningError } from './engine/mongo-errors.ts';
import { mongoHosts } from './engine/mongo-hosts.ts';
import { PageBounds } from './engine/page-bounds.ts';
import { requireCurrent, requireWritable, pendingSteps, readSchema } from './schema/schema-check.ts';
import { setUp } from './set-up.ts';

/** Changes that opening may make: none, set-up of an empty database, or all migrations. */
export type OpeningChange = 'nothing' | 'set_up' | 'migrate';

/**
 * Connects and checks the schema. The driver then finds a restarted server or a new primary itself. Throws
 * `invalid_configuration`, `store_unavailable`, `store_outdated`, `store_too_new`. Throws `conflict` when it must
 * migrate while gateways are running. `onStep`: called before each step of a migration, with a sentence.
 */
export async function openContext(
  url: string,
  change: OpeningChange,
  now: () => number,
  onStep?: (progress: string) => void,
): Promise<MongoContext> {
  return withConnection(url, now, async (context) => {
    const state = await readSchema(context);
    if (change === 'migrate' && pendingSteps(state).length > 0) await requireAlone(context);
    if (change === 'migrate' || (change === 'set_up' && state.version === null)) await setUp(context, onStep);
    else requireCurrent(state);
    if (change !== 'nothing') await requireWritable(context);
    return context;
  });
}

/**
 * Returns the steps of `openContext` with `migrate`, one sentence each; empty when there are none. Throws the same
 * errors.
 */
export async function pendingChanges(url: string): Promise<string[]> {
  return withConnection(url, Date.now, async (context) => {
    const state = await readSchema(context);
    await context.connection.close();
    return pendingSteps(state);
  });
}

/** Runs work with a connection; leaves it open unless the work fails. */
async function withConnection<T>(
  url: string,
  now: () => number,
  work: (context: MongoContext) => Promise<T>,
): Promise<T> {
  const hosts = mongoHosts(url);
  const connection = await connect(url, hosts);
  try {
    return await work({ connection, collections: openCollections(connection), pageBounds: new PageBounds(), now });
  } catch (error) {
    await connection.close(true).catch(() => undefined);
    throw toOpeningError(error, hosts);
  }
}
