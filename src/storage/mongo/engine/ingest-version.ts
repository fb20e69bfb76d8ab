import type { MongoContext } from './context.ts';
import { writing } from './operation-options.ts';
import { retryFirstUpsert } from './retry-duplicates.ts';

type IngestContext = Pick<MongoContext, 'collections' | 'now'>;

/** Milliseconds after which no write can still be running. */
const MAX_WRITE_MS = 60_000;

/** Wraps a command that changes `ingestAccess`, see `bumpingIngestVersion`. */
export function bumpsIngestVersion<A extends readonly unknown[], R>(
  command: (context: MongoContext, ...args: A) => Promise<R>,
): (context: MongoContext, ...args: A) => Promise<R> {
  return (context, ...args) => bumpingIngestVersion(context, () => command(context, ...args));
}

/**
 * Makes a change of `ingestAccess`, without a transaction. Announces the change before it, so that one left
 * by a crash is noticed when the announcement expires. Raises the version after it, so that all others are noticed at
 * once.
 */
export async function bumpingIngestVersion<R>(context: IngestContext, change: () => Promise<R>): Promise<R> {
  await announce(context);
  const result = await change();
  // Ignores a failure: the change is then noticed when its announcement expires.
  await raiseVersion(context).catch(() => undefined);
  return result;
}

async function announce({ collections, now }: IngestContext): Promise<void> {
  const update = { $inc: { version: 1 }, $max: { until: now() + MAX_WRITE_MS } };
  const write = () =>
    collections.control.updateOne({ _id: 'ingest' }, update, { ...writing('ingest.announce'), upsert: true });
  await retryFirstUpsert(write);
}

async function raiseVersion({ collections }: IngestContext): Promise<void> {
  await collections.control.updateOne({ _id: 'ingest' }, { $inc: { version: 1 } }, writing('ingest.raise'));
}
