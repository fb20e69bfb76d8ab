import type { WriteContext } from './write-context.ts';

/** `meta` row with the version of ingestion data, raised by every write that changes it. */
export const INGEST_VERSION = 'ingest_version';

/**
 * Wraps a command that changes `ingestAccess`: raises its version in the same transaction, so that no change is missed.
 */
export function bumpsIngestVersion<A extends readonly unknown[], R>(
  command: (context: WriteContext, ...args: A) => R,
): (context: WriteContext, ...args: A) => R {
  return (context, ...args) => {
    const result = command(context, ...args);
    raiseIngestVersion(context);
    return result;
  };
}

export function raiseIngestVersion({ db }: Pick<WriteContext, 'db'>): void {
  db.run(
    `INSERT INTO meta (key, value) VALUES (?, '1')
      ON CONFLICT DO UPDATE SET value = CAST(CAST(value AS INTEGER) + 1 AS TEXT)`,
    INGEST_VERSION,
  );
}
