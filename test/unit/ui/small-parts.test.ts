import assert from 'node:assert/strict';
import { cursorsOf } from '../../../ui/src/lib/link-header.ts';
import { parseRecent, withSearch } from '../../../ui/src/lib/recent-searches.ts';
import { relativeTime } from '../../../ui/src/lib/relative-time.ts';
import { safeReturnPath } from '../../../ui/src/lib/return-path.ts';
import { failureFor } from '../../../ui/src/api/api-failure.ts';
import { shortNumber } from '../../../ui/src/lib/numbers.ts';

describe('small parts of the pages', () => {
  it('read cursors from a Link header', () => {
    const header = '<http://h/e?cursor=a%2Bb&per_page=20>; rel="prev", <http://h/e?id=1&cursor=c>; rel="next"';
    assert.deepEqual(cursorsOf(header), { previous: 'a+b', next: 'c' });
    assert.deepEqual(cursorsOf(null), { previous: null, next: null });
  });

  it('go back to paths of their own only', () => {
    assert.equal(safeReturnPath('/a/b/-/error_tracking?x=1'), '/a/b/-/error_tracking?x=1');
    for (const given of ['//evil', '/\\evil', 'https://evil', '/\t/evil', '/a\\b', '', undefined, ['/a']]) {
      assert.equal(safeReturnPath(given), '/', String(given));
    }
  });

  it('say how long ago something was', () => {
    const now = Date.UTC(2026, 0, 2);
    const ago = (seconds: number) => relativeTime(now - seconds * 1000, now);
    assert.deepEqual(
      [ago(3), ago(59), ago(61), ago(7300), ago(200_000), ago(40 * 86_400), ago(800 * 86_400), ago(-30), ago(-7200)],
      ['just now', '59 s ago', '1 min ago', '2 h ago', '2 d ago', '1 mo ago', '2 y ago', 'just now', 'in 2 h'],
    );
  });

  it('shorten numbers from five digits on', () => {
    assert.deepEqual([0, 9999, 12_345, 4_200_000].map(shortNumber), ['0', '9,999', '12.3K', '4.2M']);
  });

  it('remember the last five searches, each once', () => {
    assert.deepEqual(withSearch(['b', 'A'], ' a '), ['a', 'b']);
    assert.deepEqual(withSearch(['1', '2', '3', '4', '5'], '6'), ['6', '1', '2', '3', '4']);
    assert.deepEqual(withSearch(['1'], '  '), ['1']);
    for (const stored of [null, '{', '7', '{"a":1}']) assert.deepEqual(parseRecent(stored), []);
    assert.deepEqual(parseRecent('["a",1,"b"]'), ['a', 'b']);
  });

  it('distinguish refusals', () => {
    const kind = (status: number, body: unknown, headers = {}) =>
      failureFor(new Response(null, { status, headers }), body).kind;
    assert.equal(kind(401, { message: '401 Unauthorized' }), 'signed-out');
    assert.equal(kind(403, { message: '403 Forbidden' }), 'forbidden');
    assert.equal(kind(404, { message: '404 Not found' }), 'missing');
    assert.equal(kind(400, { message: 'Error Tracking is not enabled' }), 'disabled');
    assert.equal(kind(400, { message: 'no', code: 'unsupported_by_tracker' }), 'unsupported');
    assert.equal(kind(400, { error: 'cursor is invalid' }), 'refused');
    assert.equal(kind(502, { message: 'no', code: 'tracker_unreachable' }), 'tracker');
    assert.equal(kind(503, { message: 'the store is away' }), 'busy');
    assert.equal(kind(502, '<html>Bad Gateway</html>'), 'offline');
    assert.equal(kind(500, { message: '500 Internal Server Error' }), 'broken');
    const limited = failureFor(new Response(null, { status: 429, headers: { 'Retry-After': '7' } }), {
      message: 'wait',
    });
    assert.deepEqual([limited.kind, limited.retryAfter, limited.message], ['busy', 7, 'wait']);
  });
});
