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
