import type { QueryName } from './query-name.ts';

/** Maximum milliseconds of one read on the server; a slower page is useless to its reader. */
const READ_LIMIT_MS = 10_000;
/** Maximum milliseconds on the server for a whole list of keys, overrides or records. */
export const LIST_LIMIT_MS = 30_000;
/** Maximum milliseconds a server waits for a majority before it reports that there is none. */
const MAJORITY_LIMIT_MS = 10_000;

/** Write concern of all writes, at any address: on disk, at a majority of the members. */
export const MAJORITY = { w: 'majority', journal: true, wtimeoutMS: MAJORITY_LIMIT_MS } as const;

/**
 * Milliseconds after which any operation is aborted. A healthy one ends sooner by the driver's own bounds
 * (`connection.ts`).
 */
const OPERATION_LIMIT_MS = 60_000;

/**
 * Returns driver options that abort an operation in every case. The driver's own limits do not apply while a command is
 * being written, such as a large one on a lossy network. Such an operation keeps its place in the pool while the
 * connection is open; `guardClosedSockets` handles closed ones. Only a signal aborts it. The driver observes the signal
 * of every operation, although its types have it for reads only.
 */
export function withinLimit(limitMs = OPERATION_LIMIT_MS): { readonly signal: AbortSignal } {
  return { signal: AbortSignal.timeout(limitMs) };
}

/**
 * Returns options of a read: from the primary, limited in time, all members unless a projection names some. The name is
 * sent as a comment, by which a server's log and `currentOp` identify the query.
 */
export function reading(name: QueryName, projection?: Readonly<Record<string, unknown>>) {
  const options = { comment: name, readPreference: 'primary', maxTimeMS: READ_LIMIT_MS } as const;
  return projection === undefined ? options : { ...options, projection };
}

/** Returns options of a write; new ones for each, because the time limit starts here. */
export function writing(name: QueryName) {
  return { comment: name, writeConcern: MAJORITY, ...withinLimit() } as const;
}
