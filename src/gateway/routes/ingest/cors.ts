/**
 * Headers of every answer of the ingestion routes. Browser SDKs post from every origin, and must be able to read the
 * answer, refusals and rate limits included. No credentials: the key is in the request.
 */
const INGEST_CORS: readonly string[] = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Allow-Headers',
  [
    'x-sentry-auth, x-requested-with, x-forwarded-for, origin, referer, accept, content-type, authentication',
    'authorization, content-encoding, transfer-encoding, sentry-trace, baggage, traceparent',
  ].join(', '),
  'Access-Control-Expose-Headers',
  'x-sentry-error, x-sentry-rate-limits, retry-after',
  'Access-Control-Max-Age',
  '3600',
];

/** Returns names and values in turn. */
export function ingestCors(methods: string): readonly string[] {
  return ['Access-Control-Allow-Methods', methods, ...INGEST_CORS];
}
