import assert from 'node:assert/strict';
import { eventLine } from '../../../../src/gateway/agents/texts/event-line.ts';
import { CANARIES, LIVE } from '../../../support/agent-canaries.ts';

describe('a line of event text for agents', () => {
  it('is one line without anything that acts', () => {
    for (const text of CANARIES) {
      const line = eventLine(text, 300);
      for (const pattern of LIVE) assert.doesNotMatch(line, pattern, JSON.stringify(text));
    }
  });

  it('keeps what code and messages need', () => {
    for (const text of [
      "TypeError: Cannot read properties of undefined (reading 'total')",
      'at src/cart.ts:42:7 in total [app]',
      'if (a < b && c <= d) return items[0].price * 2;',
      'node_modules/@scope/package/index.js',
      'größer als 5 € — 日本語',
    ]) {
      assert.equal(eventLine(text, 300), text);
    }
    assert.equal(eventLine('const list: Array<string> = []', 300), 'const list: Array< string> = []');
    assert.equal(eventLine('webpack:///./src/cart.ts', 300), 'webpack: ///./src/cart.ts');
  });

  it('leaves out queries of addresses and paths', () => {
    assert.equal(eventLine('GET https://u.test/a?token=1#x failed', 300), 'GET https: //u.test/a?… failed');
    assert.equal(eventLine('GET https://ada:pw@u.test/a failed', 300), 'GET https: //…@u.test/a failed');
    assert.equal(eventLine('POST /cart?token=1 failed', 300), 'POST /cart?… failed');
    assert.equal(eventLine('a ? b : c', 300), 'a ? b : c');
  });

  it('has at most so many bytes', () => {
    for (const max of [10, 50, 200]) {
      for (const text of ['x'.repeat(5000), '€'.repeat(5000), '\u{1f525}'.repeat(5000), `[](<!${'](<!'.repeat(900)}`]) {
        const line = eventLine(text, max);
        assert.ok(Buffer.byteLength(line) <= max, `${max}: ${line}`);
        assert.ok(line.isWellFormed());
      }
    }
  });

  it('takes a time that grows with the text alone', () => {
    const started = process.cpuUsage();
    for (const part of ['<', '](', 'a:', '/a', '?', '://', '\u200b', 'www.']) eventLine(part.repeat(100_000), 20_000);
    const { user } = process.cpuUsage(started);
    assert.ok(user < 2_000_000, String(user));
  });
});
