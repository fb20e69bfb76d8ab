import assert from 'node:assert/strict';
import { AppError, ERROR_CODES, type ErrorCode } from '../../../../src/domain/app-error.ts';
import { answerFor, webAnswerFor } from '../../../../src/gateway/http/http-errors.ts';

const text = (code: ErrorCode, options = {}) => answerFor(new AppError(code, 'said', options));

describe('error answers', () => {
  const rows: [code: ErrorCode, status: number, body: object | null][] = [
    ['unauthorized', 401, { message: '401 Unauthorized' }],
    ['forbidden', 403, { message: '403 Forbidden' }],
    ['not_found', 404, { message: '404 Not found' }],
    ['events_removed', 404, { message: 'said' }],
    ['project_not_found', 404, { message: '404 Project Not Found' }],
    ['settings_not_found', 404, { message: '404 Error Tracking Setting Not Found' }],
    ['integrated_not_offered', 404, { message: '404 Not Found' }],
    ['route_not_found', 404, { error: '404 Not Found' }],
    ['method_not_allowed', 405, { error: '405 Not Allowed' }],
    ['api_version_gone', 410, { error: 'API V3 is no longer supported. Use API V4 instead.' }],
    ['invalid_parameter', 400, { error: 'said' }],
    ['bad_request', 400, { message: 'said' }],
    ['malformed_body', 400, { error: 'said' }],
    ['unsupported_media_type', 415, { error: 'said' }],
    ['not_acceptable', 406, { error: 'said' }],
    ['payload_too_large', 413, { error: 'said' }],
    ['tracking_disabled', 400, { message: 'Error Tracking is not enabled' }],
    ['unsupported_by_tracker', 400, { message: 'said', code: 'unsupported_by_tracker' }],
    ['not_ready', 204, null],
    ['tracker_blocked', 502, { message: 'said', code: 'tracker_blocked' }],
    ['tracker_unreachable', 502, { message: 'said', code: 'tracker_unreachable' }],
    ['tracker_refused', 502, { message: 'said', code: 'tracker_refused' }],
    ['tracker_limited', 503, { message: 'said', code: 'tracker_limited' }],
    ['issue_host_failed', 502, { message: 'said', code: 'issue_host_failed' }],
    ['tracker_invalid_answer', 502, { message: 'said', code: 'tracker_invalid_answer' }],
    ['conflict', 409, { message: 'said' }],
    ['rate_limited', 429, { message: 'said' }],
    ['store_unavailable', 503, { message: 'said' }],
    ['ingest_unauthorized', 401, { detail: 'said' }],
    ['ingest_forbidden', 403, { detail: 'said' }],
    ['ingest_invalid', 400, { detail: 'said' }],
    ['ingest_too_large', 413, { detail: 'said' }],
    ['ingest_unsupported_encoding', 415, { detail: 'said' }],
    ['ingest_unavailable', 503, { detail: 'said' }],
    ['internal', 500, { message: '500 Internal Server Error' }],
  ];
  for (const [code, status, body] of rows) {
    it(code, () => {
      const answer = text(code);
      assert.deepEqual([answer.status, answer.body], [status, body]);
    });
  }

  it('know every code', () => {
    for (const code of ERROR_CODES) assert.ok(code === 'not_ready' || text(code).status >= 301, code);
  });

  it('tell when to come back', () => {
    for (const code of ['rate_limited', 'store_unavailable', 'ingest_unavailable', 'tracker_limited'] as const) {
      assert.equal(text(code).headers['Retry-After'], '5');
      assert.equal(text(code, { retryAfterSeconds: 60 }).headers['Retry-After'], '60');
    }
  });

  it('name the allowed methods and the new place of a project', () => {
    assert.equal(text('method_not_allowed', { details: { allow: 'GET' } }).headers.Allow, 'GET');
    const moved = text('project_moved', { details: { location: 'https://x/y' } });
    assert.deepEqual([moved.status, moved.headers.Location], [301, 'https://x/y']);
    assert.equal(text('project_moved').status, 405);
  });

  it('on the web: a sign-in hint, an empty 404, and messages', () => {
    const web = (code: ErrorCode) => webAnswerFor(new AppError(code, 'said'));
    for (const code of ['unauthorized', 'token_expired', 'token_revoked'] as const) {
      assert.deepEqual(web(code).body, { error: 'You need to sign in or sign up before continuing.' });
    }
    for (const code of ['forbidden', 'insufficient_scope', 'project_not_found'] as const) {
      assert.deepEqual([web(code).status, web(code).body], [404, null]);
    }
    assert.deepEqual(web('invalid_parameter').body, { message: 'said' });
    assert.deepEqual(web('store_unavailable').status, 503);
  });

  it('on the web: a tracker that fails is a 400 in the words of the pages', () => {
    for (const code of ERROR_CODES.filter((name) => name.startsWith('tracker_') && name !== 'tracker_route_absent')) {
      const failed = new AppError(code, 'said', { details: { webMessage: 'Connection refused' } });
      assert.deepEqual(webAnswerFor(failed), { status: 400, body: { message: 'Connection refused' }, headers: {} });
      assert.deepEqual(webAnswerFor(new AppError(code, 'said')).body, { message: 'said' });
    }
  });
});
