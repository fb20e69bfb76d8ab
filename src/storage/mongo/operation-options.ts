import type { QueryName } from './query-names.ts';

/** Milliseconds a server may work on one read; a page that takes longer is of no use to its reader. */
const READ_LIMIT_MS = 10_000;
/** Milliseconds a server waits for a majority before it reports that it has none. */
const MAJORITY_LIMIT_MS = 10_000;

/** What every write asks for, whatever the address says: on disk, at a majority of the members. */
export const MAJORITY = { w: 'majority', journal: true, wtimeoutMS: MAJORITY_LIMIT_MS } as const;

/**
 * Milliseconds after which an operation is given up, whatever it waits for: more than a healthy one can take,
 * because the driver's own bounds (`connection.ts`) end one sooner.
 */
const OPERATION_LIMIT_MS = 60_000;

/**
 * Driver options that end an operation for good. The driver's own time limits do not reach one whose command is
 * still being written (one larger than the socket's buffers, on a network that swallows bytes): it keeps its place
 * in the pool for as long as the connection stands; one that ends is seen to by `guardClosedSockets`. Only a signal
 * ends it; the driver passes the signal of every operation on, although its types name it for reads only.
 */
export function withinLimit(limitMs = OPERATION_LIMIT_MS): { readonly signal: AbortSignal } {
  return { signal: AbortSignal.timeout(limitMs) };
}

/**
 * Options of a read: of the primary, bounded in time, all members unless a projection names some. The name goes along
 * as a comment, so that a server's log and `currentOp` tell which query it was.
 */
export function reading(name: QueryName, projection?: Readonly<Record<string, unknown>>) {
  const options = { comment: name, readPreference: 'primary', maxTimeMS: READ_LIMIT_MS } as const;
  return projection === undefined ? options : { ...options, projection };
}

/** Options of a write; made anew for each, because its time begins here. */
export function writing(name: QueryName) {
  return { comment: name, writeConcern: MAJORITY, ...withinLimit() } as const;
}
