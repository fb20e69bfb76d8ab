import type { MongoContext } from '../context.ts';
import { isDuplicateKey } from '../mongo-errors.ts';
import { writing } from '../operation-options.ts';

/** Milliseconds after which no write can still be running. */
const UNDER_WAY_MS = 60_000;

/**
 * Wraps a command that changes `ingestAccess`, without a transaction. Announces the change before it, so that one left
 * by a crash is noticed when the announcement expires. Raises the version after it, so that all others are noticed at
 * once.
 */
export function changesIngest<A extends readonly unknown[], R>(
  command: (context: MongoContext, ...args: A) => Promise<R>,
): (context: MongoContext, ...args: A) => Promise<R> {
  return async (context, ...args) => {
    await announce(context);
    const result = await command(context, ...args);
    // Ignores a failure: the change is then noticed when its announcement expires.
    await raiseVersion(context).catch(() => undefined);
    return result;
  };
}

async function announce({ collections, now }: MongoContext): Promise<void> {
  const update = { $inc: { version: 1 }, $max: { until: now() + UNDER_WAY_MS } };
  const write = () =>
    collections.control.updateOne({ _id: 'ingest' }, update, { ...writing('ingest.announce'), upsert: true });
  await write().catch((error: unknown) => {
    if (!isDuplicateKey(error)) throw error;
    return write();
  });
}

async function raiseVersion({ collections }: MongoContext): Promise<void> {
  await collections.control.updateOne({ _id: 'ingest' }, { $inc: { version: 1 } }, writing('ingest.raise'));
}
