import { openCollections } from './collections.ts';
import { connect } from './connection.ts';
import { requireAlone } from './require-alone.ts';
import type { MongoContext } from './context.ts';
import { toOpeningError } from './mongo-errors.ts';
import { mongoHosts } from './mongo-hosts.ts';
import { PageBounds } from './page-bounds.ts';
import { requireCurrent, requireWritable, pendingSteps, readSchema } from './schema-check.ts';
import { setUp } from './set-up.ts';

/** What opening may change: nothing, an empty database set up, or everything brought up to date. */
export type OpeningChange = 'nothing' | 'set_up' | 'migrate';

/**
 * Connects and checks the schema. Once open, the driver finds a restarted server or a new primary by itself.
 * Throws `invalid_configuration`, `store_unavailable`, `store_outdated`, `store_too_new`, or `conflict` where
 * it is to migrate while gateways are at work.
 */
export async function openContext(url: string, change: OpeningChange, now: () => number): Promise<MongoContext> {
  return withConnection(url, now, async (context) => {
    const state = await readSchema(context);
    if (change === 'migrate' && pendingSteps(state).length > 0) await requireAlone(context);
    if (change === 'migrate' || (change === 'set_up' && state.version === null)) await setUp(context);
    else requireCurrent(state);
    if (change !== 'nothing') await requireWritable(context);
    return context;
  });
}

/** What `openContext` with `migrate` would do, one sentence each; none when there is nothing to do. Throws as it does. */
export async function pendingChanges(url: string): Promise<string[]> {
  return withConnection(url, Date.now, async (context) => {
    const state = await readSchema(context);
    await context.connection.close();
    return pendingSteps(state);
  });
}

/** Leaves the connection open unless the work fails. */
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
