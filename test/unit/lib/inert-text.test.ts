import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { inertJson, inertLine, inertLines } from '../../../src/lib/text/inert-text.ts';

const TEXTS = JSON.parse(
  readFileSync(new URL('../../fixtures/hostile-texts.json', import.meta.url), 'utf8'),
) as string[];
const ACTIVE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

describe('inert text', () => {
  it('has nothing that a terminal obeys, and every other character', () => {
    for (const text of TEXTS) {
      assert.doesNotMatch(inertLine(text), /[\n\t]/);
      for (const inert of [inertLine(text), inertLines(text)]) {
        assert.doesNotMatch(inert, ACTIVE);
        assert.equal(inert.length, text.length);
      }
    }
    assert.equal(inertLines('a\n\tb\u001b[2J'), 'a\n\tb [2J');
    assert.equal(inertLine('a\n\tb\u202e'), 'a  b ');
  });

  it('is the same JSON for a machine', () => {
    for (const text of [...TEXTS, '\\u001b', '\\\\n\u009b\\']) {
      const line = inertJson(JSON.stringify({ text }), false);
      assert.doesNotMatch(line, ACTIVE);
      assert.deepEqual(JSON.parse(line), { text });
    }
  });

  it('stays inert when a reader decodes the JSON to show it', () => {
    for (const text of TEXTS) {
      const shown = (JSON.parse(inertJson(JSON.stringify({ text }), true)) as { text: string }).text;
      assert.doesNotMatch(shown, ACTIVE);
    }
    const decoded = JSON.parse(inertJson(JSON.stringify('\u001b[2J\\u001b\r\n\u202e'), true)) as string;
    assert.equal(decoded, '\\u001b[2J\\u001b\\r\n\\u202e');
  });
});
