import assert from 'node:assert/strict';
import type { IngestAnswerOverHttp } from './ingest-app.ts';

/** Checks the CORS headers that every ingestion answer has. */
export function assertCors(answer: IngestAnswerOverHttp): void {
  assert.equal(answer.headers['access-control-allow-origin'], '*');
  assert.match(
    answer.headers['access-control-expose-headers'] ?? '',
    /x-sentry-error, x-sentry-rate-limits, retry-after/,
  );
  assert.match(answer.headers['access-control-allow-methods'] ?? '', /POST/);
  assert.match(answer.headers['access-control-allow-headers'] ?? '', /x-sentry-auth/);
  assert.equal(answer.headers['access-control-max-age'], '3600');
  assert.equal(answer.headers['access-control-allow-credentials'], undefined);
}

/** Checks a refusal in the format of the protocol. */
export function assertRefusal(answer: IngestAnswerOverHttp, status: number): void {
  assert.equal(answer.status, status, answer.text);
  assertCors(answer);
  const detail = answer.json['detail'];
  assert.ok(typeof detail === 'string' && detail.length > 10);
  assert.match(answer.headers['content-type'] ?? '', /^application\/json/);
  if (status < 500) {
    assert.equal(answer.headers['x-sentry-error'], detail);
    assert.equal(answer.headers['retry-after'], undefined);
  } else {
    assert.match(answer.headers['retry-after'] ?? '', /^\d+$/);
  }
}
