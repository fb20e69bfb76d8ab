/**
 * Milliseconds that a sender rests after each event, so that a drill that waits for something else does not keep a
 * processor busy. None in `npm run test:full`.
 */
export const SENDER_REST_MS = Number(process.env['ERRGATE_TEST_SENDER_REST_MS'] ?? 15);
