import assert from 'node:assert/strict';
import { contextLines } from '../../../../../src/gateway/api/shared/stack-trace-presenter.ts';
import { escapeHtml } from '../../../../../src/gateway/http/escape-html.ts';
import { isoTime } from '../../../../../src/gateway/http/iso-time.ts';
import { frame } from '../../../../support/factories.ts';

describe('context of a frame', () => {
  it('is numbered around the line of the call', () => {
    const lines = contextLines(frame({ lineno: 5, pre_context: ['a', 'b'], context_line: 'c', post_context: ['d'] }));
    assert.deepEqual(lines, [
      [3, 'a'],
      [4, 'b'],
      [5, 'c'],
      [6, 'd'],
    ]);
  });

  it('is empty where the SDK sent none', () => {
    assert.deepEqual(contextLines(frame({ context_line: null })), []);
    assert.deepEqual(contextLines(frame({ lineno: null })), []);
  });
});

describe('source text as HTML', () => {
  it('cannot become markup', () => {
    assert.equal(
      escapeHtml(`<img src=x onerror="a('&')">`),
      '&lt;img src=x onerror=&quot;a(&#39;&amp;&#39;)&quot;&gt;',
    );
    assert.equal(escapeHtml('plain ☃'), 'plain ☃');
  });
});

describe('times', () => {
  it('are ISO 8601 in UTC with milliseconds, whatever the number', () => {
    assert.equal(isoTime(0), '1970-01-01T00:00:00.000Z');
    for (const odd of [Number.NaN, Infinity, -Infinity, 1e300]) assert.ok(!Number.isNaN(Date.parse(isoTime(odd))));
  });
});
